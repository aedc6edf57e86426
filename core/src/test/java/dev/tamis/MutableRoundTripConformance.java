package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The promises of a filter that is read back and goes on taking keys.
 *
 * @param <F> the type of filter
 */
public abstract class MutableRoundTripConformance<
        F extends HashedMutableFilter<Long> & DropAware & Storable>
    extends RoundTripConformance<F> {

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract F create(long expectedKeys, double fpp);

  @Override
  protected final F filled(long expectedKeys, int keys) {
    F filter = create(expectedKeys, 0.01);
    Keys.hashes(1, keys).forEach(filter::putHash);
    return filter;
  }

  @Test
  void whatIsReadTakesMoreKeys() throws IOException {
    F read = readAll(bytesOf(filled(1_000, 800)));
    long before = read.acceptedKeys();

    long taken = Keys.hashes(3, 3_000).filter(read::putHash).count();

    assertThat(read.acceptedKeys() - before).isEqualTo(taken).isGreaterThan(1_000);
    assertThat(Keys.hashes(1, 800).allMatch(read::mightContainHash)).isTrue();
    assertThat(Keys.hashes(3, 3_000).allMatch(read::mightContainHash)).isTrue();
    assertThat(readAll(bytesOf(read))).isEqualTo(read);
  }

  @Test
  void theKeysThatCameWithTheBytesAreCounted() throws IOException {
    F read = readAll(bytesOf(filled(1_000, 1_000)));
    assertThat((double) read.acceptedKeys()).isBetween(950.0, 1_050.0);
    assertThat(read.expectedWrongDrops()).isZero();
  }
}
