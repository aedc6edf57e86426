package dev.tamis.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.jspecify.annotations.Nullable;

/** Tells the user when a file that is replaced becomes somebody else's. */
public final class FileOwner {

  private FileOwner() {}

  /** Replaces a file, and says if it has another owner then: only root can keep it. */
  public static void watch(Path file, Messages err, Replacement replacement) throws IOException {
    UserPrincipal before = ownerOf(file);
    replacement.run();
    UserPrincipal after = ownerOf(file);
    if (before != null && after != null && !before.equals(after)) {
      err.line(
          "tamis: %s: belongs to %s now, no longer to %s", file, after.getName(), before.getName());
    }
  }

  private static @Nullable UserPrincipal ownerOf(Path file) {
    try {
      return Files.exists(file) ? Files.getOwner(file) : null;
    } catch (IOException | UnsupportedOperationException e) {
      return null; // a file system without owners
    }
  }

  public interface Replacement {
    void run() throws IOException;
  }
}
