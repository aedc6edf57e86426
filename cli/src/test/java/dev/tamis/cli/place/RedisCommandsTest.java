package dev.tamis.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.Main;
import dev.tamis.cli.RedisProcess;
import dev.tamis.cli.lines.Line;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisLink;
import dev.tamis.redis.RedisWindowedBloomFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose filter is on a server. */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class RedisCommandsTest {

  private static RedisProcess server;

  @TempDir private Path directory;
  private String url;

  @BeforeAll
  static void start() {
    server = new RedisProcess();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void emptyIt() {
    assertThat(server.send("FLUSHALL")).isEqualTo("+OK");
    url = server.url("seen");
  }

  @Test
  void severalRunsAreLikeOne() {
    String out =
        Cli.runOn("a\nb\na\n", "dedup", "-n", 1000, "-s", url).out()
            + Cli.runOn("b\nc\n", "dedup", "-s", url).out()
            + Cli.runOn("c\nd\na", "dedup", "-n", 1000, "-p", "1e-6", "-s", url).out();
    assertThat(out).isEqualTo("a\nb\nc\nd\n");
    Result repeats = Cli.runOn("d\ne\n", "dedup", "-d", "-s", url);
    assertThat(repeats.out()).isEqualTo("d\n");
    assertThat(repeats.summary())
        .containsEntry("lines", "2")
        .containsEntry("unique", "1")
        .containsEntry("duplicates", "1");
  }

  @Test
  void aServerThatLosesSilentlyIsSaidToDoSoOnce() {
    try (RedisProcess snapshots = new RedisProcess("save 3600 1")) {
      String place = snapshots.url("seen");
      Result run = Cli.runOn("a\na\n", "dedup", "-q", "-n", 1000, "-s", place);
      assertThat(run.out()).isEqualTo("a\n");
      assertThat(run.err())
          .isEqualTo(
              "tamis dedup: %s: the server keeps snapshots only: if it is killed, what was put"
                  + " since the last one is silently unknown; set appendonly yes there\n",
              place);
      assertThat(Cli.run("info", place).out()).containsPattern("persistence +snapshots\n");
    }
    assertThat(Cli.runOn("a\n", "dedup", "-q", "-n", 1000, "-s", url).err()).isEmpty();
    assertThat(Cli.run("info", url).out()).containsPattern("persistence +none\n");
  }

  @Test
  void infoListsTheFiltersOfAServer() {
    String place = server.url("");
    assertThat(Cli.run("info", place).out()).isEmpty();
    assertThat(Cli.run("info", "--json", place).out()).isEqualTo("{\"filters\":[]}\n");
    Cli.runOn("a\n", "dedup", "-n", 1000, "-p", 0.01, "-s", url);
    Cli.runOn("a\n", "build", "-n", 1000, "-p", 0.01, "-o", server.url("known"));
    for (String same : List.of(place, place.substring(0, place.length() - 1), place + "?db=0")) {
      assertThat(Cli.run("info", same).out())
          .matches(
              "filter 1  name=known kind=bloom expected-keys=1000 fpp=0.01 bytes=\\d+ shards=1\n"
                  + "filter 2  name=seen kind=bloom expected-keys=1000 fpp=0.01 bytes=\\d+"
                  + " shards=1\n");
    }
    assertThat(Cli.run("info", place + "?db=1").out()).isEmpty();
    assertThat(Cli.run("info", "--json", place).out())
        .startsWith("{\"filters\":[{\"name\":\"known\",\"kind\":\"bloom\",");
    assertRefused(Cli.runOn("a\n", "check", place), "filter name is missing");
  }

  @Test
  void processesAtOncePrintEachLineOnceInAll() throws Exception {
    int distinct = 20_000;
    List<Process> processes = new ArrayList<>();
    Cli.runOn("", "dedup", "-n", distinct, "-p", "1e-9", "-s", url);
    for (int i = 0; i < 3; i++) {
      int run = i;
      List<String> lines =
          IntStream.range(0, distinct)
              .mapToObj(n -> "line " + (n * 7919L + run * 1000L) % distinct)
              .toList();
      Path input = Files.write(directory.resolve("in" + i), lines);
      Path output = directory.resolve("out" + i);
      processes.add(tamis(output, "dedup", "-q", "-s", url, input));
    }
    List<String> printed = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      assertThat(processes.get(i).waitFor()).isZero();
      printed.addAll(Files.readAllLines(directory.resolve("out" + i)));
    }
    assertThat(printed).doesNotHaveDuplicates().hasSize(distinct);
  }

  @Test
  void aFilterThatIsFlushedInTheMidstIsAnErrorThatSaysWhatIsInDoubt() throws Exception {
    Process process = tamis(null, "dedup", "-n", 1000, "-s", url);
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = reader(process)) {
      in.write("a\nb\na\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertThat(out.readLine()).isEqualTo("a");
      assertThat(out.readLine()).isEqualTo("b");
      server.send("FLUSHALL");
      in.write("a\nc\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertThat(out.readLine()).isNull();
    }
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(directory.resolve("err"))
        .content()
        .startsWith("tamis dedup: " + url + ": ")
        .endsWith(
            "; lines 4 to 5 of the input may be in the filter and were not printed; all lines"
                + " before them were\n");
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void aFilterThatIsNotThereNeedsToBeSized() {
    assertRefused(
        Cli.runOn("a\n", "dedup", "-s", url),
        "to create one, give the expected distinct lines with -n (a filter on a server does not"
            + " grow)");
    assertRefused(Cli.runOn("a\n", "check", url), "check the name");
    assertRefused(Cli.run("info", url), "check the name");
  }

  @Test
  void aFilterOfAnotherSizeIsRefused() {
    Cli.runOn("a\n", "dedup", "-n", 1000, "-p", 0.01, "-s", url);
    assertRefused(
        Cli.runOn("a\n", "dedup", "-n", 999, "-s", url),
        "expected keys differs: the server has 1000, -n requests 999");
    assertRefused(Cli.runOn("a\n", "dedup", "-p", 0.02, "-s", url), "fpp differs");
    assertRefused(Cli.runOn("a\n", "dedup", "-m", "1M", "-s", url), "memory in bytes differs");
    assertThat(Cli.runOn("a\nb\n", "dedup", "-s", url).out()).isEqualTo("b\n");
  }

  @Test
  void whatCannotGoWithAServerIsRefused() {
    Path file = directory.resolve("file");
    assertRefused(Cli.runOn("a\n", "dedup", "-n", 9, "-s", url, "-o", file), "leave -o out");
    assertRefused(
        Cli.runOn("a\n", "dedup", "-x", "-s", url), "--exact cannot be combined with --state");
    Cli.runOn("a\n", "dedup", "-n", 9, "-s", url);
    assertRefused(Cli.runOn("a\n", "check", "--map", url), "--map requires a file");
    assertRefused(
        Cli.runOn("a\n", "build", "-n", 9, "-t", "scalable", "-o", url),
        "type: must be blocked, classic or partitioned on a server, got scalable; name a file");
    assertRefused(
        Cli.runOn("a\n", "build", "-t", "fuse", "-o", url),
        "type: must be blocked, classic or partitioned on a server, got fuse; name a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "partitioned"})
  void aFilterBuiltOnTheServerIsTheOneBuiltInAFile(String type) throws IOException {
    byte[] lines = Lines.numbers(0, 2000);
    Path file = directory.resolve("file");
    Path copy = directory.resolve("copy");
    Cli.runOn(Lines.numbers(5000, 5100), "build", "-q", "-n", 100, "-o", url); // to be replaced
    Result built = Cli.runOn(lines, "build", "-n", 2000, "-p", 0.001, "-t", type, "-o", url).ok();
    assertThat(built.summary()).containsEntry("lines", "2000");
    Cli.runOn(lines, "build", "-q", "-n", 2000, "-p", 0.001, "-t", type, "-o", file);

    assertThat(Cli.runOn("0\n1999\nx\n", "check", url).out()).isEqualTo("0\n1999\n");
    assertThat(Cli.runOn("0\nx\n", "check", "-v", url).out()).isEqualTo("x\n");
    assertThat(Cli.runOn(Lines.numbers(0, 3000), "check", "-c", url).out())
        .isEqualTo(Cli.runOn(Lines.numbers(0, 3000), "check", "-c", file).out());
    assertThat(Cli.run("count", url).out()).isEqualTo(Cli.run("count", file).out());
    Cli.run("merge", "-q", "-o", copy, url, url).ok();
    assertThat(copy).hasSameBinaryContentAs(file);
    assertThat(Cli.run("info", url).out().lines())
        .containsAll(
            Cli.run("info", file)
                .out()
                .lines()
                .filter(line -> !line.matches("(set bits|filled|fpp  |bytes|checksum) .*"))
                .toList());
  }

  @Test
  void aMergeCanGoToTheServer() {
    Path one = directory.resolve("one");
    Path other = directory.resolve("other");
    Cli.runOn("a\n", "build", "-q", "-n", 10, "-o", one);
    Cli.runOn("b\n", "build", "-q", "-n", 10, "-o", other);
    Cli.run("merge", "-q", "-o", url, one, other).ok();
    assertThat(Cli.runOn("a\nb\nc\n", "check", url).out()).isEqualTo("a\nb\n");
  }

  @Test
  void aFilterBegunByBuildCanBeMergedWithFilesAndOneOfDedupSaysWhyNot() {
    Path file = directory.resolve("file");
    Cli.runOn("a\n", "build", "-q", "-n", 100, "-o", file);
    Cli.runOn("", "build", "-q", "-n", 100, "-o", url);
    assertThat(Cli.runOn("b\n", "dedup", "-q", "-n", 100, "-s", url).out()).isEqualTo("b\n");
    Cli.run("merge", "-q", "-o", url, url, file).ok();
    assertThat(Cli.runOn("a\nb\nc\n", "check", url).out()).isEqualTo("a\nb\n");

    String other = server.url("other");
    Path one = directory.resolve("one");
    Cli.runOn("a\n", "build", "-q", "-n", 100, "-p", 0.01, "-o", one);
    Cli.runOn("b\n", "dedup", "-q", "-n", 100, "-p", 0.01, "-s", other);
    assertRefused(
        Cli.run("merge", "-q", "-o", directory.resolve("union"), one, other),
        "layout differs: split and line; build both with the same -n, -p and -t, also on"
            + " a server, where dedup -s makes another layout");
  }

  @Test
  void aFilterWithTwoLinesPerKeyIsInOneStringHoweverLargeItIs() {
    Result built = Cli.runOn("a\n", "build", "-n", 9_000_000, "-o", url); // 35 MB
    assertThat(built.err()).startsWith("lines=1 ");
    assertThat(Cli.run("info", url).out()).containsPattern("shards +1\n");
    assertThat(Cli.runOn("a\nb\n", "check", url).out()).isEqualTo("a\n");
  }

  @Test
  void aWindowOnTheServerIsUsedLikeAFilter() {
    try (RedisLink link = JedisLink.to(URI.create(server.url("")), Duration.ofSeconds(10), 1)) {
      RedisWindowedBloomFilter<Line> window =
          RedisWindowedBloomFilter.builder(link, "seen", Line.HASHER)
              .window(Duration.ofHours(1))
              .expectedKeys(1_000)
              .fpp(0.001)
              .create();
      Result first = Cli.runOn("a\nb\na\n", "dedup", "-s", url);
      assertThat(first.out()).isEqualTo("a\nb\n");
      assertThat(first.summary())
          .containsEntry("unique", "2")
          .containsEntry("expected-wrong-drops", "unknown");
      assertThat(Cli.runOn("b\nc\n", "dedup", "-n", 1000, "-p", 0.001, "-s", url).out())
          .isEqualTo("c\n");
      assertThat(window.acceptedKeys()).isZero();
      assertThat(window.approximateElementCount().rounded()).isEqualTo(3);
    }
    assertThat(Cli.runOn("a\nx\nc\n", "check", url).out()).isEqualTo("a\nc\n");
    assertThat(Cli.run("count", url).out()).startsWith("keys        3 ");
    assertThat(Cli.run("info", url).out())
        .contains("kind           windowed")
        .contains("window         PT1H");
    assertRefused(Cli.runOn("a\n", "dedup", "-n", 999, "-s", url), "expected keys differs");
    assertRefused(Cli.runOn("a\n", "build", "-n", 9, "-o", url), "is a window");
    assertRefused(Cli.run("merge", "-o", directory.resolve("file"), url, url), "is a window");
  }

  @Test
  void aKeyedFilterIsForThoseWhoHaveTheKey() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0".repeat(32));
    Cli.runOn("a\n", "dedup", "-n", 10, "--key-file", key, "-s", url);
    assertThat(Cli.runOn("a\nb\n", "check", "--key-file", key, url).out()).isEqualTo("a\n");
    Cli.runOn("a\n", "check", url).refused();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis://me:secret@host|filter name is missing
          redis://me:secret@host/|filter name is missing
          redis:///seen|host is missing
          redis://me:secret@host:99999/seen|port must be 1 to 65535, got 99999
          redis://me:secret@host:0/seen|port must be 1 to 65535, got 0
          redis://me:secret@host/seen?db=x|query must be db=N
          redis://me:secret@host/seen?ttl=1|query must be db=N
          redis://me:secret@host/seen#1|must not contain '#'
          redis://me:secret@host/se en|not a URL
          redis://me:secret@host/%7Bx%7D|filter name must not contain braces
          REDISS://me:secret@/seen|host is missing
          redis://me:secret@host:port/seen|host or port is malformed
          redis://me:secret@[::1/seen|not a URL
          """)
  void aUrlThatIsWrongIsRefusedAndItsPasswordNotShown(String wrong, String why) {
    Result result = Cli.runOn("a\n", "dedup", "-s", wrong);
    assertRefused(result, why);
    assertThat(result.err())
        .contains("expected redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N]")
        .doesNotContain("secret");
  }

  @Test
  void aServerThatIsNotThereIsAnErrorAndItsPasswordNotShown() {
    RedisProcess gone = new RedisProcess();
    gone.close();
    String there = gone.url("seen").replace("127", "me:secret@127");
    for (Result result :
        List.of(
            Cli.runOn("a\n", "dedup", "-n", 9, "-s", there),
            Cli.runOn("a\n", "build", "-n", 9, "-o", there),
            Cli.runOn("a\n", "check", there),
            Cli.run("info", there))) {
      assertRefused(result, gone.url("seen") + ": ");
      assertThat(result.err()).doesNotContain("secret");
    }
  }

  @Test
  void aHostMayHaveAnUnderscore() {
    Result result = Cli.run("info", "redis://me:secret@no_such_host.invalid/seen");
    assertRefused(result, "redis://no_such_host.invalid:6379/seen: ");
    assertThat(result.err()).doesNotContain("secret");
  }

  @Test
  void tlsToAServerWithoutItIsAnErrorWithinTheTimeout() {
    String there = server.url("seen").replace("redis:", "rediss:");
    long start = System.nanoTime();
    Result result = Cli.run("info", "--timeout", "500ms", there);
    assertRefused(result, there + ": ");
    assertThat(result.err()).doesNotContain("null");
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
  }

  @Test
  void aServerThatNeverRepliesIsAnErrorAfterTheTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String there = "redis://127.0.0.1:" + silent.getLocalPort() + "/seen";
      assertRefused(Cli.run("info", "--timeout", "300ms", there), there + ": ");
      assertThat(Cli.run("info", "--timeout", "0", there).err()).contains("--timeout: must be");
    }
  }

  @Test
  void aPasswordAndADatabaseAreUsed() {
    try (RedisProcess guarded = new RedisProcess("requirepass s3%cret")) {
      String there = guarded.url("seen").replace("127", ":s3%25cret@127");
      assertThat(Cli.runOn("a\n", "dedup", "-n", 9, "-s", there + "?db=3").out()).isEqualTo("a\n");
      assertThat(Cli.runOn("a\n", "check", there + "?db=3").out()).isEqualTo("a\n");
      assertRefused(Cli.runOn("a\n", "check", there), "check the name");
      Result wrong = Cli.runOn("a\n", "check", there.replace("s3", "wrong"));
      assertRefused(wrong, guarded.url("seen"));
      assertThat(wrong.err()).doesNotContain("cret");
    }
  }

  @Test
  void commandsWithoutAServerLoadNothingOfTheClient() throws Exception {
    Path input = Files.writeString(directory.resolve("in"), "a\nb\na\n");
    Path loaded = directory.resolve("loaded");
    Process process =
        start(loaded, List.of("-verbose:class"), "dedup", "-s", directory.resolve("s"), input);
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(loaded))
        .contains("dev.tamis.cli.dedup.Dedup ")
        .doesNotContain("dev.tamis.redis")
        .doesNotContain("redis.clients");
  }

  private Process tamis(@Nullable Path output, Object... args) throws IOException {
    return start(output, List.of(), args);
  }

  private Process start(@Nullable Path output, List<String> options, Object... args)
      throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add("-XX:TieredStopAtLevel=1");
    ProcessBuilder builder =
        new ProcessBuilder(Cli.java(all, Main.class, args)).directory(directory.toFile());
    if (output != null) {
      builder.redirectOutput(output.toFile());
    }
    return builder.redirectError(directory.resolve("err").toFile()).start();
  }

  private static void assertRefused(Result result, String why) {
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(why).hasLineCount(1);
  }
}
