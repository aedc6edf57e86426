package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Race;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingBlocklistTest {

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  @TempDir Path directory;
  private Path path;
  private Instant now = Instant.ofEpochSecond(1_000_000);
  private final InstantSource clock = () -> now;

  @BeforeEach
  void writeTheFirst() throws IOException {
    path = directory.resolve("blocklist");
    write("one.example");
  }

  @Test
  void aReplacedFileIsReadOnceItIsTime() throws IOException {
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, INTERVAL, clock);
    Blocklist first = reloading.current();
    write("two.example");
    assertThat(reloading.current()).isSameAs(first);
    now = now.plus(INTERVAL).minusMillis(1);
    assertThat(reloading.current()).isSameAs(first);
    now = now.plusMillis(1);
    assertThat(reloading.current().check("two.example").isBlocked()).isTrue();
    assertThat(reloading.current().check("one.example").isBlocked()).isFalse();
    assertThat(first.check("one.example").isBlocked()).isTrue();
  }

  @Test
  void aFileThatIsTheSameIsNotReadAgain() throws IOException {
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, Duration.ZERO, clock);
    assertThat(reloading.current()).isSameAs(reloading.current());
  }

  @Test
  void aClockThatIsSetBackDoesNotStopIt() throws IOException {
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, INTERVAL, clock);
    write("two.example");
    now = now.minus(Duration.ofDays(1));
    assertThat(reloading.current().check("two.example").isBlocked()).isTrue();
  }

  @Test
  void aDamagedOrMissingFileChangesNothingButForAWarning() throws IOException {
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, INTERVAL, clock);
    Blocklist first = reloading.current();
    byte[] good = Files.readAllBytes(path);
    List<LogRecord> warnings = new ArrayList<>();
    Logger logger = Logger.getLogger(ReloadingBlocklist.class.getName());
    logger.setFilter(logged -> !warnings.add(logged));
    try {
      Files.write(path, new byte[] {1, 2, 3});
      now = now.plus(INTERVAL);
      assertThat(reloading.current()).isSameAs(first);
      assertThat(warnings).hasSize(1);
      now = now.plus(INTERVAL);
      assertThat(reloading.current()).isSameAs(first);
      assertThat(warnings).as("looked again, said once").hasSize(1);
      assertThat(warnings.get(0).getThrown()).as("no stack trace").isNull();
      Files.delete(path);
      now = now.plus(INTERVAL);
      assertThat(reloading.current()).isSameAs(first);
      assertThat(warnings).hasSize(2);
      assertThat(warnings.get(1).getMessage()).contains(path.toString());
    } finally {
      logger.setFilter(null);
    }
    Files.write(path, good);
    now = now.plus(INTERVAL);
    assertThat(reloading.current()).isNotSameAs(first);
  }

  @Test
  void aFileWithAKeyIsReplacedByAnotherOfThatKeyOnly() throws IOException {
    HashKey key = HashKey.of(new byte[HashKey.BYTES]);
    keyed(key, "one.example").save(path);
    refuses(
        FileSystemException.class, () -> ReloadingBlocklist.open(path, INTERVAL, clock), "key id");
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, key, Duration.ZERO, clock);
    Blocklist first = reloading.current();
    byte[] otherKey = new byte[HashKey.BYTES];
    otherKey[0] = 1;
    keyed(HashKey.of(otherKey), "two.example").save(path);
    assertThat(reloading.current()).isSameAs(first);
    write("two.example");
    assertThat(reloading.current()).as("without a key").isSameAs(first);
    keyed(key, "two.example").save(path);
    assertThat(reloading.current().check("two.example").isBlocked()).isTrue();
  }

  private static Blocklist keyed(HashKey key, String entry) throws IOException {
    return Blocklist.builder(key).fpp(1e-6).block("a", entry).build().blocklist();
  }

  @Test
  void whatCannotBeReadAtFirstIsAnError() {
    refuses(
        NoSuchFileException.class,
        () -> ReloadingBlocklist.open(directory.resolve("missing"), INTERVAL, clock));
    refuses(() -> ReloadingBlocklist.open(path, Duration.ofSeconds(-1), clock), "interval");
  }

  /** Both versions block one entry and allow the other, so half of one would be noticed. */
  @Test
  void aReaderMeanwhileSeesAWholeListOldOrNew() throws IOException {
    ReloadingBlocklist reloading = ReloadingBlocklist.open(path, Duration.ZERO, clock);
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        5,
        thread -> {
          if (thread > 0) {
            check(reloading, done);
            return;
          }
          try {
            for (int i = 0; i < 50; i++) {
              write(i % 2 == 0 ? "two.example" : "one.example");
            }
          } finally {
            done.set(true);
          }
        });
    assertThat(reloading.current().check("one.example").isBlocked()).isTrue();
  }

  private static void check(ReloadingBlocklist reloading, AtomicBoolean done) {
    do {
      Blocklist blocklist = reloading.current();
      boolean one = blocklist.check("one.example").isBlocked();
      boolean two = blocklist.check("two.example").isBlocked();
      assertThat(one ^ two).isTrue();
    } while (!done.get());
  }

  private void write(String entry) throws IOException {
    Blocklist.builder().fpp(1e-6).exact().block("a", entry).build().blocklist().save(path);
  }
}
