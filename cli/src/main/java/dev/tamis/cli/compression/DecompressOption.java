package dev.tamis.cli.compression;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that has compressed input read as it is. */
public final class DecompressOption {

  @Option(
      names = "--no-decompress",
      description =
          "Read compressed input as it is. Otherwise gzip, zstd, bzip2 and xz are decompressed,"
              + " whatever the file is called.")
  private boolean off;

  public InputStream dataOf(InputStream input) {
    return off ? input : new DecompressingInput(input, data -> data);
  }

  /** Returns the data of an input, decompressed on another thread. */
  public InputStream dataAheadOf(InputStream input) {
    return off ? input : new DecompressingInput(input, AheadInput::new);
  }

  /** Returns whether a regular file is to be decompressed. */
  public boolean applies(Path file) throws IOException {
    if (off) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(Compression.MAGIC_BYTES);
      return Compression.of(start, start.length).isPresent();
    }
  }
}
