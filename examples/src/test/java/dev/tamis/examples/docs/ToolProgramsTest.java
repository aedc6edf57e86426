package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tamis.blocklist.Blocklist;
import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.examples.JdbcStore;
import dev.tamis.examples.JdbcStore.Table;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.tools.digest.CacheDigest;
import dev.tamis.tools.digest.CachedMethod;
import dev.tamis.tools.digest.DigestFetcher;
import dev.tamis.tools.digest.DigestSize;
import dev.tamis.tools.digest.FetchedDigest;
import dev.tamis.tools.guard.GuardState;
import dev.tamis.tools.guard.StoreGuard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/tools and docs/choosing.md. */
class ToolProgramsTest {

  @TempDir Path folder;

  @Test
  void aQueueLeasesWhatWasPushed() throws IOException {
    Path todo = folder.resolve("todo");
    // region queue
    try (VisitQueue queue = VisitQueue.builder().expectedKeys(10_000_000).fpp(1e-6).open(todo)) {
      queue.push("https://example.org/");
      Optional<Lease> lease = queue.lease();
      // visit lease.get().url(), push its links, then
      lease.get().ack(); // or retry()
    }
    // end queue
    try (VisitQueue again = VisitQueue.open(todo)) {
      assertThat(again.poll()).isEmpty();
      assertThat(again.mightHaveSeen("https://example.org/")).isTrue();
    }
  }

  @Test
  void aGuardReadsTheTable() throws Exception {
    Path file = folder.resolve("pages.tamis");
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:pages", "", "");
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE page (url VARCHAR(2000) PRIMARY KEY, body VARCHAR)");
      assertThat(guarded(pool, file)).isEqualTo("text");
    } finally {
      pool.dispose();
    }
  }

  private static String guarded(DataSource dataSource, Path file) throws IOException {
    // region guard
    JdbcStore<String, String> table =
        new JdbcStore<>(
            dataSource, new Table("page", "url", "body", null), String.class, String.class);
    StoreGuard<String, String> pages =
        StoreGuard.<String>builder(KeyHasher.text())
            .expectedKeys(1_000_000)
            .fpp(0.01)
            .file(file)
            .build(table);
    if (pages.state() != GuardState.READY) {
      pages.rebuild(table::keys);
    }
    pages.get("a"); // null without a read, unless "a" is there or is a false positive
    pages.put("a", "text");
    String found = pages.get("a");
    pages.close(); // saves the filter; close the database after it
    // end guard
    return found == null ? "" : found;
  }

  @Test
  void aBlockListBlocks() throws IOException {
    Path path = folder.resolve("spam.block");
    Blocklist.builder().fpp(1e-6).block("spam", "spam.example").build().blocklist().save(path);
    assertThat(isRefused(path, "ann@spam.example")).isTrue();
    assertThat(isRefused(path, "ann@mail.example")).isFalse();
  }

  private static boolean isRefused(Path path, String sender) throws IOException {
    List<String> refused = new ArrayList<>();
    // region blocklist
    Blocklist spam = Blocklist.load(path);
    if (spam.check(sender).isBlocked()) {
      refused.add(sender);
    }
    // end blocklist
    return !refused.isEmpty();
  }

  @Test
  void aDigestIsFetchedAndQueried() throws Exception {
    CacheDigest digest = CacheDigest.create(DigestSize.ofEntries(1_000));
    digest.put(CachedMethod.GET, "http://example.com/logo.png");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    digest.writeTo(bytes);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        DigestFetcher.PATH,
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", FetchedDigest.CONTENT_TYPE);
          exchange.sendResponseHeaders(200, bytes.size());
          exchange.getResponseBody().write(bytes.toByteArray());
          exchange.close();
        });
    server.start();
    try {
      assertThat(isCached("http://127.0.0.1:" + server.getAddress().getPort())).isTrue();
    } finally {
      server.stop(0);
    }
  }

  private static boolean isCached(String proxy) throws IOException, InterruptedException {
    // region digest
    FetchedDigest fetched = DigestFetcher.builder().build().fetch(proxy);
    boolean cached = fetched.digest().mightContain(CachedMethod.GET, "http://example.com/logo.png");
    // end digest
    return cached;
  }

  @Test
  void layoutsAreChosenInABuilder() {
    // region layout
    BloomFilter<String> small =
        BloomFilter.<String>builder(KeyHasher.text())
            .expectedKeys(1_000_000)
            .fpp(0.01)
            .layout(Layout.CLASSIC) // 9.6 bits per key in place of 10.1, at half the speed
            .build();
    // end layout
    assertThat(small.bitSize()).isLessThan(9_600_000);
  }

  @Test
  void keysOfStrangersAreHashedUnderASecretKey() {
    // region secret
    HashKey key = HashKey.random(new SecureRandom());
    BloomFilter<String> seen =
        BloomFilter.<String>builder(KeyHasher.text().keyedBy(key))
            .expectedKeys(1_000_000)
            .fpp(0.01)
            .refuseWhenFull()
            .build();
    // end secret
    assertThat(seen.put("a")).isTrue();
    assertThat(seen.hasher().id())
        .isNotEqualTo(BloomFilter.create(KeyHasher.text(), 1_000, 0.01).hasher().id());
  }

  @Test
  void keysAreRemovedFromACuckooFilter() {
    // region remove
    CuckooFilter<String> online = CuckooFilter.create(KeyHasher.text(), 100_000, 0.001);
    if (!online.mightContain("ann")) { // never put a key again and again: it holds eight copies
      online.put("ann");
    }
    online.remove("ann"); // only what was put
    // end remove
    assertThat(online.mightContain("ann")).isFalse();
  }

  @Test
  void aWindowForgets() {
    // region window
    WindowedBloomFilter<String> lastHour =
        WindowedBloomFilter.<String>builder(KeyHasher.text())
            .window(Duration.ofHours(1))
            .clock(InstantSource.system())
            .expectedKeys(10_000_000) // within an hour
            .fpp(0.001)
            .build();
    boolean isNew = lastHour.put("request 1");
    // end window
    assertThat(isNew).isTrue();
    assertThat(lastHour.put("request 1")).isFalse();
  }

  @Test
  void aStaticFilterHoldsAllKeys() throws IOException {
    Path words = Files.writeString(folder.resolve("words.txt"), "a\nb\nc\n", UTF_8);
    // region static
    List<String> known = Files.readAllLines(words);
    FuseFilter<String> filter =
        FuseFilter.<String>builder(KeyHasher.text()).fpp(0.01).putAll(known).build();
    // end static
    assertThat(known).allMatch(filter::mightContain);
  }
}
