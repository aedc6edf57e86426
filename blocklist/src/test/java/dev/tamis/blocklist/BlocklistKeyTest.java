package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Block lists whose hash has a secret key. */
class BlocklistKeyTest {

  private static final int ENTRIES = 1_000;
  private static final double FPP = 0.01;
  private static final int QUERIES = 1_000;

  private static final byte[] SECRET = HexFormat.of().parseHex("00112233445566778899aabbccddeeff");
  private static final HashKey KEY = HashKey.of(SECRET);
  private static final HashKey OTHER = HashKey.of(new byte[HashKey.BYTES]);

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void nameTheFile() {
    path = directory.resolve("file.block");
  }

  /**
   * An attacker with the entries, or the file, tries queries on a copy of the list: those blocked by
   * mistake there are blocked by mistake everywhere, unless the key is secret.
   */
  @Test
  void chosenQueriesAreFalsePositivesOfAPublicListOnly() throws IOException {
    List<String> chosen = falsePositives(filled(Blocklist.builder()), QUERIES);
    assertThat(blocked(filled(Blocklist.builder()), chosen)).isEqualTo(QUERIES);
    List<String> guessed = falsePositives(filled(Blocklist.builder(OTHER)), QUERIES);
    // fpp of the queries are expected, 10 give or take 3.1
    Blocklist keyed = filled(Blocklist.builder(KEY));
    assertThat(blocked(keyed, chosen)).isLessThanOrEqualTo(QUERIES / 40);
    assertThat(blocked(keyed, guessed)).isLessThanOrEqualTo(QUERIES / 40);
  }

