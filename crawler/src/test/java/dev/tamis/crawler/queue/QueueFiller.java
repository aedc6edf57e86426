package dev.tamis.crawler.queue;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A program that pushes URLs where files cannot become large, and says which were accepted. */
final class QueueFiller {

  private QueueFiller() {}

  /** Takes the directory, the bytes between checkpoints and the number of URLs. */
  public static void main(String[] args) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      VisitQueue queue =
          VisitQueue.builder()
              .expectedKeys(1_000_000)
              .fpp(0.01)
              .key(UrlKey.NONE)
              .checkpointBytes(Long.parseLong(args[1]))
              .open(Path.of(args[0]));
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        String line;
        try {
          line = queue.push("http://h/" + i).isAccepted() ? "pushed http://h/" + i : "refused";
        } catch (UncheckedIOException | IllegalStateException e) {
          line = "failed " + e.getMessage();
        }
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    Runtime.getRuntime().halt(0); // nothing is closed in order
  }
}
