package dev.tamis.examples.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.examples.network.BroadcastRun.Renewal;
import dev.tamis.format.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulateNetworkTest {

  private static final long SEED = 5;

  @ParameterizedTest
  @EnumSource
  void loopsAreFoundAndAsManyPacketsWronglyDroppedAsTheorySays(Network.Kind kind) {
    LoopRun run = new LoopRun(kind.create(100, SEED), 5_000, SEED);
    LoopRun.Result limited = run.withHopLimit();
    LoopRun.Result list = run.withList();
    assertThat(limited.wasted()).isGreaterThan(limited.sent() / 5);
    assertThat(list.wasted()).isZero();
    assertThat(list.wronglyDropped()).isZero();
    assertThat(list.delivered()).isEqualTo(limited.delivered());
    for (int bits : new int[] {64, 128, 248}) {
      LoopRun.Result filter = run.withFilter(bits, 10);
      assertThat(filter.wasted()).isZero();
      assertThat(filter.guesses().falseMisses()).isZero();
      assertNear(filter.wronglyDropped(), filter.expected());
      assertThat(filter.delivered())
          .isBetween(list.delivered() - filter.wronglyDropped(), list.delivered());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAmpleWindowDropsAsTheorySaysAndAShortOneHandlesTwice(Network.Kind kind) {
    Network network = kind.create(60, SEED);
    BroadcastRun run = new BroadcastRun(network, 300, SEED);
    BroadcastRun.Result sets = run.withSets();
    assertThat(sets.handledTwice()).isZero();
    assertThat(sets.wronglyDropped()).isZero();
    assertThat(sets.unreached()).isZero();
    assertThat(run.sentWithoutSuppression() * 300).isGreaterThan(100.0 * sets.sent());
    BroadcastRun.Result ample = run.withWindow(100, 0.05, Renewal.FIRST_SEEN);
    assertThat(ample.handledTwice()).isZero();
    assertNear(ample.wronglyDropped(), ample.expected());
    BroadcastRun.Result exact = run.withWindow(100, 1e-9, Renewal.FIRST_SEEN);
    assertThat(exact.sent()).isEqualTo(sets.sent());
    assertThat(exact.guesses().trueHits()).isEqualTo(sets.wasted());
    assertThat(exact.guesses().falseHits() + exact.guesses().falseMisses()).isZero();
    assertThat(run.withWindow(7, 1e-9, Renewal.LAST_SEEN).handledTwice()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void filtersAnswerWhatFloodingAnswersUntilKeysMove(Network.Kind kind) throws FormatException {
    QueryRun run = new QueryRun(kind.create(80, SEED), 3, 300, 0.01, SEED);
    assertThat(run.exchange().updates()).isPositive();
    QueryRun.Result flood = run.run(QueryRun.Method.FLOOD);
    QueryRun.Result exact = run.run(QueryRun.Method.EXACT);
    QueryRun.Result filter = run.run(QueryRun.Method.FILTER);
    assertThat(exact.wasted()).isZero();
    assertThat(exact.answered()).isEqualTo(flood.answered());
    assertThat(filter.answered()).isEqualTo(flood.answered());
    assertThat(filter.wronglyMissed()).isZero();
    assertThat(filter.guesses().falseMisses()).isZero();
    assertThat(filter.sent()).isBetween(exact.sent(), flood.sent() / 4);
    assertThat(filter.guesses().trueHits()).isEqualTo(filter.sent() - filter.wasted());
    assertThat(filter.guesses().falseHits()).isEqualTo(filter.wasted());

    run.moveKeys(0.1);
    assertThat(run.run(QueryRun.Method.FILTER).guesses().falseMisses()).isPositive();
    assertThat(run.exchange().bytes()).isPositive();
    QueryRun.Result updated = run.run(QueryRun.Method.FILTER);
    assertThat(updated.guesses().falseMisses()).isZero();
    assertThat(updated.wronglyMissed()).isZero();
  }

  @Test
  void theSameSeedPrintsTheSameTables() throws IOException {
    String first = printed();
    assertThat(first)
        .contains("| graph | loops are found by |", "| small world | exact tables |", "| 0.1 |");
    assertThat(printed()).isEqualTo(first);
  }

  private static String printed() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SimulateNetwork(new PrintStream(out, true, UTF_8), 60, 1, SEED).run();
    return out.toString(UTF_8);
  }

  /** Five standard deviations of a Poisson variable, and some more for few events. */
  private static void assertNear(long found, double expected) {
    double slack = 5 * Math.sqrt(expected) + 3;
    assertThat((double) found).isBetween(expected - slack, expected + slack);
  }
}
