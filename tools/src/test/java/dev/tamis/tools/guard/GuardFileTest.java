package dev.tamis.tools.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.file.HashKeyFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.ReadGuard.PutInProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardFileTest {

  @TempDir Path directory;

  private final List<GuardNotice> notices = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasSavedIsReadyAtTheNextStart(boolean removable) throws IOException {
    MapStore store = Guards.filled(1_000);
    try (StoreGuard<Long, String> guard = Guards.ready(settings(removable), store)) {
      assertThat(guard.put(5_000L, "late")).isTrue();
    }
    assertThat(store.syncs).hasValue(1);
    StoreGuard<Long, String> next = settings(removable).build(store);
    assertThat(next.state()).isEqualTo(GuardState.READY);
    assertThat(Guards.findsAll(next, store)).isTrue();
    assertThat(Guards.absent(1_000)).allMatch(key -> next.get(key) == null);
    assertThat(next.gets().skipped()).isGreaterThan(950);
    assertThat(notices)
        .extracting(GuardNotice::kind)
        .containsExactly(
            GuardNotice.Kind.NOT_LOADED, GuardNotice.Kind.REBUILT, GuardNotice.Kind.LOADED);
  }

  @Test
  void theFileIsGoneBeforeAnyWriteReachesTheStore() throws IOException {
    MapStore store = Guards.filled(10);
    Guards.ready(settings(true), store).close();
    StoreGuard<Long, String> guard = settings(true).build(store);
    assertThat(guard.get(3L)).isNotNull();
    assertThat(file()).exists(); // reading does no harm
    List<Boolean> there = new ArrayList<>();
    store.beforeEachCall = () -> there.add(Files.exists(file()));
    boolean isNew = guard.put(11L, "eleven");
    assertThat(isNew).isTrue();
    assertThat(guard.save()).isTrue();
    boolean removed = guard.remove(11L);
    assertThat(removed).isTrue();
    assertThat(there).containsExactly(false, false);
    assertThat(guard.save()).isTrue();
    try (PutInProgress put = guard.putting(12L)) {
      assertThat(put).isNotNull();
      assertThat(file()).doesNotExist();
    }
    assertThat(guard.save()).isTrue();
    RebuildSummary unused = guard.rebuild(store::keys);
    assertThat(file()).doesNotExist();
  }

  @Test
  void aFileThatIsUpToDateIsNotWrittenAgain() throws IOException {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = Guards.ready(settings(false), store);
    assertThat(guard.save()).isTrue();
    assertThat(guard.save()).isTrue();
    guard.close();
    assertThat(store.syncs).hasValue(1);
  }

  @Test
  void nothingIsSavedWhileWritesComeIn() throws IOException {
    MapStore store = new MapStore();
    StoreGuard<Long, String> guard = Guards.ready(settings(false), store);
    // called when the guard has waited for earlier writes and has not yet written the file
    store.onSync = () -> assertThat(guard.put(1L, "one")).isTrue();
    assertThat(guard.save()).isFalse();
    assertThat(file()).doesNotExist();
    assertThat(notices.get(notices.size() - 1).kind()).isEqualTo(GuardNotice.Kind.NOT_SAVED);
    store.onSync = () -> {};
    assertThat(guard.save()).isTrue();
    assertThat(Guards.findsAll(settings(false).build(store), store)).isTrue();
  }

  @Test
  void thereIsNothingToSaveWithoutAFilterOrWithAStaleOneOrDuringARebuild() throws IOException {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = settings(false).build(store);
    assertThat(guard.save()).isFalse();
    RebuildSummary unused =
        guard.rebuild(
            () -> {
              assertThat(guard.save()).isFalse();
              return store.keys();
            });
    LongStream.range(0, 8).forEach(guard::remove);
    assertThat(guard.state()).isEqualTo(GuardState.STALE);
    guard.close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void aDamagedFileMeansRebuildAndAWarningAndIsSetAside() throws IOException {
    MapStore store = Guards.filled(50);
    Guards.ready(settings(false).expectedKeys(50), store).close();
    byte[] whole = Files.readAllBytes(file());
    List<byte[]> damaged = new ArrayList<>();
    for (int length = 0; length < whole.length; length += 7) {
      damaged.add(Arrays.copyOf(whole, length));
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int flip = 0; flip < 200; flip++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      damaged.add(bytes);
    }
    damaged.add(Arrays.copyOf(whole, whole.length + 1));
    damaged.add("my diary".getBytes(UTF_8));
    for (byte[] bytes : damaged) {
      Files.write(file(), bytes);
      notices.clear();
      StoreGuard<Long, String> guard = settings(false).expectedKeys(50).build(store);
      assertThat(guard.state()).isEqualTo(GuardState.REBUILDING);
      assertThat(notices)
          .singleElement()
          .extracting(GuardNotice::kind)
          .isEqualTo(GuardNotice.Kind.NOT_LOADED);
      assertThat(Guards.findsAll(guard, store)).isTrue();
    }
    StoreGuard<Long, String> guard = settings(false).expectedKeys(50).build(store);
    assertThat(guard.put(1L, "one")).isFalse();
    assertThat(file()).doesNotExist();
    assertThat(directory.resolve("guard.tamis.unusable")).hasContent("my diary");
  }

  @Test
  void aFileOfOtherSettingsMeansRebuildAndNamesTheDifference() throws IOException {
    MapStore store = Guards.filled(50);
    Guards.ready(settings(false), store).close();
    assertRefused(settings(false).fpp(0.001), store, "fpp of 0.01, wanted is 0.001");
    assertRefused(settings(true), store, "wanted is: counting");
    assertRefused(
        StoreGuard.<Long>builder(KeyHasher.longs().keyedBy(HashKey.of(new byte[16])))
            .expectedKeys(1_000)
            .fpp(0.01)
            .file(file()),
        store,
        "hash");
    Files.delete(file());
    Guards.ready(settings(true), store).close();
    assertRefused(settings(true).expectedKeys(1_001), store, "for 1000 keys, wanted are 1001");
    FilterFile.save(file(), BloomFilter.create(KeyHasher.longs(), 10, 0.01));
    assertRefused(settings(false), store, "holds: bloom");
  }

  @Test
  void theFilterIsKeyedAndItsKeyIsTheOwnersAlone() throws IOException {
    MapStore store = Guards.filled(50);
    Guards.ready(withoutKey(), store).close();
    Path key = directory.resolve("guard.tamis.key");
    assertThat(FileHeader.read(file()).hashId().algorithm().isKeyed()).isTrue();
    assertThat(FileHeader.read(file()).hashId().number()).isEqualTo(HashKeyFile.read(key).id());
    assertThat(HashKeyFile.isReadableByOthers(key)).isFalse();

    Files.delete(key);
    assertRefused(withoutKey(), store, "with key id ");
    Guards.ready(withoutKey(), store).close();
    assertThat(withoutKey().build(store).state()).isEqualTo(GuardState.READY);

    Files.writeString(key, "damaged");
    assertRefused(withoutKey(), store, "with key id ");
    Guards.ready(withoutKey(), store).close();
    assertThat(withoutKey().build(store).state()).isEqualTo(GuardState.READY);
  }

  private GuardBuilder<Long> withoutKey() {
    return StoreGuard.<Long>builder(KeyHasher.longs()).expectedKeys(1_000).fpp(0.01).file(file());
  }

  private void assertRefused(GuardBuilder<Long> settings, MapStore store, String difference) {
    notices.clear();
    StoreGuard<Long, String> guard = settings.listener(notices::add).build(store);
    assertThat(guard.state()).isEqualTo(GuardState.REBUILDING);
    assertThat(notices)
        .singleElement()
        .extracting(GuardNotice::message)
        .asString()
        .contains(difference);
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @Test
  void aFileThatCannotBeTakenAwayForbidsTheWrite() throws IOException {
    MapStore store = Guards.filled(10);
    Guards.ready(settings(false), store).close();
    StoreGuard<Long, String> guard = settings(false).build(store);
    Files.delete(file());
    Files.createDirectory(file()); // what no permission does to a file, whoever runs the test
    Files.createFile(file().resolve("full"));
    assertThatThrownBy(() -> guard.put(77L, "new"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("guard.tamis cannot be removed")
        .hasMessageContaining("nothing was written");
    assertThatThrownBy(() -> guard.remove(7L)).isInstanceOf(UncheckedIOException.class);
    assertThat(store.rows).hasSize(10);
    assertThat(guard.get(7L)).isNotNull();
    Files.delete(file().resolve("full"));
    assertThat(guard.put(77L, "new")).isTrue();
    RebuildSummary unused = guard.rebuild(store::keys); // no write is left open
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @Test
  void aFileThatCannotBeWrittenIsAnErrorAndNoFileIsThere() throws IOException {
    Path missing = directory.resolve("missing");
    StoreGuard<Long, String> guard =
        Guards.ready(
            Guards.settings().listener(notices::add).file(missing.resolve("guard.tamis")),
            Guards.filled(10));
    assertThatThrownBy(guard::save)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("guard.tamis")
        .hasMessageContaining("directory does not exist");
    assertThat(notices.get(notices.size() - 1).kind()).isEqualTo(GuardNotice.Kind.NOT_SAVED);
    assertThat(guard.get(3L)).isEqualTo("value 3");
    Files.createDirectory(missing);
    assertThat(guard.save()).isTrue();
  }

  @Test
  void aDirectoryIsRefusedAtOnce() {
    assertThatThrownBy(() -> Guards.settings().file(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not be a directory");
  }

  /**
   * The program ends at any step, cleanly or not, and starts again: whatever the file says then, no
   * key of the store may be denied.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterAnyEndTheNextStartDeniesNoKey(boolean removable) throws IOException {
    int readyStarts = 0;
    int rebuilds = 0;
    for (int seed = 0; seed < 12; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      MapStore store = Guards.filled(20);
      Files.deleteIfExists(file());
      for (int start = 0; start < 8; start++) {
        StoreGuard<Long, String> guard = settings(removable).build(store);
        assertThat(Guards.findsAll(guard, store)).isTrue();
        if (guard.state() == GuardState.READY) {
          readyStarts++;
        } else if (random.nextInt(4) > 0) {
          RebuildSummary unused = guard.rebuild(store::keys);
          rebuilds++;
        }
        steps(guard, store, random);
      }
    }
    assertThat(readyStarts).isGreaterThan(12);
    assertThat(rebuilds).isGreaterThan(12);
  }

  /** Some steps; what is left of the guard afterwards is forgotten as if the program was killed. */
  private static void steps(StoreGuard<Long, String> guard, MapStore store, SplittableRandom random)
      throws IOException {
    for (int step = random.nextInt(8); step > 0; step--) {
      long key = random.nextInt(200);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          boolean unused = guard.put(key, "new");
        }
        case 2 -> {
          boolean unused = guard.remove(key);
        }
        case 3 -> {
          boolean unused = guard.save();
        }
        default -> {
          if (random.nextBoolean()) {
            RebuildSummary unused = guard.rebuild(store::keys);
          }
        }
      }
      assertThat(Guards.findsAll(guard, store)).isTrue();
    }
  }

  private Path file() {
    return directory.resolve("guard.tamis");
  }

  private GuardBuilder<Long> settings(boolean removable) {
    GuardBuilder<Long> settings = Guards.settings().file(file()).listener(notices::add);
    return removable ? settings.removable() : settings;
  }
}
