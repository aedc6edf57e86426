package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The attack of Gerbet, Kumar and Lauradoux: keys chosen so that each sets fresh bits only. An
 * attacker who knows the hash function chooses them against a copy of the filter; with a secret key
 * the choice is blind.
 *
 * @see <a href="https://doi.org/10.1109/DSN.2015.21">Gerbet, Kumar, Lauradoux 2015, The power of
 *     evil choices in Bloom filters</a>
 */
class PollutionAttackTest {

  private static final int KEYS = 1_000;
  private static final double FPP = 0.01;

  private static final KeyHasher<CharSequence> PUBLIC = KeyHasher.text();
  private static final KeyHasher<CharSequence> SECRET = PUBLIC.keyedBy(Keys.secret(1));
  private static final KeyHasher<CharSequence> GUESSED = PUBLIC.keyedBy(Keys.secret(2));

  private static BloomFilter<CharSequence> empty(KeyHasher<CharSequence> hasher, Layout layout) {
    return BloomFilter.<CharSequence>builder(hasher)
        .layout(layout)
        .hashes(7)
        .expectedKeys(KEYS)
        .fpp(FPP)
        .build();
  }

  @Test
  void chosenKeysMakeAPublicFilterLieElevenTimesAsOften() {
    List<String> chosen = new Attacker(PUBLIC, Layout.CLASSIC).keysOfFreshBits(KEYS);
    BloomFilter<CharSequence> filter = empty(PUBLIC, Layout.CLASSIC);
    chosen.forEach(filter::put);

    int hashes = filter.shape().hashes();
    double polluted = Math.pow((double) KEYS * hashes / filter.bitSize(), hashes);
    assertThat(polluted).isBetween(0.10, 0.12);
    assertThat(filter.expectedFpp()).isCloseTo(polluted, within(1e-12));
    assertThat(measuredFpp(filter)).isBetween(0.9 * polluted, 1.1 * polluted);
    // the count gives it away: honest keys share bits, so these look like nearly twice as many
    assertThat(filter.approximateElementCount().low()).isGreaterThan(1.7 * KEYS);
  }

  /** The fpp that a thousand keys give varies by 4 % with the hash function. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chosenKeysAreAsGoodAsHonestOnesWhereTheKeyIsSecret(boolean honest) {
    List<String> keys =
        honest
            ? IntStream.range(0, KEYS).mapToObj(i -> "honest-" + i).toList()
            : new Attacker(GUESSED, Layout.CLASSIC).keysOfFreshBits(KEYS);
    BloomFilter<CharSequence> filter = empty(SECRET, Layout.CLASSIC);
    keys.forEach(filter::put);

    assertThat(filter.expectedFpp()).isBetween(0.84 * FPP, 1.16 * FPP);
    // 1,000 of 100,000 give or take 32, on top of that
    assertThat(measuredFpp(filter)).isBetween(0.007, 0.013);
  }

  @Test
  void aFewDozenChosenKeysFillALineOfAPublicFilter() {
    List<String> chosen = new Attacker(PUBLIC, Layout.LINE).keysOfOneLine(100);
    BloomFilter<CharSequence> filter = empty(PUBLIC, Layout.LINE);

    chosen.subList(0, 75).forEach(filter::put);
    assertThat(onesOfLine(filter, 0)).isGreaterThan(512 * 9 / 10);
    chosen.subList(75, 100).forEach(filter::put);
    assertThat(onesOfLine(filter, 0)).isGreaterThan(508);

    // nothing is elsewhere, and whatever falls on that line looks present
    assertThat(filter.fillState().setBits()).isEqualTo(onesOfLine(filter, 0));
    assertThat(measuredFpp(filter) * lines(filter)).isBetween(0.9, 1.1);
  }

  @Test
  void theyAreScatteredWhereTheKeyIsSecret() {
    List<String> chosen = new Attacker(GUESSED, Layout.LINE).keysOfOneLine(100);
    BloomFilter<CharSequence> filter = empty(SECRET, Layout.LINE);
    chosen.forEach(filter::put);

    assertThat(IntStream.range(0, lines(filter)))
        .allMatch(line -> onesOfLine(filter, line) < 512 / 4);
    assertThat(measuredFpp(filter)).isLessThan(0.0001);
  }

  private static int lines(BloomFilter<CharSequence> filter) {
    return (int) (filter.bitSize() / 512);
  }

  /** Returns the share of 100,000 keys never put that look present. */
  private static double measuredFpp(BloomFilter<CharSequence> filter) {
    long present =
        IntStream.range(0, 100_000).filter(i -> filter.mightContain("absent-" + i)).count();
    return present / 100_000.0;
  }

  private static int onesOfLine(BloomFilter<CharSequence> filter, int line) {
    return IntStream.range(8 * line, 8 * line + 8)
        .map(word -> Long.bitCount(filter.words().get(word)))
        .sum();
  }

  /** Tries candidates on filters of his own, which have the shape of the one under attack. */
  private static final class Attacker {

    private final BloomFilter<CharSequence> copy;
    private final BloomFilter<CharSequence> scratch;
    private int candidates;

    Attacker(KeyHasher<CharSequence> hasher, Layout layout) {
      this.copy = empty(hasher, layout);
      this.scratch = empty(hasher, layout);
    }

    List<String> keysOfFreshBits(int count) {
      List<String> keys = new ArrayList<>();
      while (keys.size() < count) {
        String candidate = nextCandidate();
        if (freshBits() == copy.shape().hashes()) {
          copy.put(candidate);
          keys.add(candidate);
        }
      }
      return keys;
    }

    /** Returns {@code count} keys, each the best of 500 candidates for line 0. */
    List<String> keysOfOneLine(int count) {
      List<String> keys = new ArrayList<>();
      while (keys.size() < count) {
        String best = "";
        int most = -1;
        for (int i = 0; i < 500; i++) {
          String candidate = nextCandidateOfLineZero();
          if (freshBits() > most) {
            most = freshBits();
            best = candidate;
          }
        }
        copy.put(best);
        keys.add(best);
      }
      return keys;
    }

    private String nextCandidateOfLineZero() {
      long end = Long.divideUnsigned(-1, lines(copy)); // line 0 is that of small hashes
      String candidate = "candidate-" + candidates++;
      while (Long.compareUnsigned(copy.hashOf(candidate), end) >= 0) {
        candidate = "candidate-" + candidates++;
      }
      return onScratch(candidate);
    }

    private String nextCandidate() {
      return onScratch("candidate-" + candidates++);
    }

    private String onScratch(String candidate) {
      scratch.clear();
      scratch.put(candidate);
      return candidate;
    }

    private int freshBits() {
      int fresh = 0;
      for (long i = 0; i < scratch.words().count(); i++) {
        fresh += Long.bitCount(scratch.words().get(i) & ~copy.words().get(i));
      }
      return fresh;
    }
  }
}
