package dev.tamis.cli.digest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("a.digest");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text, ISO_8859_1);
  }

  @Test
  void theSummaryOfMakeAddsUp() throws IOException {
    Path urls = write("urls", "http://a/\n\nhttp://a/\nhttp://b/\n");
    Result made = Cli.run("digest make -o", file, "--bits-per-entry", "16", urls, urls);
    assertThat(made.summary())
        .containsAllEntriesOf(
            Map.of(
                "lines", "8",
                "blank", "2",
                "count", "6",
                "new", "2",
                "capacity", "8",
                "bits-per-entry", "16",
                "bytes", "144"))
        .containsKeys("set-bits", "filled", "fpp", "seconds");
    Cli.run("digest make --json -o", file, urls).says("{\"lines\":4,\"blank\":1,\"new\":2,...");
  }

  @Test
  void anEmptyListIsADigestOfNothing() {
    Cli.runOn("", "digest make -q -n 10 -o", file).ok();
    Cli.runOn("http://a/\n", "digest check", file).exits(1);
    Cli.runOn("http://a/\n", "digest check -v", file).prints("http://a/\n");
  }

  @Test
  void checkGoesByBytesOfAnyLengthAndExitsAsGrep() throws IOException {
    String longUrl = "http://h/" + "x".repeat(3 << 20);
    String odd = "http://h/\u00ff\r";
    Path urls = write("urls", longUrl + "\n" + odd + "\nhttp://h/\n");
    Cli.run("digest make -q -n 1000 -o", file, urls);
    Path asked = write("asked", "http://h/\r\n\n" + longUrl + "\nhttp://g/\n" + odd);
    Result found = Cli.run("digest check", file, asked);
    assertThat(new String(found.bytes(), ISO_8859_1)).isEqualTo(longUrl + "\n" + odd + "\n");
    assertThat(found.exit()).isZero();
    Cli.run("digest check -v", file, asked).prints("http://h/\r\nhttp://g/\n");
    Cli.run("digest check -c", file, asked, asked).prints("4\n");
    Cli.run("digest check -vc", file, asked).prints("2\n");
    Cli.runOn("http://g/\n", "digest check -c", file).prints("0\n").exits(1);
    Cli.runOn("http://h/\0http://g/\0", "digest check -z", file).prints("http://h/\0");
  }

  @Test
  void showSaysWhatTheDigestIs() {
    Cli.runOn(Lines.numbers(0, 1000), "digest make -q -n 1000 -o", file);
    assertThat(Cli.run("digest show", file).out())
        .contains("capacity          1000\n", "count             1000\n", "overfull          no\n")
        .containsPattern("keys +\\d+ \\(\\d+ to \\d+\\)\n")
        .containsPattern("fpp +0\\.0[89]\\d*\n")
        .contains("bytes             753\n");
    assertThat(Cli.run("digest show --json", file).out())
        .startsWith("{\"kind\":\"cache digest\",\"version\":5,\"required_version\":3,")
        .contains("\"capacity\":1000,\"bits_per_entry\":5,\"bits\":5000,\"hashes\":4,")
        .hasLineCount(1);
  }

  @Test
  void aDigestThatIsOverfullIsAWarning() {
    Result made = Cli.runOn(Lines.numbers(0, 1000), "digest make -n 500 -o", file).ok();
    assertThat(made.err())
        .startsWith("tamis digest make: warning: 79 % of the bits are set; Squid ignores")
        .hasLineCount(2);
    Cli.runOn(Lines.numbers(0, 1000), "digest make -n 5 -o", file)
        .says("...100 % of the bits are set, so every URL is a hit; ...");
    assertThat(Cli.run("digest show", file).out())
        .contains("overfull          yes\n", "fpp               1\n")
        .containsPattern("keys +not estimable \\(at least \\d+\\)\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bits-per-entry 256 | --bits-per-entry must be 1 to 255, got 256",
        "-n 429496728 | a digest of 5 bits per entry has a capacity of at most 429496727 entries,"
            + " got 429496728; lower -n or --bits-per-entry",
        "--bits-per-entry 5 | -n is required, because lines from a pipe cannot be counted first;"
            + " give the expected number of URLs",
      })
  void aSizeThatCannotBeIsRefused(String option, String expected) {
    Cli.runOn("x\n", "digest make " + option, "-o", file).refused("tamis digest make: " + expected);
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "check"})
  void aMissingOrDamagedDigestIsAnErrorAndNotNothingFound(String command) throws IOException {
    Cli.run("digest", command, file)
        .refused("tamis digest %s: %s: No such file or directory; check the name\n", command, file);
    Cli.runOn("http://a/\n", "digest make -q -n 100 -o", file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[19]++;
    Files.write(file, bytes);
    Cli.run("digest", command, file)
        .refused(
            "tamis digest %s: %s: not a valid cache digest: mask_size at byte 16: expected 63 bytes"
                + " for 100 entries of 5 bits, got 64; the file is damaged, or of another kind\n",
            command, file);
  }

  @Test
  void fetchWaitsForACacheThatIsBuildingItsDigest() throws IOException {
    Cli.runOn(Lines.numbers(0, 100), "digest make -q -n 100 -o", file);
    byte[] digest = Files.readAllBytes(file);
    byte[] building = "This cache is currently building its digest.\n".getBytes(US_ASCII);
    Path copy = directory.resolve("copy");
    AtomicInteger asked = new AtomicInteger();
    try (Site site =
        new Site(
            path ->
                path.equals("/odd")
                    ? new Site.Answer(200, "", digest)
                    : asked.incrementAndGet() > 2
                        ? new Site.Answer(200, "application/cache-digest", digest)
                        : new Site.Answer(404, "text/plain", building))) {
      Cli.run("digest fetch --attempts 2 --delay 1ms -o", copy, site.url(""))
          .refused(
              "tamis digest fetch: %s: no..." + "'This cache is currently building its digest.'...",
              site.url("/squid-internal-periodic/store_digest"));
      assertThat(copy).doesNotExist();
      asked.set(0);
      Cli.run("digest fetch --delay 1ms -o", copy, site.url(""))
          .ok()
          .sums("attempts=3 capacity=100 count=100");
      assertThat(copy).hasBinaryContent(digest);
      Cli.run("digest fetch --max-size 62 -o", copy, site.url("/odd"))
          .refused("...expected a digest of at most 62 bytes, got more...");
      Cli.run("digest fetch -o", copy, site.url("/odd"))
          .ok()
          .says("tamis digest fetch: warning: Content-Type is '', not 'application/...");
    }
  }

  @Test
  void whatIsNoAddressIsRefused() {
    Cli.run("digest fetch -o", file, "proxy:3128")
        .refused(
            "tamis digest fetch: expected the address of a cache, such as"
                + " http://proxy.example:3128, got 'proxy:3128'\n");
  }
}
