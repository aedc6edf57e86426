package dev.tamis.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.MutableFilter;
import dev.tamis.Race;
import dev.tamis.Storable;
import dev.tamis.Thorough;
import dev.tamis.file.ReloadingFilter.Status;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that are replaced while they are queried. */
class ReloadingFilterTest {

  private static final double FPP = 0.01;
  private static final int KEYS = 2_000;

  /** Keys of all versions, of the first and of the second. */
  private static final long[] COMMON = keys(0);

  private static final long[] FIRST = keys(1);
  private static final long[] SECOND = keys(2);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aNewVersionTakesEffectWithTheNextRefresh(Form form) throws IOException {
    save(form, FIRST);
    ReloadingFilter<Long> filter = form.open(path());
    assertThat(holds(filter, FIRST)).isTrue();
    assertThat(holds(filter, SECOND)).isFalse();

    save(form, SECOND);
    assertThat(holds(filter, FIRST)).isTrue();
    Status status = filter.refresh();

    assertThat(status.refusal()).isEmpty();
    assertThat(status.reloads()).isEqualTo(1);
    assertThat(holds(filter, COMMON)).isTrue();
    assertThat(holds(filter, SECOND)).isTrue();
    assertThat(holds(filter, FIRST)).isFalse();
    assertThat(filter.approximateElementCount().value()).isBetween(3_800.0, 4_200.0);
    assertThat(filter.expectedFpp()).isEqualTo(filter.current().expectedFpp());
    assertThat(filter.bitSize()).isEqualTo(filter.current().bitSize());
  }

  @ParameterizedTest
  @EnumSource(names = {"BLOOM", "BLOOM_MAPPED", "FUSE_MAPPED", "RIBBON"})
  @SuppressWarnings("ThreadPriorityCheck") // only so that the test takes less time
  void noThreadLosesAKeyOrMixesVersionsWhileTheFileIsReplaced(Form form) throws IOException {
    int replacements = Thorough.or(200, 2_000);
    byte[][] versions = {form.of(FIRST).toByteArray(), form.of(SECOND).toByteArray()};
    Files.write(path(), versions[0]);
    ReloadingFilter<Long> filter = form.open(path());
    AtomicBoolean isOver = new AtomicBoolean();
    LongAdder queries = new LongAdder();
    LongAdder positives = new LongAdder();
    Race.run(
        18,
        thread -> {
          if (thread == 0) {
            for (int i = 1; i <= replacements; i++) {
              replace(versions[i % 2]);
              assertThat(filter.refresh().refusal()).isEmpty();
            }
            isOver.set(true);
          } else if (thread == 1) {
            while (!isOver.get()) {
              assertThat(filter.refresh().refusal()).isEmpty();
            }
          } else {
            SplittableRandom random = new SplittableRandom(100 + thread); // not one of keys()
            do {
              assertThat(filter.mightContain(COMMON[random.nextInt(KEYS)])).isTrue();
              boolean[] answers = answers(filter, FIRST, SECOND);
              assertThat(all(answers, 0, KEYS) ^ all(answers, KEYS, 2 * KEYS)).isTrue();
              for (int i = 0; i < 100; i++) {
                positives.add(filter.mightContain(random.nextLong()) ? 1 : 0);
              }
              queries.add(100);
              Thread.yield(); // to the thread that replaces
            } while (!isOver.get());
          }
        });
    assertThat(filter.status().reloads()).isGreaterThanOrEqualTo(replacements);
    assertThat(holds(filter, FIRST)).isTrue();
    double fpp = filter.expectedFpp();
    double expected = queries.sum() * fpp;
    double slack = 5 * Math.sqrt(expected); // and the versions differ a little in their fpp
    assertThat(positives.doubleValue()).isBetween(0.8 * expected - slack, 1.2 * expected + slack);
  }

