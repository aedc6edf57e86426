package dev.tamis.crawler.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Decodes the content encoding of a body. */
final class Encoding {

  private Encoding() {}

  /**
   * Returns the first bytes of the decoded body, one more than {@code maxBytes} if there are more,
   * or empty if the encoding is not supported, or damaged.
   */
  static Optional<byte[]> decode(Fetched.Response response, int maxBytes) {
    byte[] bytes = response.body();
    String name =
        response.head().first("Content-Encoding").orElse("").strip().toLowerCase(Locale.ROOT);
    if (name.isEmpty() || name.equals("identity")) {
      return Optional.of(bytes);
    }
    if (!name.equals("gzip") && !name.equals("x-gzip")) {
      return Optional.empty();
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] decoded = new byte[0];
      for (int room = maxBytes + 1; room > 0; room = maxBytes + 1 - decoded.length) {
        byte[] more = in.readNBytes(room);
        if (more.length == 0) {
          break;
        }
        int length = decoded.length;
        decoded = Arrays.copyOf(decoded, length + more.length);
        System.arraycopy(more, 0, decoded, length, more.length);
      }
      return Optional.of(decoded);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
