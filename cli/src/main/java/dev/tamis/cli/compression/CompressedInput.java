package dev.tamis.cli.compression;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The data of a compressed input; errors name the byte where it is damaged. */
final class CompressedInput extends InputStream {

  private static final String ADVICE =
      "get the file again, or read its bytes as they are with --no-decompress";

  /** Of a member's header, or bzip2's first block; a name in a header of gzip has no limit. */
  private static final int MAX_HEADER_BYTES = 4 << 20;

  private final Compression compression;
  private final Counted compressed;
  private @Nullable InputStream data;
  private boolean isBetween;

  CompressedInput(Compression compression, InputStream compressed) {
    this.compression = compression;
    this.compressed = new Counted(compressed);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      if (data == null) {
        data = member();
      }
      int read = data.read(bytes, offset, length);
      while (read < 0 && skipsToNext()) {
        isBetween = true;
        data = member();
        read = data.read(bytes, offset, length);
        isBetween = false;
      }
      return read;
    } catch (IOException | RuntimeException e) { // of the second kind are some of damaged data
      throw explained(e);
    }
  }

  /** Reads a header. */
  private InputStream member() throws IOException {
    compressed.limit = compressed.count + MAX_HEADER_BYTES;
    InputStream member = compression.member(compressed);
    compressed.limit = Long.MAX_VALUE;
    return member;
  }

  /** Skips zeros after a member, as tapes have them; false at the end. */
  private boolean skipsToNext() throws IOException {
    int next = 0;
    while (next == 0) {
      compressed.mark(1);
      next = compressed.read();
    }
    if (next > 0) {
      compressed.reset();
    }
    return next > 0;
  }

  /** Returns 0: the data of a block comes as a whole. */
  @Override
  public int available() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    (data == null ? compressed : data).close();
  }

  private IOException explained(Exception e) {
    if (compressed.failure != null) {
      return compressed.failure;
    }
    if (e.getCause() instanceof LinkageError && e instanceof IOException unreadable) {
      return unreadable;
    }
    String what =
        compression.needsTooMuchMemory(e)
            ? "%s data needs too much memory at byte %d%s; pipe it through the program %1$s"
            : compressed.ended
                ? "%s data ends too early, at byte %d%s; " + ADVICE
                : isBetween
                    ? "%s data ends before byte %d, and what follows is something else%s; " + ADVICE
                    : "%s data is damaged at or before byte %d%s; " + ADVICE;
    String reason = e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
    return new IOException(
        String.format(Locale.ROOT, what, compression.label(), compressed.count, reason), e);
  }

  /** Counts the bytes that are decompressed, and keeps the failure of the input. */
  private static final class Counted extends FilterInputStream {
    private long count;
    private long limit = Long.MAX_VALUE;
    private long marked;
    private boolean ended;
    private @Nullable IOException failure;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return counted(in.read(), 1);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        int read = in.read(bytes, offset, length);
        return counted(read, read);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    private int counted(int result, int bytes) throws IOException {
      ended = result < 0;
      count += ended ? 0 : bytes;
      if (count > limit) {
        throw new IOException("its header is longer than " + MAX_HEADER_BYTES + " bytes");
      }
      return result;
    }

    @Override
    public long skip(long bytes) throws IOException {
      long left = bytes;
      while (left > 0 && read() >= 0) {
        left--;
      }
      return bytes - left;
    }

    @Override
    public synchronized void mark(int most) {
      in.mark(most);
      marked = count;
    }

    @Override
    public synchronized void reset() throws IOException {
      in.reset();
      count = marked;
    }
  }
}