  @Test
  void whatItDidIsInItsStatus() throws IOException {
    Instant[] now = {Instant.EPOCH.plusSeconds(100)};
    save(Form.RIBBON, FIRST);
    Files.setLastModifiedTime(path(), FileTime.from(Instant.EPOCH.plusSeconds(7)));
    ReloadingFilter<Long> filter =
        new ReloadingFilter<>(path(), KeyHasher.longs(), false, () -> now[0]);
    Status opened = filter.status();
    assertThat(opened.modifiedAt()).isEqualTo(Instant.EPOCH.plusSeconds(7));
    assertThat(opened.loadedAt()).isEqualTo(now[0]);
    assertThat(opened.checks() + opened.reloads() + opened.refusals()).isZero();

    now[0] = Instant.EPOCH.plusSeconds(200);
    Status unchanged = filter.refresh();
    assertThat(unchanged.loadedAt()).isEqualTo(opened.loadedAt());

    Files.delete(path());
    Status refused = filter.refresh();
    assertThat(refused.refusal()).get().isInstanceOf(NoSuchFileException.class);
    assertThat(refused.loadedAt()).isEqualTo(opened.loadedAt());

    save(Form.RIBBON, SECOND);
    Files.setLastModifiedTime(path(), FileTime.from(Instant.EPOCH.plusSeconds(8)));
    assertThat(filter.refresh())
        .isEqualTo(filter.status())
        .isEqualTo(new Status(Instant.EPOCH.plusSeconds(8), now[0], 3, 1, 1, Optional.empty()));
  }

  /** What must not become the filter in use, and the words of the refusal. */
  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  enum Bad {
    MISSING(Files::delete, ""),
    DIRECTORY(
        path -> {
          Files.delete(path);
          Files.createDirectory(path);
        },
        "is not a regular file"),
    EMPTY(path -> Files.write(path, new byte[0]), "header at byte 0: "),
    NO_FILTER(path -> Files.write(path, new byte[1_000]), "magic at byte 0: "),
    CUT(path -> Files.write(path, cut(bytes().length / 2)), "payload"),
    WITHOUT_CHECKSUM(path -> Files.write(path, cut(bytes().length - 4)), "checksum"),
    LONGER(path -> Files.write(path, cut(bytes().length + 1)), "end at byte "),
    DAMAGED(
        path -> {
          byte[] bytes = bytes();
          bytes[bytes.length / 2] ^= 1;
          Files.write(path, bytes);
        },
        "checksum at byte "),
    OTHER_KIND(
        path -> FilterFile.save(path, Form.FUSE.of(SECOND)),
        "cannot replace the filter in use: kind differs: bloom and fuse"),
    SKETCH(
        path -> FilterFile.save(path, DistinctCounter.<Long>create(KeyHasher.longs(), 5)),
        "cannot replace the filter in use: kind differs: bloom and distinct"),
    OTHER_SEED(
        path ->
            FilterFile.save(
                path,
                BloomFilter.<Long>builder(KeyHasher.longs())
                    .expectedKeys(KEYS)
                    .fpp(FPP)
                    .seed(7)
                    .build()),
        "cannot replace the filter in use: seed differs: 0 and 7"),
    SECRET_KEY(
        path -> FilterFile.save(path, BloomFilter.create(keyed(0), KEYS, FPP)),
        "hash differs: xxh3 with seed 0 and siphash-2-4 with key id "),
    OTHER_RULE(
        path -> FilterFile.save(path, BloomFilter.create(new Ruled("--json-key id"), KEYS, FPP)),
        "rule of the keys differs: \"\" and \"--json-key id\"");

    private final Writer writer;
    private final String words;

    Bad(Writer writer, String words) {
      this.writer = writer;
      this.words = words;
    }

    void write(Path path) throws IOException {
      writer.write(path);
    }

    private static byte[] cut(int length) {
      return Arrays.copyOf(bytes(), length);
    }

    static byte[] bytes() {
      return Form.BLOOM.of(SECOND).toByteArray();
    }

    private interface Writer {
      void write(Path path) throws IOException;
    }
  }

