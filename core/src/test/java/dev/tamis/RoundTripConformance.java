package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of a filter that is written and read back: it answers as it did.
 *
 * @param <F> the type of filter
 */
public abstract class RoundTripConformance<F extends HashedFilter<Long> & Storable>
    extends StorableConformance<F> {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000, 3_000, 100_000})
  void whatIsReadAnswersAsWhatWasWritten(int keys) throws IOException {
    F written = filled(1_000, keys);

    F read = readAll(bytesOf(written));

    assertThat(read.hashOf(7L)).isEqualTo(written.hashOf(7L));
    assertThat(read.expectedFpp()).isEqualTo(written.expectedFpp());
    assertThat(read.approximateElementCount()).isEqualTo(written.approximateElementCount());
    assertThat(Keys.hashes(1, keys).allMatch(read::mightContainHash)).isTrue();
    assertThat(Keys.hashes(2, 10_000).map(hash -> read.mightContainHash(hash) ? 1 : 0))
        .isEqualTo(
            Keys.hashes(2, 10_000)
                .map(hash -> written.mightContainHash(hash) ? 1 : 0)
                .boxed()
                .toList());
  }

  @Test
  void largeFiltersComeBackToo() throws IOException {
    F written = filled(1_000_000, 100_000);
    assertThat(readAll(bytesOf(written))).isEqualTo(written);
  }
}
