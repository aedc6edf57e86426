package dev.tamis.spark;

import dev.tamis.file.AtomicFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/** Writes a file that appears under its name when it is complete, in any file system of Hadoop. */
final class Publication {

  private static final int BUFFER_BYTES = 1 << 16;

  private Publication() {}

  @FunctionalInterface
  interface Contents {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes the file, or leaves what was there before. */
  static void publish(Path target, Configuration configuration, Contents contents)
      throws IOException {
    Path qualified = target.getFileSystem(configuration).makeQualified(target);
    if ("file".equals(qualified.toUri().getScheme())) {
      try (AtomicFile file =
          AtomicFile.create(java.nio.file.Path.of(qualified.toUri().getPath()))) {
        contents.writeTo(file.out());
        file.commit();
      }
    } else {
      publishRemote(qualified, configuration, contents);
    }
  }

  static void publishRemote(Path target, Configuration configuration, Contents contents)
      throws IOException {
    FileContext files = FileContext.getFileContext(target.toUri(), configuration);
    Path temporary =
        new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".tmp");
    try {
      try (FSDataOutputStream out = files.create(temporary, EnumSet.of(CreateFlag.CREATE));
          BufferedOutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES)) {
        contents.writeTo(buffered);
        buffered.flush();
        out.hsync();
      }
      files.rename(temporary, target, Options.Rename.OVERWRITE);
    } finally {
      files.delete(temporary, false); // gone if it was renamed
    }
  }
}
