package dev.tamis.tools.digest;

import static dev.tamis.tools.digest.CachedMethod.GET;
import static dev.tamis.tools.digest.CachedMethod.HEAD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheDigestTest {

  private static final String URL = "http://example.com/";

  /*
   * The places of four keys in 640 bits, by another MD5:
   *
   * python3 -c "
   * import hashlib, struct
   * for m, u in ((1, 'http://example.com/'), (4, 'http://example.com/'),
   *              (1, 'http://example.com/' + 'a' * 300), (1, '')):
   *   print([w % 640 for w in struct.unpack('>4I', hashlib.md5(bytes([m]) + u.encode()).digest())])"
   *
   * Most of the words are over 2^31, so a signed remainder would be another.
   */
  private static final int[] GET_PLACES = {259, 287, 370, 451};
  private static final int[] HEAD_PLACES = {431, 597, 30, 530};
  private static final int[] LONG_PLACES = {415, 162, 345, 341};
  private static final int[] EMPTY_PLACES = {392, 137, 294, 577};

  @TempDir private Path directory;

  @Test
  void theBitsOfAKeyAreWhereAnotherMd5SaysTheyAre() throws IOException {
    assertThat(onesAfter(GET, URL)).containsExactlyInAnyOrder(GET_PLACES);
    assertThat(onesAfter(HEAD, URL)).containsExactlyInAnyOrder(HEAD_PLACES);
    assertThat(onesAfter(GET, URL + "a".repeat(300))).containsExactlyInAnyOrder(LONG_PLACES);
    assertThat(onesAfter(GET, "")).containsExactlyInAnyOrder(EMPTY_PLACES);
  }

  private static int[] onesAfter(CachedMethod method, String url) throws IOException {
    CacheDigest digest = CacheDigest.create(DigestSize.ofEntries(128));
    assertThat(digest.put(method, url)).isTrue();
    byte[] bytes = Digests.bytes(digest);
    assertThat(bytes).hasSize(128 + 80);
    return IntStream.range(0, 640)
        .filter(i -> (bytes[128 + (i >> 3)] >> (i & 7) & 1) == 1)
        .toArray();
  }

  @Test
  void theHeaderIsThatOfSquid() throws IOException {
    CacheDigest digest = CacheDigest.create(new DigestSize(0x10203, 16));
    digest.put(GET, URL);
    digest.put(GET, URL);
    assertThat(Arrays.copyOf(Digests.bytes(digest), 128))
        .isEqualTo(
            Arrays.copyOf(
                new byte[] {0, 5, 0, 3, 0, 1, 2, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 4, 6, 16, 4},
                128));
  }

  @Test
  void aDigestOfASquidHasTheUrlsThatWereCachedAndGivesItsBytesBack() throws IOException {
    // by Squid 5.7 of Debian, after these 300 pages were got through it
    Path golden = Digests.golden();
    CacheDigest digest = CacheDigest.load(golden);
    for (int i = 1; i <= 300; i++) {
      String url = "http://127.0.0.1:18080/page/" + i + "?q=" + 7 * i;
      assertThat(digest.mightContain(GET, url)).as(url).isTrue();
    }
    assertThat(digest.size()).isEqualTo(new DigestSize(352, 5));
    assertThat(digest.version()).isEqualTo(5);
    assertThat(digest.requiredVersion()).isEqualTo(3);
    assertThat(digest.count()).isEqualTo(351); // 51 icons of its own
    assertThat(digest.deleted()).isZero();
    assertThat(digest.setBits()).isEqualTo(953);
    assertThat(digest.approximateElementCount().low()).isBetween(310.0, 351.0);
    assertThat(digest.approximateElementCount().high()).isBetween(351.0, 380.0);
    Path copy = directory.resolve("copy");
    digest.save(copy);
    assertThat(copy).hasSameBinaryContentAs(golden);
    assertThat(digest.serializedSize()).isEqualTo(Files.size(golden));
  }

  @Test
  void whatWasPutIsThereAndMethodsAreApart() {
    CacheDigest digest = CacheDigest.create(DigestSize.ofEntries(10_000));
    for (int i = 0; i < 10_000; i++) {
      digest.put(i % 2 == 0 ? GET : HEAD, URL + i);
    }
    int other = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(digest.mightContain(i % 2 == 0 ? GET : HEAD, URL + i)).isTrue();
      other += digest.mightContain(i % 2 == 0 ? HEAD : GET, URL + i) ? 1 : 0;
    }
    assertThat(other).isLessThan(2_000); // 9 %, not all
    assertThat(digest.count()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @CsvSource({"4, 0.16", "5, 0.092", "8, 0.024", "16, 0.00239"})
  void theMeasuredFppIsTheFillingToTheFourth(int bitsPerEntry, double known) {
    CacheDigest digest = CacheDigest.create(new DigestSize(20_000, bitsPerEntry));
    for (int i = 0; i < 20_000; i++) {
      digest.put(GET, URL + i);
    }
    int asked = 100_000;
    int found = 0;
    for (int i = 0; i < asked; i++) {
      found += digest.mightContain(GET, "http://absent.example/" + i) ? 1 : 0;
    }
    double fpp = digest.expectedFpp();
    assertThat(fpp).isCloseTo(known, within(0.02 * known));
    assertThat(fpp).isEqualTo(Math.pow(digest.filling(), 4));
    double deviations = 5 * Math.sqrt(fpp * (1 - fpp) / asked);
    assertThat((double) found / asked).isCloseTo(fpp, within(deviations));
  }

  @Test
  void bytesThatAreNotAsciiAreOneKeyAsTextAndAsBytes() {
    CacheDigest digest = CacheDigest.create(DigestSize.ofEntries(1000));
    ByteBuffer url = ByteBuffer.wrap("xhttp://h/é".getBytes(UTF_8)).position(1);
    assertThat(digest.put(GET, url)).isTrue();
    assertThat(url.position()).isEqualTo(1);
    assertThat(digest.put(GET, "http://h/é")).isFalse();
    assertThat(digest.mightContain(GET, "http://h/é")).isTrue();
    assertThat(digest.mightContain(GET, ByteBuffer.wrap("http://h/é".getBytes(ISO_8859_1))))
        .isFalse();
  }

  @Test
  void anEmptyDigestHasNothingAndAFullOneEverything() throws IOException {
    CacheDigest empty = CacheDigest.create(DigestSize.ofEntries(100));
    assertThat(empty.mightContain(GET, URL)).isFalse();
    assertThat(empty.expectedFpp()).isZero();
    assertThat(empty.isOverfull()).isFalse();
    assertThat(empty.approximateElementCount().rounded()).isZero();

    byte[] bytes = Digests.bytes(empty);
    Arrays.fill(bytes, 128, bytes.length, (byte) -1);
    CacheDigest full = Digests.read(bytes);
    assertThat(full.mightContain(GET, URL)).isTrue();
    assertThat(full.put(GET, URL)).isFalse();
    assertThat(full.expectedFpp()).isEqualTo(1);
    assertThat(full.isOverfull()).isTrue();
    assertThat(full.approximateElementCount().isBounded()).isFalse();
  }

  @Test
  void aDigestIsOverfullWhereSquidDropsIt() throws IOException {
    byte[] bytes = Digests.bytes(CacheDigest.create(DigestSize.ofEntries(160))); // 100 bytes
    Arrays.fill(bytes, 128, 128 + 65, (byte) -1);
    assertThat(Digests.read(bytes).isOverfull()).isFalse();
    bytes[bytes.length - 1] = 1;
    assertThat(Digests.read(bytes).isOverfull()).isTrue();
  }

  @Test
  void aDigestOfAFewBitsSaysAtLeastHowManyThereAre() {
    CacheDigest tiny = CacheDigest.create(DigestSize.ofEntries(1));
    assertThat(tiny.size().bits()).isEqualTo(8);
    tiny.put(GET, URL);
    assertThat(tiny.mightContain(GET, URL)).isTrue();
    Estimate keys = tiny.approximateElementCount();
    assertThat(keys.low()).isEqualTo(1);
    assertThat(keys.isBounded()).isFalse();
    CacheDigest larger = CacheDigest.create(DigestSize.ofEntries(12)); // 64 bits
    larger.put(GET, URL);
    assertThat(larger.approximateElementCount().isBounded()).isTrue();
  }

  @Test
  void aCountStaysWhereAnIntEnds() throws IOException {
    byte[] bytes = Digests.bytes(CacheDigest.create(DigestSize.ofEntries(100)));
    ByteBuffer.wrap(bytes).putInt(8, Integer.MAX_VALUE - 1);
    CacheDigest digest = Digests.read(bytes);
    digest.put(GET, URL);
    assertThat(digest.count()).isEqualTo(Integer.MAX_VALUE);
    digest.put(GET, URL);
    assertThat(digest.count()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aSizeHasTheLimitsOfSquid() {
    assertThat(DigestSize.ofEntries(429_496_727).maskBytes()).isEqualTo(268_435_455);
    assertThat(new DigestSize(2_147_483_639, 1).bits()).isEqualTo(2_147_483_640);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DigestSize.ofEntries(429_496_728))
        .withMessage("capacity must be 1 to 429496727 with 5 bits for each entry, got 429496728");
    assertThatIllegalArgumentException().isThrownBy(() -> DigestSize.ofEntries(0));
    for (int bits : new int[] {0, 256, -1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new DigestSize(10, bits))
          .withMessage("bitsPerEntry must be 1 to 255, got " + bits);
    }
    assertThat(new DigestSize(10, 255).maskBytes()).isEqualTo(319);
    assertThat(new DigestSize(8, 1).maskBytes()).isEqualTo(1);
    assertThat(new DigestSize(9, 1).maskBytes()).isEqualTo(2);
  }

  @Test
  void aFileThatIsMissingOrNoDigestIsNamed() throws IOException {
    Path file = directory.resolve("a.digest");
    assertThatThrownBy(() -> CacheDigest.load(file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(file.toString());
    Files.writeString(file, "<html>not found</html>".repeat(20));
    assertThatThrownBy(() -> CacheDigest.load(file))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(
            file
                + String.format(
                    Locale.ROOT,
                    ": not a valid cache digest: required version at byte 2: expected 0 to 5, got"
                        + " %d",
                    ('t' << 8) + 'm'));
  }
}
