package dev.tamis.tools.digest;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Digests for tests. */
final class Digests {

  private Digests() {}

  static byte[] bytes(CacheDigest digest) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    digest.writeTo(out);
    return out.toByteArray();
  }

  static CacheDigest read(byte[] bytes) throws IOException {
    return CacheDigest.readFrom(new ByteArrayInputStream(bytes), 1 << 20);
  }

  /** Returns a digest that a Squid 5.7 wrote. */
  static Path golden() {
    try {
      return Path.of(requireNonNull(Digests.class.getResource("/golden/squid-5.7.digest")).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
