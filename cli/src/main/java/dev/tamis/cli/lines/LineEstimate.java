package dev.tamis.cli.lines;

import dev.tamis.cli.compression.DecompressOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A guess at the lines (at least 1, rather too many) and bytes of a file, from samples. */
public record LineEstimate(long lines, long bytes) {

  private static final int SAMPLES = 16;
  private static final int SAMPLE_BYTES = 1 << 16;

  /** Of the data of a compressed file: 4 MiB, which take no second to decompress. */
  private static final int COMPRESSED_SAMPLES = 1 << 6;

  /** Added where only a part was read: an overestimate costs less than an underestimate. */
  private static final double MARGIN = 1.05;

  /** Samples a whole file; a small one is counted. */
  public static LineEstimate of(Path file, byte delimiter) throws IOException {
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
      return new LineEstimate(1 + (long) (sampled == size ? lines : MARGIN * lines), size);
    }
  }

  /** Samples the beginning of a compressed file; a small one is counted. */
  public static LineEstimate ofCompressed(Path file, byte delimiter, DecompressOption decompression)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        InputStream data = decompression.dataOf(Channels.newInputStream(channel))) {
      long size = channel.size();
      byte[] sample = new byte[SAMPLE_BYTES];
      long delimiters = 0;
      long sampled = 0;
      boolean isWhole = false; // and then the channel is closed
      for (int i = 0; i < COMPRESSED_SAMPLES && !isWhole; i++) {
        int count = read(data, sample);
        sampled += count;
        delimiters += count(sample, count, delimiter);
        isWhole = count < sample.length;
      }
      double parts = isWhole ? 1 : MARGIN * size / channel.position();
      return new LineEstimate(1 + (long) (parts * delimiters), (long) (parts * sampled));
    }
  }

  /** Reads a sample; what is damaged is an error when the lines are read, after those before. */
  private static int read(InputStream data, byte[] sample) {
    try {
      return data.readNBytes(sample, 0, sample.length);
    } catch (IOException e) {
      return 0;
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