  private static KeyHasher<Long> keyed(int firstByte) {
    byte[] key = new byte[HashKey.BYTES];
    key[0] = (byte) firstByte;
    return KeyHasher.longs().keyedBy(HashKey.of(key));
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatCannotBeUsedIsRefusedByNameAndTheOldOneStays(Bad bad) throws IOException {
    Path aside = directory.resolve("aside");
    for (Form form : new Form[] {Form.BLOOM, Form.BLOOM_MAPPED}) {
      save(form, FIRST);
      ReloadingFilter<Long> filter = form.open(path());
      Files.move(path(), aside, StandardCopyOption.REPLACE_EXISTING);
      save(form, SECOND);
      bad.write(path());

      String message = filter.refresh().refusal().orElseThrow().getMessage();
      assertThat(message).startsWith(path().toString()).contains(bad.words);
      assertThat(filter.refresh().refusals()).isEqualTo(2);
      assertThat(filter.status().refusal().orElseThrow()).hasMessage(message);
      assertThat(holds(filter, FIRST)).isTrue();

      Files.deleteIfExists(path());
      Files.move(aside, path());
      assertThat(filter.refresh().refusal()).isEmpty();
      save(form, SECOND);
      assertThat(filter.refresh().refusal()).isEmpty();
      assertThat(holds(filter, SECOND)).isTrue();
    }
  }

  @Test
  void anotherSecretKeyIsRefusedByItsId() throws IOException {
    save(path(), BloomFilter.create(keyed(1), KEYS, FPP));
    ReloadingFilter<Long> filter = ReloadingFilter.load(path(), keyed(1));
    save(path(), BloomFilter.create(keyed(2), KEYS, FPP));
    assertThat(filter.refresh().refusal().orElseThrow())
        .hasMessageContaining("key id differs: " + filter.hashId().printedNumber() + " and ");
  }

  @Test
  void aRuleOfTheHasherIsThatOfFilesWithoutOne() throws IOException {
    Ruled hasher = new Ruled("--field 2");
    save(path(), RibbonFilter.<Long>builder(hasher).fpp(FPP).build());
    ReloadingFilter<Long> filter = ReloadingFilter.load(path(), hasher);
    save(
        path(),
        RibbonFilter.<Long>builder(hasher).fpp(FPP).putAll(LongStream.of(FIRST).boxed()).build());
    assertThat(filter.refresh().refusal()).isEmpty();
    assertThat(holds(filter, FIRST)).isTrue();
  }

  @Test
  void aDamagedFileIsReadAgainOnlyWhenItChanges() throws IOException {
    save(Form.BLOOM, FIRST);
    ReloadingFilter<Long> filter = Form.BLOOM.open(path());
    Bad.DAMAGED.write(path());
    IOException refusal = filter.refresh().refusal().orElseThrow();
    assertThat(refusal).hasCauseInstanceOf(FormatException.class);
    assertThat(filter.refresh().refusal()).containsSame(refusal);
    Files.setLastModifiedTime(path(), FileTime.from(Instant.EPOCH));
    IOException again = filter.refresh().refusal().orElseThrow();
    assertThat(again).isNotSameAs(refusal).hasMessage(refusal.getMessage());
  }

  @Test
  void aHalfWrittenFileIsRefusedUntilItIsComplete() throws IOException {
    save(Form.BLOOM, FIRST);
    ReloadingFilter<Long> filter = Form.BLOOM.open(path());
    byte[] bytes = Form.BLOOM.of(SECOND).toByteArray();
    for (int length = 0; length < bytes.length; length += 97) {
      Files.write(path(), Arrays.copyOf(bytes, length));
      assertThat(filter.refresh().refusal()).isPresent();
      Files.write(path(), Arrays.copyOf(Arrays.copyOf(bytes, length), bytes.length));
      assertThat(filter.refresh().refusal()).isPresent();
      assertThat(holds(filter, FIRST)).isTrue();
    }
    Files.write(path(), bytes);
    assertThat(filter.refresh().refusal()).isEmpty();
    assertThat(holds(filter, SECOND)).isTrue();
  }

  @Test
  void otherContentsOfTheSameFileLengthAndTimeAreNoticed() throws IOException {
    byte[] first = Form.BLOOM.of(FIRST).toByteArray();
    byte[] second = Form.BLOOM.of(SECOND).toByteArray();
    assertThat(second).hasSameSizeAs(first);
    FileTime time = FileTime.from(Instant.EPOCH);
    Files.write(path(), first);
    Files.setLastModifiedTime(path(), time);
    ReloadingFilter<Long> filter = Form.BLOOM.open(path());
    Files.write(path(), second, StandardOpenOption.WRITE);
    Files.setLastModifiedTime(path(), time);
    assertThat(filter.refresh().reloads()).isEqualTo(1);
    assertThat(holds(filter, SECOND)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need a privilege")
  void aSwitchedLinkIsAnotherFile(boolean isLinkOfDirectory) throws IOException {
    Path link = directory.resolve("link");
    link(link, FIRST, isLinkOfDirectory);
    ReloadingFilter<Long> filter =
        Form.BLOOM_MAPPED.open(isLinkOfDirectory ? link.resolve("list") : link);
    assertThat(holds(filter, FIRST)).isTrue();
    link(link, SECOND, isLinkOfDirectory);
    assertThat(filter.refresh().reloads()).isEqualTo(1);
    assertThat(holds(filter, SECOND)).isTrue();
  }

  private void link(Path link, long[] keys, boolean isLinkOfDirectory) throws IOException {
    Path version = Files.createTempDirectory(directory, "version").resolve("list");
    save(version, Form.BLOOM.of(keys));
    Files.setLastModifiedTime(version, FileTime.from(Instant.EPOCH));
    Path next = directory.resolve("next");
    Files.createSymbolicLink(next, isLinkOfDirectory ? version.getParent() : version);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc/self/maps")
  void aReplacedVersionIsUnmappedOnceNobodyUsesIt() throws IOException {
    save(Form.BLOOM_MAPPED, FIRST);
    ReloadingFilter<Long> filter = Form.BLOOM_MAPPED.open(path());
    for (int i = 0; i < 50; i++) {
      save(Form.BLOOM_MAPPED, i % 2 == 0 ? SECOND : FIRST);
      assertThat(filter.refresh().refusal()).isEmpty();
    }
    for (int i = 0; i < 1_000 && mappings() > 1; i++) {
      System.gc(); // the mappings go some time after, in a thread of the JVM
    }
    assertThat(mappings()).isEqualTo(1);
    assertThat(holds(filter, FIRST)).isTrue();
  }

  private long mappings() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(path().toString())).count();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "Windows does not shorten a mapped file")
  void overwritingAMappedFileIsReportedForWhatItIs() throws IOException {
    save(Form.BLOOM_MAPPED, FIRST);
    ReloadingFilter<Long> filter = Form.BLOOM_MAPPED.open(path());
    byte[] bytes = Bad.bytes();
    bytes[200] ^= 1;
    Files.write(path(), bytes, StandardOpenOption.WRITE);
    Files.setLastModifiedTime(path(), FileTime.from(Instant.EPOCH));
    assertThat(filter.refresh().refusal().orElseThrow())
        .hasMessageContaining("checksum at byte ")
        .hasMessageEndingWith("answers cannot be relied upon: replace it by renaming");
    try (FileChannel channel = FileChannel.open(path(), StandardOpenOption.WRITE)) {
      channel.truncate(300);
    }
    assertThat(filter.refresh().refusal()).isPresent();
  }

  @Test
  void whatCannotBeUsedIsNotOpened() throws IOException {
    assertThatThrownBy(() -> Form.BLOOM.open(path())).isInstanceOf(NoSuchFileException.class);
    Bad.DAMAGED.write(path());
    for (Form form : new Form[] {Form.BLOOM, Form.BLOOM_MAPPED}) {
      assertThatThrownBy(() -> form.open(path()))
          .isInstanceOf(FileSystemException.class)
          .hasMessageStartingWith(path() + ": not a valid filter: checksum at byte ");
    }
    save(path(), Form.RIBBON.of(FIRST));
    assertThatThrownBy(() -> Form.BLOOM_MAPPED.open(path()))
        .hasMessageContaining("is of kind ribbon, which cannot be mapped");
    save(path(), GuavaBloomFilter.create(KeyHasher.longs(), 100, 0.01));
    assertThatThrownBy(() -> Form.BLOOM.open(path()))
        .hasMessage(path() + ": is Guava's, which cannot be queried by hashes of 64 bits");
  }

  /** The kinds of a list that are distributed, and how they are opened. */
  enum Form {
    BLOOM(false),
    BLOOM_MAPPED(true),
    SCALABLE(false),
    CUCKOO(false),
    FUSE(false),
    FUSE_MAPPED(true),
    RIBBON(false),
    DCSO(false);

    private final boolean isMapped;

    Form(boolean isMapped) {
      this.isMapped = isMapped;
    }

    ReloadingFilter<Long> open(Path path) throws IOException {
      return isMapped
          ? ReloadingFilter.map(path, KeyHasher.longs())
          : ReloadingFilter.load(path, KeyHasher.longs());
    }

    /** Returns a filter of the common keys and these. */
    Storable of(long[] keys) {
      LongStream all = LongStream.concat(LongStream.of(COMMON), LongStream.of(keys));
      KeyHasher<Long> hasher = KeyHasher.longs();
      return switch (this) {
        case BLOOM, BLOOM_MAPPED -> filled(BloomFilter.create(hasher, 2 * KEYS, FPP), all);
        case SCALABLE -> filled(ScalableBloomFilter.create(hasher, 100, FPP), all);
        case CUCKOO -> filled(CuckooFilter.create(hasher, 2 * KEYS, FPP), all);
        case DCSO -> filled(DcsoBloomFilter.create(hasher, 2 * KEYS, FPP), all);
        case FUSE, FUSE_MAPPED ->
            FuseFilter.<Long>builder(hasher).fpp(FPP).putAll(all.boxed()).build();
        case RIBBON -> RibbonFilter.<Long>builder(hasher).fpp(FPP).putAll(all.boxed()).build();
      };
    }

    private static <F extends MutableFilter<Long> & Storable> F filled(F filter, LongStream keys) {
      keys.forEach(filter::put);
      return filter;
    }
  }

  private record Ruled(String rule) implements KeyHasher<Long> {
    @Override
    public long hash(Long key, HashFunction function) {
      return KeyHasher.longs().hash(key, function);
    }
  }

  private void save(Form form, long[] keys) throws IOException {
    save(path(), form.of(keys));
  }

  private static void save(Path path, Storable filter) throws IOException {
    FilterFile.save(path, filter);
  }

  /** Replaces the file as {@link FilterFile#save} does, without waiting for the disk. */
  private void replace(byte[] bytes) throws IOException {
    Path next = directory.resolve("next");
    Files.write(next, bytes);
    Files.move(next, path(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path path() {
    return directory.resolve("list");
  }

  private static long[] keys(int stream) {
    return new SplittableRandom(stream).longs(KEYS).toArray();
  }

  private static boolean holds(ReloadingFilter<Long> filter, long[] keys) {
    return all(answers(filter, keys), 0, keys.length);
  }

  private static boolean[] answers(ReloadingFilter<Long> filter, long[]... keys) {
    long[] hashes = Arrays.stream(keys).flatMapToLong(LongStream::of).map(filter::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    filter.mightContainHashes(hashes, hashes.length, answers);
    return answers;
  }

  private static boolean all(boolean[] answers, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!answers[i]) {
        return false;
      }
    }
    return true;
  }
}
