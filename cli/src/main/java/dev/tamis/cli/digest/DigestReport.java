package dev.tamis.cli.digest;

import dev.tamis.cli.report.Report;
import dev.tamis.tools.digest.CacheDigest;
import java.util.Locale;
import java.util.Optional;

/** The figures of a cache digest. */
final class DigestReport {

  private DigestReport() {}

  static Report brief(CacheDigest digest) {
    return new Report()
        .count("capacity", digest.size().capacity())
        .count("count", digest.count())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("set-bits", digest.setBits())
        .number("filled", digest.filling())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  static Report full(CacheDigest digest) {
    return new Report()
        .text("kind", "cache digest")
        .count("version", digest.version())
        .count("required-version", digest.requiredVersion())
        .count("capacity", digest.size().capacity())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("bits", digest.size().bits())
        .count("hashes", CacheDigest.HASHES)
        .count("count", digest.count())
        .count("deleted", digest.deleted())
        .count("set-bits", digest.setBits())
        .number("filled", digest.filling())
        .text("overfull", digest.isOverfull() ? "yes" : "no")
        .estimate("keys", digest.approximateElementCount())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  /** Returns a warning if a digest is too full to be useful; empty if not. */
  static Optional<String> warning(String command, CacheDigest digest) {
    if (!digest.isOverfull()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis digest %s: warning: %.0f %% of the bits are set%s; Squid ignores a neighbour's"
                + " digest above %.0f %%; build it for more entries, or with more bits per entry",
            command,
            100 * digest.filling(),
            digest.filling() < 1 ? "" : ", so every URL is a hit",
            100 * CacheDigest.MAX_USEFUL_FILLING));
  }
}
