package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import java.io.IOException;
import java.time.Instant;

/** The real reader and the reference, side by side on files that no writer of ours makes. */
final class BothReaders {

  private static final int HASHES = 300;
  private static final Instant NOW = Instant.EPOCH;

  private BothReaders() {}

  /** Returns a file of hash 1 whose other parameters are zeros, to be set and repaired. */
  static byte[] file(int kind, double fpp, byte[] payload) {
    byte[] header = ReferenceFrame.header(kind, payload.length);
    set(header, 24, 2, 1);
    set(header, 40, 8, 42);
    set(header, 56, 8, Double.doubleToRawLongBits(fpp));
    return ReferenceFrame.frame(header, payload);
  }

  /** Checks that both readers take a file, or both refuse it, whatever its checksums are. */
  static void assertTaken(byte[] file, boolean taken) {
    byte[] repaired = Bytes.repaired(file);
    assertThat(ReferenceFilter.isTaken(repaired, NOW)).as("by the reference").isEqualTo(taken);
    FuzzedReader.check(repaired);
    FuzzedView.check(repaired, 64);
  }

  /** Checks that both readers answer the same, and returns how many hashes they say are in. */
  static int assertSameAnswers(byte[] file, Instant now)
      throws IOException, ReferenceFrame.Refused {
    byte[] repaired = Bytes.repaired(file);
    ReferenceFilter reference = ReferenceFilter.read(repaired, now);
    HashedFilter<CharSequence> filter = Bytes.read(repaired, now);
    int in = 0;
    for (long hash : Keys.hashes(1, HASHES).toArray()) {
      assertThat(filter.mightContainHash(hash)).isEqualTo(reference.mightContain(hash));
      in += reference.mightContain(hash) ? 1 : 0;
    }
    return in;
  }
}
