package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.PathFilter.Delivery;
import dev.tamis.tools.network.PathFilter.Visit;
import dev.tamis.tools.network.PathShape.Odds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathFilterTest {

  @Test
  void aNodeSeesThePacketAgain() {
    PathFilter<Long> path = builder(248).hops(8).build();
    byte[] carried = path.empty(0);
    for (long node = 1; node <= 5; node++) {
      assertThat(path.visit(carried, node)).isEqualTo(Visit.FIRST_VISIT);
    }
    byte[] before = carried.clone();
    for (long node = 1; node <= 5; node++) {
      assertThat(path.visit(carried, node)).isEqualTo(Visit.POSSIBLE_LOOP);
    }
    assertThat(carried).isEqualTo(before);
  }

  @Test
  void noLoopIsEverMissedOnRandomWalks() {
    PathFilter<Long> path = builder(248).hops(16).build();
    SplittableRandom random = new SplittableRandom(1);
    for (int walk = 0; walk < 2_000; walk++) {
      byte[] carried = path.empty(0);
      Set<Long> visited = new HashSet<>();
      Visit answer = Visit.FIRST_VISIT;
      for (int hop = 0; hop < 30 && answer == Visit.FIRST_VISIT; hop++) {
        long node = random.nextLong(50);
        answer = path.visit(carried, node);
        path.confirm(answer, !visited.add(node));
      }
    }
    assertThat(path.guesses().falseMisses()).isZero();
    assertThat(path.guesses().trueHits()).isGreaterThan(1_500);
  }

  @ParameterizedTest
  @CsvSource({"64, 1, 8", "64, 2, 8", "128, 3, 12", "248, 4, 20", "248, 8, 14", "1024, 8, 60"})
  void falseLoopsAndTooLongPathsAreAsManyAsTheFormulaSays(int bits, int hashes, int hops) {
    PathFilter<Long> path = builder(bits).hashes(hashes).build();
    int paths = 20_000;
    int loops = 0;
    int tooLong = 0;
    long node = 0;
    for (int i = 0; i < paths; i++) {
      byte[] carried = path.empty(0);
      Visit answer = Visit.FIRST_VISIT;
      for (int hop = 0; hop < hops && answer == Visit.FIRST_VISIT; hop++) {
        answer = path.visit(carried, node++); // each node once: every loop is a false one
      }
      loops += answer == Visit.POSSIBLE_LOOP ? 1 : 0;
      tooLong += answer == Visit.TOO_LONG ? 1 : 0;
    }
    Odds odds = path.odds(hops);
    assertBinomial(loops, paths, odds.falseLoop());
    assertBinomial(tooLong, paths, odds.tooLong());
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 72, 248, 1024})
  void aFilterWithAllBitsSetIsRefused(int bits) {
    PathFilter<Long> path = builder(bits).hashes(4).build();
    byte[] carried = path.empty(0);
    Arrays.fill(carried, 1, carried.length, (byte) 0xFF);
    byte[] before = carried.clone();
    assertThat(path.visit(carried, 1L)).isEqualTo(Visit.OVERFULL);
    assertThat(path.look(carried, 1L)).isEqualTo(Delivery.OVERFULL);
    assertThat(path.expectedFpp(carried)).isEqualTo(1);
    assertThat(carried).isEqualTo(before);
  }

  @Test
  void theLimitOfTheFillIsExact() {
    PathFilter<Long> path = builder(64).hashes(4).maxFill(0.5).build();
    assertThat(path.visit(withOnes(path, 31), 1L)).isNotEqualTo(Visit.OVERFULL);
    assertThat(path.visit(withOnes(path, 32), 1L)).isNotEqualTo(Visit.OVERFULL);
    assertThat(path.visit(withOnes(path, 33), 1L)).isEqualTo(Visit.OVERFULL);
    assertThat(path.look(withOnes(path, 32), 1L)).isNotEqualTo(Delivery.OVERFULL);
    assertThat(path.look(withOnes(path, 33), 1L)).isEqualTo(Delivery.OVERFULL);
  }

  @Test
  void markingNeverFillsAPacketSoThatTheNextNodeRefusesIt() {
    PathFilter<Long> path = builder(64).hashes(5).build();
    for (long first = 0; first < 1_000; first++) {
      byte[] carried = path.empty(0);
      long node = first * 100;
      Visit answer = path.visit(carried, node);
      while (answer == Visit.FIRST_VISIT) {
        answer = path.visit(carried, ++node);
      }
      assertThat(answer).isIn(Visit.TOO_LONG, Visit.POSSIBLE_LOOP);
    }
  }

  @Test
  void wrongLengthsAndTablesAreRefused() {
    PathFilter<Long> path = builder(64).hashes(4).tables(3).build();
    for (int length : new int[] {0, 1, 8, 10, 1_000}) {
      assertThat(path.visit(new byte[length], 1L)).isEqualTo(Visit.MALFORMED);
      assertThat(path.look(new byte[length], 1L)).isEqualTo(Delivery.MALFORMED);
      assertThat(path.expectedFpp(new byte[length])).isEqualTo(1);
    }
    for (int table : new int[] {3, 127, 128, 255}) {
      byte[] carried = path.empty(0);
      carried[0] = (byte) table;
      assertThat(path.visit(carried, 1L)).isEqualTo(Visit.MALFORMED);
    }
    assertThat(path.visit(path.empty(2), 1L)).isEqualTo(Visit.FIRST_VISIT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> path.empty(3))
        .withMessage("table must be 0 to 2, got 3");
  }

  @Test
  void aBufferIsReadFromItsPositionAndStaysThere() {
    PathFilter<Long> path = builder(64).hashes(4).build();
    byte[] packet = new byte[40];
    ByteBuffer carried = ByteBuffer.wrap(packet, 20, path.carriedBytes());
    assertThat(path.visit(carried, 1L)).isEqualTo(Visit.FIRST_VISIT);
    assertThat(carried.position()).isEqualTo(20);
    byte[] alone = path.empty(0);
    path.visit(alone, 1L);
    assertThat(Arrays.copyOfRange(packet, 20, 29)).isEqualTo(alone);
    assertThat(Arrays.copyOf(packet, 20)).containsOnly(0);
    assertThat(Arrays.copyOfRange(packet, 29, 40)).containsOnly(0);
  }

  @Test
  void theBytesStayAsTheyAre() {
    PathFilter<Long> path = builder(64).hashes(4).tables(2).build();
    byte[] first = path.empty(0);
    path.visit(first, 1L);
    byte[] second = path.encode(List.of(1L, 2L, 3L)).orElseThrow();
    assertThat(HexFormat.of().formatHex(first)).isEqualTo("000002080800000800");
    assertThat(HexFormat.of().formatHex(second)).isEqualTo("010006008818020809");
  }

  @Test
  void everyTableMarksOtherBits() {
    PathFilter<Long> path = builder(248).hashes(5).tables(64).build();
    Set<String> marks = new HashSet<>();
    for (int table = 0; table < 64; table++) {
      byte[] carried = path.empty(table);
      path.visit(carried, 1L);
      marks.add(HexFormat.of().formatHex(carried, 1, carried.length));
    }
    assertThat(marks).hasSize(64);
  }

  @Test
  void theSenderTakesTheEmptiestOfTheTables() {
    PathFilter<Long> path = builder(248).hashes(5).tables(8).build();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 200; i++) {
      List<Long> links = random.longs(20).boxed().toList();
      int emptiest = Integer.MAX_VALUE;
      for (int table = 0; table < 8; table++) {
        byte[] carried = path.empty(table);
        links.forEach(link -> path.visit(carried, link));
        emptiest = Math.min(emptiest, ones(carried));
      }
      byte[] chosen = path.encode(links).orElseThrow();
      assertThat(ones(chosen)).isEqualTo(emptiest);
      assertThat(links).allMatch(link -> path.look(chosen, link) == Delivery.FORWARD);
    }
  }

  @Test
  void moreTablesWasteFewerPacketsAndAsManyAsTheFillSays() {
    double one = wasted(1);
    double eight = wasted(8);
    assertThat(eight).isLessThan(0.8 * one);
  }

  /** Returns the share of links beside the path that a packet is wasted on. */
  private static double wasted(int tables) {
    PathFilter<Long> path = builder(248).hashes(5).tables(tables).build();
    SplittableRandom random = new SplittableRandom(3);
    double expected = 0;
    int looks = 0;
    for (int i = 0; i < 1_000; i++) {
      byte[] carried = path.encode(random.longs(24).boxed().toList()).orElseThrow();
      for (int j = 0; j < 200; j++) {
        path.confirm(path.look(carried, random.nextLong()), false);
        expected += path.expectedFpp(carried);
        looks++;
      }
    }
    long measured = path.guesses().falseHits();
    assertBinomial(measured, looks, expected / looks);
    return (double) measured / looks;
  }

  @Test
  void linksToAvoidDecideWhichTableIsTaken() {
    PathFilter<Long> path = builder(64).hashes(2).tables(16).build();
    List<Long> avoid = LongStream.range(1_000, 1_040).boxed().toList();
    SplittableRandom random = new SplittableRandom(4);
    long without = 0;
    long with = 0;
    for (int i = 0; i < 300; i++) {
      List<Long> links = random.longs(8).boxed().toList();
      byte[] emptiest = path.encode(links).orElseThrow();
      byte[] avoiding = path.encode(links, avoid).orElseThrow();
      assertThat(links).allMatch(link -> path.look(avoiding, link) == Delivery.FORWARD);
      without += avoid.stream().filter(l -> path.look(emptiest, l) == Delivery.FORWARD).count();
      with += avoid.stream().filter(l -> path.look(avoiding, l) == Delivery.FORWARD).count();
    }
    assertThat(with).isLessThan(without / 2);
  }

  @Test
  void aTreeThatIsTooLargeIsNotEncoded() {
    PathFilter<Long> path = builder(64).hashes(4).tables(4).build();
    assertThat(path.encode(LongStream.range(0, 100).boxed().toList())).isEmpty();
    assertThat(path.encode(List.of())).isPresent();
  }

  @Test
  void aPacketThatWasLostIsNotLostAgainInAnotherTable() {
    PathFilter<Long> path = builder(64).hashes(2).tables(8).build();
    int lost = 0;
    int lostThrice = 0;
    for (long first = 0; first < 40_000; first += 8) {
      boolean[] arrives = new boolean[3];
      for (int table = 0; table < 3; table++) {
        byte[] carried = path.empty(table);
        long start = first;
        arrives[table] =
            LongStream.range(start, start + 8)
                .allMatch(node -> path.visit(carried, node) == Visit.FIRST_VISIT);
      }
      lost += arrives[0] ? 0 : 1;
      lostThrice += arrives[0] || arrives[1] || arrives[2] ? 0 : 1;
    }
    double odds = path.odds(8).dropped();
    assertBinomial(lost, 5_000, odds);
    assertBinomial(lostThrice, 5_000, Math.pow(odds, 3));
  }

  @Test
  void aSecretKeyMakesOtherMarks() {
    PathFilter<Long> known = builder(248).hashes(5).build();
    PathFilter<Long> secret =
        PathFilter.<Long>builder(KeyHasher.longs().keyedBy(HashKey.of(new byte[16])))
            .bits(248)
            .hashes(5)
            .build();
    byte[] forged = known.encode(List.of(1L)).orElseThrow();
    assertThat(known.look(forged, 1L)).isEqualTo(Delivery.FORWARD);
    assertThat(secret.look(forged, 1L)).isEqualTo(Delivery.NOT_HERE);
    assertThat(secret.look(secret.encode(List.of(1L)).orElseThrow(), 1L))
        .isEqualTo(Delivery.FORWARD);
  }

  @Test
  void onlyGuessesAreConfirmed() {
    PathFilter<Long> path = builder(64).hashes(4).build();
    for (Visit answer : Visit.values()) {
      path.confirm(answer, true);
    }
    assertThat(path.guesses()).isEqualTo(new GuessTable(1, 0, 0, 1));
    for (Delivery answer : Delivery.values()) {
      path.confirm(answer, false);
    }
    assertThat(path.guesses()).isEqualTo(new GuessTable(1, 1, 1, 1));
  }

  @Test
  void refusesSettingsThatAreWrongOrTooFew() {
    assertThatIllegalArgumentException().isThrownBy(() -> builder(60));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).hops(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).hashes(17));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).tables(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).tables(65));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).maxFill(1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder(64).maxFill(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(64).hashes(4).maxFill(0.05).build())
        .withMessageContaining("got 3");
    assertThatIllegalStateException().isThrownBy(() -> builder(64).build());
    assertThatIllegalStateException().isThrownBy(() -> builder(64).hops(4).hashes(4).build());
    assertThatIllegalStateException()
        .isThrownBy(() -> PathFilter.<Long>builder(KeyHasher.longs()).hops(4).build())
        .withMessage("need the bits");
  }

  /** Five standard deviations, and a few for what is too rare to have any. */
  private static void assertBinomial(long found, int trials, double chance) {
    double expected = trials * chance;
    double slack = 5 * Math.sqrt(expected * (1 - chance)) + 3;
    assertThat((double) found).isBetween(expected - slack, expected + slack);
  }

  private static byte[] withOnes(PathFilter<Long> path, int ones) {
    byte[] carried = path.empty(0);
    for (int bit = 0; bit < ones; bit++) {
      carried[1 + bit / 8] |= (byte) (1 << bit % 8);
    }
    return carried;
  }

  private static int ones(byte[] carried) {
    int ones = 0;
    for (int i = 1; i < carried.length; i++) {
      ones += Integer.bitCount(Byte.toUnsignedInt(carried[i]));
    }
    return ones;
  }

  private static PathFilterBuilder<Long> builder(int bits) {
    return PathFilter.<Long>builder(KeyHasher.longs()).bits(bits);
  }
}
