package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters of other programs are read here and ours there, and not one answer differs. */
class ExchangeTest {

  private static final long ASKED = 100_000;

  static Stream<Arguments> exchanges() {
    return Exchange.all()
        .flatMap(
            exchange ->
                Stream.of(
                    Arguments.of(exchange, 1L, 0.1),
                    Arguments.of(exchange, 1_000L, 1e-5),
                    Arguments.of(exchange, 20_000L, 0.03)));
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  <T> void whatIsMadeThereIsReadHere(Exchange<T> exchange, long keys, double fpp) {
    Other<T> there = exchange.there().create(keys, fpp);
    fill(exchange, there, keys);

    ForeignFilter<T> here = exchange.readHere(there.bytes());

    assertThat(here.toForeignBytes()).isEqualTo(there.bytes());
    assertThat(here.foreignSize()).isEqualTo(there.bytes().length);
    assertAgreement(exchange, here, there, keys);
    if (!Double.isNaN(there.expectedFpp())) {
      assertThat(here.expectedFpp()).isCloseTo(there.expectedFpp(), withinPercentage(0.1));
    }
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  <T> void whatIsMadeHereIsReadThere(Exchange<T> exchange, long keys, double fpp) {
    ForeignFilter<T> here = exchange.here().create(keys, fpp);
    Other<T> there = exchange.there().create(keys, fpp);
    for (long number = 0; number < keys; number++) {
      here.put(exchange.key().apply(number));
    }
    fill(exchange, there, keys);

    assertThat(here.toForeignBytes()).isEqualTo(there.bytes());
    assertAgreement(exchange, here, exchange.readThere().apply(here.toForeignBytes()), keys);
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.interop.Exchange#all")
  <T> void aPutIsNewHereWhereItIsNewThere(Exchange<T> exchange) {
    ForeignFilter<T> here = exchange.here().create(100, 0.3);
    Other<T> there = exchange.there().create(100, 0.3);
    for (long number = 0; number < 1_000; number++) {
      T key = exchange.key().apply(number % 600);
      assertThat(here.put(key)).isEqualTo(there.put(key));
    }
    assertThat(here.toForeignBytes()).isEqualTo(there.bytes());
  }

  /** Each size by the other program's own arithmetic, also where it rounds. */
  @ParameterizedTest
  @MethodSource("dev.tamis.interop.Exchange#all")
  <T> void sizesAreThoseOfTheOtherProgram(Exchange<T> exchange) {
    for (long keys : new long[] {2, 3, 10, 27, 100, 512, 1_000, 4_095, 33_333, 250_000}) {
      for (double fpp : new double[] {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-9}) {
        assertThat(exchange.here().create(keys, fpp).toForeignBytes())
            .as("%d keys at %s", keys, fpp)
            .isEqualTo(exchange.there().create(keys, fpp).bytes());
      }
    }
  }

  private static <T> void fill(Exchange<T> exchange, Other<T> there, long keys) {
    for (long number = 0; number < keys; number++) {
      there.put(exchange.key().apply(number));
    }
  }

  /** Asks both for the keys that are in and for others, {@link #ASKED} in all. */
  private static <T> void assertAgreement(
      Exchange<T> exchange, ForeignFilter<T> here, Other<T> there, long keys) {
    long disagreements = 0;
    long denied = 0;
    for (long number = 0; number < ASKED; number++) {
      T key = exchange.key().apply(number);
      boolean answer = here.mightContain(key);
      disagreements += answer == there.ask(key) ? 0 : 1;
      denied += number < keys && !answer ? 1 : 0;
    }
    assertThat(disagreements).isZero();
    assertThat(denied).isZero();
  }
}
