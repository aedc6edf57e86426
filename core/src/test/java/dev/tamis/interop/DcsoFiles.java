package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** The files that DCSO's programs made, in the folder {@code interop/dcso} of the resources. */
final class DcsoFiles {

  static final long LIMIT = 1 << 20;

  private DcsoFiles() {}

  static byte[] bytes(String name) throws IOException {
    try (InputStream in = DcsoFiles.class.getResourceAsStream("/interop/dcso/" + name)) {
      return requireNonNull(in, name).readAllBytes();
    }
  }

  static DcsoBloomFilter<CharSequence> read(byte[] bytes) throws IOException {
    return read(bytes, LIMIT);
  }

  static DcsoBloomFilter<CharSequence> read(byte[] bytes, long maxBytes) throws IOException {
    return DcsoBloomFilter.readFrom(new ByteArrayInputStream(bytes), KeyHasher.text(), maxBytes);
  }

  static DcsoBloomFilter<CharSequence> read(String name) throws IOException {
    return read(bytes(name));
  }

  static List<String> lines(String name) throws IOException {
    return new String(bytes(name), UTF_8).lines().toList();
  }

  /** Returns key-{@code from}, key-{@code from + 1} and so on. */
  static List<String> keys(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> "key-" + i).toList();
  }

  static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }
}
