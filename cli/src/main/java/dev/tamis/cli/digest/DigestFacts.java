package dev.tamis.cli.digest;

import dev.tamis.cli.report.Facts;
import dev.tamis.tools.digest.CacheDigest;
import java.util.Locale;
import java.util.Optional;

/** What there is to say of a cache digest. */
final class DigestFacts {

  private DigestFacts() {}

  /** Returns what an account says. */
  static Facts brief(CacheDigest digest) {
    return new Facts()
        .count("capacity", digest.size().capacity())
        .count("count", digest.count())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("ones", digest.ones())
        .number("filled", digest.filling())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  /** Returns everything. */
  static Facts full(CacheDigest digest) {
    return new Facts()
        .text("kind", "cache digest")
        .count("version", digest.version())
        .count("required-version", digest.requiredVersion())
        .count("capacity", digest.size().capacity())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("bits", digest.size().bits())
        .count("hashes", CacheDigest.HASHES)
        .count("count", digest.count())
        .count("deleted", digest.deleted())
        .count("ones", digest.ones())
        .number("filled", digest.filling())
        .text("overfull", digest.isOverfull() ? "yes" : "no")
        .estimate("keys", digest.approximateElementCount())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  /** Returns what to say if a digest is too full to be of use. */
  static Optional<String> warning(String command, CacheDigest digest) {
    if (!digest.isOverfull()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis digest %s: warning: %.0f %% of the bits are one%s; Squid drops a neighbour's"
                + " digest above %.0f %%; make it for more entries, or with more bits for each",
            command,
            100 * digest.filling(),
            digest.filling() < 1 ? "" : ", so every URL is in it",
            100 * CacheDigest.MAX_USEFUL_FILLING));
  }
}
