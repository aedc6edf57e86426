package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import dev.tamis.interop.ForeignFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;

/** What must hold of a reader, whatever the bytes. */
final class FuzzedReader {

  /** The limit given, and 64 KiB of buffer for each of 65 frames, with a little for the rest. */
  private static final long MAX_ALLOCATED = Bytes.LIMIT + 70 * (64 << 10);

  /** So many keys that hardly a wrong position is right by accident, and few for a fuzzer. */
  private static final int ANSWERS = 50;

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  private FuzzedReader() {}

  /** Reads the bytes; both readers refuse them, or both answer the same and they come back. */
  static void check(byte[] bytes) {
    if (allocated(bytes) > MAX_ALLOCATED) { // or classes were loaded and instrumented meanwhile
      assertThat(allocated(bytes)).isLessThanOrEqualTo(MAX_ALLOCATED);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    Filter<CharSequence> filter;
    try {
      filter = Bytes.readAny(in, NOW);
    } catch (FormatException e) {
      assertThat(ReferenceFilter.isTaken(frame(bytes), NOW))
          .as("refused: %s", e.getMessage())
          .isFalse();
      return;
    } catch (IOException e) {
      throw new AssertionError("the bytes themselves cannot fail", e);
    }
    byte[] read = Arrays.copyOf(bytes, bytes.length - in.available());
    assertThat(written(filter)).isEqualTo(read);
    if (!(filter instanceof ForeignFilter)) { // those have another program for a reference
      checkAnswers((HashedFilter<CharSequence>) filter, read);
    }
    assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    assertThat(filter.approximateElementCount().low()).isNotNegative();
  }

  private static void checkAnswers(HashedFilter<CharSequence> filter, byte[] file) {
    try {
      ReferenceFilter reference = ReferenceFilter.read(file, NOW);
      assertThat(Keys.hashes(1, ANSWERS))
          .allMatch(hash -> filter.mightContainHash(hash) == reference.mightContain(hash));
    } catch (ReferenceFrame.Refused e) {
      throw new AssertionError("taken for a filter", e);
    }
  }

  private static long allocated(byte[] bytes) {
    long before = Allocation.bytes();
    try {
      Filter<CharSequence> unused = Bytes.readAny(new ByteArrayInputStream(bytes), NOW);
    } catch (IOException e) {
      return Allocation.bytes() - before;
    }
    return Allocation.bytes() - before;
  }

  private static byte[] written(Filter<CharSequence> filter) {
    try {
      return Bytes.of(filter);
    } catch (IOException e) {
      throw new AssertionError("an array in memory cannot fail", e);
    }
  }

  /** Returns the first frame, as far as its length can be believed. */
  private static byte[] frame(byte[] bytes) {
    int least = ReferenceFrame.HEADER + ReferenceFrame.TRAILER;
    if (bytes.length < least) {
      return bytes;
    }
    long claimed = ReferenceFrame.get(bytes, 16, 8);
    boolean fits = claimed >= 0 && claimed <= bytes.length - least;
    return fits ? Arrays.copyOf(bytes, least + (int) claimed) : bytes;
  }
}