  @Test
  void exactHashesRefuteChosenQueriesWithoutAKey() throws IOException {
    List<String> chosen = falsePositives(filled(Blocklist.builder()), QUERIES);
    assertThat(blocked(filled(Blocklist.builder().exact()), chosen)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyChangesNoVerdictOfWhatIsListedAllowedOrKnownGood(boolean exact) throws IOException {
    Blocklist unkeyed = sample(Blocklist.builder(), exact);
    Blocklist keyed = sample(Blocklist.builder(KEY), exact);
    Verdict listed = exact ? Verdict.BLOCKED : Verdict.PROBABLY_BLOCKED;
    for (Blocklist blocklist : List.of(unkeyed, keyed, saved(keyed))) {
      for (String query :
          List.of(
              "bad7@mail.example",
              "bad7+x@mail.example",
              "x.bad7.example",
              "192.0.2.7",
              "[2001:db8::9]",
              "http://url.example/a/b.exe?c",
              "https://sub.rule.example/x/y")) {
        assertThat(blocklist.check(query)).as(query).isEqualTo(listed);
      }
      assertThat(blocklist.check("bad1@mail.example")).isEqualTo(Verdict.ALLOWED);
      assertThat(blocklist.check("bad2@mail.example")).as("known good").isEqualTo(Verdict.ALLOWED);
      for (int i = 0; i < 200; i++) {
        assertThat(blocklist.check(good(i)).isBlocked()).as(good(i)).isFalse();
      }
    }
    assertThat(keyed.exceptions()).as("they are needed at this fpp").isPositive();
    assertThat(keyed.listNames()).isEqualTo(unkeyed.listNames());
    assertThat(keyed.entries()).isEqualTo(unkeyed.entries());
  }

  @Test
  void theFileNamesTheKeyByItsIdAndDoesNotHaveIt() throws IOException {
    filled(Blocklist.builder(KEY).exact()).save(path);
    HashId id = new HashId(HashId.Algorithm.SIPHASH, KEY.id());
    assertThat(Blocklist.hashIdOf(path)).isEqualTo(id);
    assertThat(Blocklist.load(path, KEY).hashId()).isEqualTo(id);
    String bytes = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    assertThat(bytes)
        .doesNotContain(new String(SECRET, 0, 8, StandardCharsets.ISO_8859_1))
        .doesNotContain(new String(SECRET, 8, 8, StandardCharsets.ISO_8859_1));
    filled(Blocklist.builder()).save(path);
    assertThat(Blocklist.hashIdOf(path)).isEqualTo(HashFunction.xxh3(0).id());
  }

  @Test
  void aListThatIsEmptyHasItsKeyToo() throws IOException {
    Blocklist.builder(KEY).fpp(FPP).build().blocklist().save(path);
    assertThat(Blocklist.load(path, KEY).check("a.example")).isEqualTo(Verdict.UNLISTED);
    assertRefused(() -> Blocklist.load(path), "hash at byte 36");
  }

  @Test
  void theRightKeyIsNeededAndBothIdsAreNamed() throws IOException {
    String id = "siphash-2-4 with key id " + HexFormat.of().toHexDigits(KEY.id());
    String other = "siphash-2-4 with key id " + HexFormat.of().toHexDigits(OTHER.id());
    filled(Blocklist.builder(KEY)).save(path);
    assertRefused(
        () -> Blocklist.load(path),
        "hash at byte 36: expected xxh3 with seed 0, as this was to be read with, got " + id);
    assertRefused(
        () -> Blocklist.load(path, OTHER),
        "expected " + other + ", as this was to be read with, got " + id);
    filled(Blocklist.builder()).save(path);
    assertRefused(
        () -> Blocklist.load(path, KEY),
        "expected " + id + ", as this was to be read with, got xxh3 with seed 0");
  }

  @Test
  void aHashThatNoBlockListHasIsRefused() throws IOException {
    filled(Blocklist.builder()).save(path);
    change(file -> file.putLong(40, 1));
    assertRefused(() -> Blocklist.load(path), "hash at byte 36: expected xxh3 with seed 0 or");
    change(file -> file.putLong(40, 0).putShort(36, (short) 0));
    assertRefused(() -> Blocklist.load(path), "hash at byte 36: hash must be one of");
    change(file -> file.putShort(36, (short) 16));
    assertRefused(() -> Blocklist.hashIdOf(path), "hash at byte 36: expected xxh3 with seed 0 or");
    change(file -> file.putShort(36, (short) 1).put(38, (byte) 1));
    assertRefused(() -> Blocklist.hashIdOf(path), "reserved byte at byte 38");
    change(file -> file.put(38, (byte) 0).put(48, (byte) 1));
    assertRefused(() -> Blocklist.hashIdOf(path), "reserved byte at byte 48");
  }

  /** Or a header could make a list of another key pass for that of the right one. */
  @Test
  void aFilterOfAnotherHashThanTheFileIsRefused() throws IOException {
    filled(Blocklist.builder(OTHER)).save(path);
    change(file -> file.putShort(36, (short) 2).putLong(40, KEY.id()));
    assertRefused(() -> Blocklist.load(path, KEY), "hash of list a");
    filled(Blocklist.builder()).save(path);
    change(file -> file.putShort(36, (short) 2).putLong(40, KEY.id()));
    assertRefused(() -> Blocklist.load(path, KEY), "hash of list a");
  }

  @Test
  void theKeyedFileOfTheFirstVersionIsStillReadAndWritten() throws IOException {
    Path golden = directory.resolve("golden");
    try (InputStream in = getClass().getResourceAsStream("/golden/v1-blocklist-keyed.block")) {
      Files.write(golden, in.readAllBytes());
    }
    assertThat(Blocklist.load(golden, KEY).check("x.bad7.example")).isEqualTo(Verdict.BLOCKED);
    sample(Blocklist.builder(KEY), true).save(path);
    assertThat(path).hasSameBinaryContentAs(golden);
  }

  private Blocklist saved(Blocklist blocklist) throws IOException {
    blocklist.save(path);
    return Blocklist.load(path, KEY);
  }

  private static Blocklist filled(BlocklistBuilder builder) throws IOException {
    for (int i = 0; i < ENTRIES; i++) {
      builder.block("a", "bad" + i + "@mail.example");
    }
    return builder.fpp(FPP).build().blocklist();
  }

  /** Two lists with entries of every kind, allow entries and known-good lines. */
  private Blocklist sample(BlocklistBuilder builder, boolean exact) throws IOException {
    List<String> good = new ArrayList<>(IntStream.range(0, 200).mapToObj(this::good).toList());
    good.add("bad2@mail.example");
    Path knownGood = Files.write(directory.resolve("good"), good);
    if (exact) {
      builder.exact();
    }
    for (int i = 0; i < 10; i++) {
      builder.block("a", "bad" + i + "@mail.example").block("b", ".bad" + i + ".example");
    }
    return builder
        .fpp(0.3)
        .ignoreTags()
        .block("a", "192.0.2.0/24")
        .block("a", "2001:db8::/32")
        .block("b", "http://url.example/a/b.exe?c")
        .block("b", "||rule.example/x/")
        .allow("bad1@mail.example")
        .knownGood(knownGood)
        .build()
        .blocklist();
  }

  private String good(int number) {
    return "good" + number + "@fine.example";
  }

  private static List<String> falsePositives(Blocklist own, int count) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "victim" + i + "@mail.example")
        .filter(query -> own.check(query).isBlocked())
        .limit(count)
        .toList();
  }

  private static long blocked(Blocklist blocklist, List<String> queries) {
    return queries.stream().filter(query -> blocklist.check(query).isBlocked()).count();
  }

  private void change(Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(file);
    file.putInt(60, checksum(bytes, 60));
    file.putInt(bytes.length - 4, checksum(bytes, bytes.length - 4));
    Files.write(path, bytes);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  private static void assertRefused(ThrowingCallable reading, String message) {
    assertThatThrownBy(reading)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(message)
        .hasCauseInstanceOf(FormatException.class);
  }
}
