package dev.tamis.cli.compression;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An input that is decompressed if it begins as a compressed stream does.
 *
 * <p>It reads no more than it takes to know that: a terminal or a pipe may have no more for now.
 */
final class DecompressingInput extends InputStream {

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream raw;
  private final UnaryOperator<InputStream> decompressed;
  private @Nullable InputStream data;

  /** Reads {@code raw}; {@code decompressed} replaces data that was compressed. */
  DecompressingInput(InputStream raw, UnaryOperator<InputStream> decompressed) {
    this.raw = raw;
    this.decompressed = decompressed;
  }

  private InputStream data() throws IOException {
    if (data == null) {
      data = recognised();
    }
    return data;
  }

  private InputStream recognised() throws IOException {
    byte[] start = new byte[Compression.MAGIC_BYTES];
    int count = 0;
    boolean ended = false;
    while (!ended && (count == 0 || Compression.maybe(start, count).isPresent())) {
      int read = raw.read(start, count, start.length - count);
      ended = read < 0;
      count += Math.max(0, read);
    }
    InputStream whole = new SequenceInputStream(new ByteArrayInputStream(start, 0, count), raw);
    var known = Compression.of(start, count);
    if (known.isEmpty() && ended && count >= Compression.PARTIAL_MAGIC_BYTES) {
      known = Compression.maybe(start, count); // cut off in its magic number
    }
    return known.isEmpty()
        ? whole
        : decompressed.apply(
            new CompressedInput(known.get(), new BufferedInputStream(whole, BUFFER_BYTES)));
  }

  @Override
  public int read() throws IOException {
    return data().read();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    return data().read(bytes, offset, length);
  }

  @Override
  public int available() throws IOException {
    return data().available();
  }

  @Override
  public void close() throws IOException {
    (data == null ? raw : data).close();
  }
}
