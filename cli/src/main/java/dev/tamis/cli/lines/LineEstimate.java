package dev.tamis.cli.lines;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A guess at how many lines a file has, from samples taken all over it. */
public final class LineEstimate {

  private static final int SAMPLES = 16;
  private static final int SAMPLE_BYTES = 1 << 16;

  /** What is added where only a part was seen: a little too many costs less than too few. */
  private static final double MARGIN = 1.05;

  private LineEstimate() {}

  /**
   * Returns about how many lines the file has, at least 1; more rather than less. A small file is
   * counted.
   *
   * @param delimiter the byte that ends a line
   */
  public static long of(Path file, byte delimiter) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      long between = Math.max(SAMPLE_BYTES, size / SAMPLES);
      ByteBuffer sample = ByteBuffer.allocate(SAMPLE_BYTES);
      long sampled = 0;
      long delimiters = 0;
      for (long at = 0; at < size; at += between) {
        sample.clear();
        int count = channel.read(sample, at + (between - SAMPLE_BYTES) / 2);
        sampled += Math.max(0, count);
        delimiters += count(sample.array(), count, delimiter);
      }
      double lines = sampled == 0 ? 0 : (double) size / sampled * delimiters;
      return 1 + (long) (sampled == size ? lines : MARGIN * lines);
    }
  }

  private static long count(byte[] bytes, int end, byte value) {
    long count = 0;
    for (int i = 0; i < end; i++) {
      if (bytes[i] == value) {
        count++;
      }
    }
    return count;
  }
}
