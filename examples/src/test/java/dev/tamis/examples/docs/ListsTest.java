package dev.tamis.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import dev.tamis.file.ReloadingFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.tools.metrics.FilterMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/lists.md. */
class ListsTest {

  private static final Logger LOG = System.getLogger("lists");

  @TempDir Path folder;

  @Test
  void aListOfPasswordsIsReplacedWhileItIsQueried() throws IOException {
    Path file = folder.resolve("denied.tamis");
    save(file, "123456", "password");
    MeterRegistry registry = new SimpleMeterRegistry();
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    String password = "password";
    // region passwords
    ReloadingFilter<CharSequence> denied = ReloadingFilter.load(file, KeyHasher.text());
    FilterMetrics.bind(registry, "denied-passwords", denied);
    Runnable refresh =
        () ->
            denied
                .refresh()
                .refusal()
                .ifPresent(reason -> LOG.log(Level.WARNING, "list not replaced", reason));
    Future<?> refreshing = scheduler.scheduleWithFixedDelay(refresh, 10, 10, TimeUnit.SECONDS);
    // ... in any thread:
    boolean isDenied = denied.mightContain(password);
    // end passwords
    assertThat(isDenied).isTrue();
    save(file, "123456", "letmein");
    refresh.run();
    assertThat(denied.mightContain(password)).isFalse();
    assertThat(denied.mightContain("letmein")).isTrue();
    assertThat(registry.get("tamis.filter.keys").gauge().value()).isEqualTo(2);
    Files.delete(file);
    refresh.run();
    assertThat(denied.mightContain("letmein")).isTrue();
    refreshing.cancel(false);
    scheduler.shutdownNow();
  }

  private static void save(Path file, String... passwords) throws IOException {
    FilterFile.save(
        file,
        RibbonFilter.<CharSequence>builder(KeyHasher.text())
            .fpp(1e-6)
            .putAll(List.of(passwords))
            .build());
  }

  @Test
  void aKnownFileIsFoundByItsDigest() throws Exception {
    Path known = Files.writeString(folder.resolve("known"), "a file that many systems have");
    Path other = Files.writeString(folder.resolve("other"), "one that this system alone has");
    DcsoBloomFilter<CharSequence> filter = DcsoBloomFilter.create(KeyHasher.text(), 100, 1e-9);
    filter.put(sha1(known));
    FilterFile.save(folder.resolve("known-files.tamis"), filter);
    assertThat(isKnown(folder.resolve("known-files.tamis"), known)).isTrue();
    assertThat(isKnown(folder.resolve("known-files.tamis"), other)).isFalse();
  }

  private static boolean isKnown(Path list, Path file) throws Exception {
    // region files
    ReloadingFilter<CharSequence> known = ReloadingFilter.load(list, KeyHasher.text());
    boolean isKnown = known.mightContain(sha1(file));
    // end files
    return isKnown;
  }

  /** Returns the digest of a file as hashlookup has it: 40 hexadecimal digits in upper case. */
  private static String sha1(Path file) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-1");
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().withUpperCase().formatHex(digest.digest());
  }
}
