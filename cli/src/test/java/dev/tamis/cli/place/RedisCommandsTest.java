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
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose filter is on a server. */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class RedisCommandsTest {

  @RegisterExtension private static final RedisProcess server = new RedisProcess();

  @TempDir private Path directory;
  private final String url = server.url("seen");

  @Test
  void severalRunsAreLikeOne() {
    Cli.runOn("a\nb\na\n", "dedup -n 1000 -s", url).prints("a\nb\n");
    Cli.runOn("b\nc\n", "dedup -s", url).prints("c\n");
    Cli.runOn("c\nd\na", "dedup -n 1000 -p 1e-6 -s", url).prints("d\n");
    Cli.runOn("d\ne\n", "dedup -d -s", url).prints("d\n").says("lines=2 unique=1 duplicates=1 ...");
  }

  @Test
  void aFilterOnAServerKnowsHowItsKeysWereMade() {
    Cli.runOn("1,b\n2,b\nb\n", "dedup -q -n 1000 -k 2 -t , -s", url).prints("1,b\nb\n");
    Cli.runOn("3,b\nc\n", "dedup -q -k 2 -t , -s", url).prints("c\n");
    Cli.runOn("c\n", "dedup -n 1000 -s", url)
        .refused(
            "tamis dedup: %s: -k differs: it was filled by -k 2 -t , and this run compares by whole"
                + " lines; give ...",
            url);
    assertThat(Cli.run("info", url).out()).containsPattern("rule +-k 2 -t ,\n");
    Cli.runOn("b\n", "check", url).prints("b\n").says("tamis check: warning: ...");
    Cli.runOn("c\n", "build -q -n 1000 -o", url).ok();
    Cli.runOn("c\nd\n", "dedup -q -s", url).prints("d\n");
    Cli.runOn("c\n", "dedup -i -s", url).refused("...-i differs...");
  }

  @Test
  void linesWithoutAKeyStayInTheirPlaceAndAreNotPut() {
    String lines = "{}\n{\"a\":1}\n{}\n{\"a\":\"1\"}\n{\"a\":1.0}\n[]\n";
    Cli.runOn(lines, "dedup -n 1000 --json-key a -s", url)
        .prints("{}\n{\"a\":1}\n{}\n{\"a\":\"1\"}\n[]\n")
        .sums("lines=6 unique=2 duplicates=1 without-key=3");
    Cli.runOn(lines, "dedup -q -d --json-key a -s", url)
        .prints("{\"a\":1}\n{\"a\":\"1\"}\n{\"a\":1.0}\n");
    Cli.runOn(lines, "check --json-key a", url).prints("{\"a\":1}\n{\"a\":\"1\"}\n{\"a\":1.0}\n");
    Cli.runOn(lines, "dedup --json-key b -s", url).refused("...--json-key differs...");
    int printed = 0;
    for (int part = 1; part <= 3; part++) {
      String place = server.url("part" + part);
      String command = "dedup -q -n 1000 --json-key a --part " + part + "/3 -s " + place;
      printed += (int) Cli.runOn(lines, command).ok().out().lines().count();
    }
    assertThat(printed).isEqualTo(5);
  }

  @Test
  void ofFirstRunsAtOnceOnlyThoseThatCompareAlikeGoOn() throws Exception {
    ExecutorService runs = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 10; round++) {
        String place = server.url("race" + round);
        List<Callable<Result>> first = new ArrayList<>();
        for (int run = 0; run < 8; run++) {
          String line = run + "," + run + "\n";
          String command = "dedup -q -n 1000 -t , -k " + (1 + run % 2) + " -s " + place;
          first.add(() -> Cli.runOn(line, command));
        }
        List<Future<Result>> results = runs.invokeAll(first);
        boolean isFirstField = Cli.run("info", place).out().matches("(?s).*\nrule +-k 1 .*");
        for (int run = 0; run < 8; run++) {
          Result result = results.get(run).get();
          if (run % 2 == 0 == isFirstField) {
            result.prints(run + "," + run + "\n");
          } else {
            result.refused("...-k differs...");
          }
        }
      }
    } finally {
      runs.shutdown();
    }
  }

  @Test
  void aServerThatLosesSilentlyIsSaidToDoSoOnce() {
    try (RedisProcess snapshots = new RedisProcess("save 3600 1")) {
      String place = snapshots.url("seen");
      Cli.runOn("a\na\n", "dedup -q -n 1000 -s", place)
          .prints("a\n")
          .says(
              "tamis dedup: %s: the server keeps snapshots only: if it is killed, what was put"
                  + " since the last one is silently unknown; set appendonly yes there",
              place);
      assertThat(Cli.run("info", place).out()).containsPattern("persistence +snapshots\n");
    }
    Cli.runOn("a\n", "dedup -q -n 1000 -s", url).says("");
    assertThat(Cli.run("info", url).out()).containsPattern("persistence +none\n");
  }

  @Test
  void infoListsTheFiltersOfAServer() {
    String place = server.url("");
    Cli.run("info", place).prints("");
    Cli.run("info --json", place).prints("{\"filters\":[]}\n");
    Cli.runOn("a\n", "dedup -n 1000 -p", 0.01, "-s", url);
    Cli.runOn("a\n", "build -n 1000 -p", 0.01, "-o", server.url("known"));
    for (String same : List.of(place, place.substring(0, place.length() - 1), place + "?db=0")) {
      assertThat(Cli.run("info", same).out())
          .matches(
              "filter 1  name=known kind=bloom expected-keys=1000 fpp=0.01 bytes=\\d+ shards=1\n"
                  + "filter 2  name=seen kind=bloom expected-keys=1000 fpp=0.01 bytes=\\d+"
                  + " shards=1\n");
    }
    Cli.run("info", place + "?db=1").prints("");
    assertThat(Cli.run("info --json", place).out())
        .startsWith("{\"filters\":[{\"name\":\"known\",\"kind\":\"bloom\",");
    Cli.runOn("a\n", "check", place).refused("...filter name is missing...");
  }

  @Test
  void processesAtOncePrintEachLineOnceInAll() throws Exception {
    int distinct = 20_000;
    Cli.runOn("", "dedup -n", distinct, "-p 1e-9 -s".split(" ", -1), url);
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int from = i * 1000;
      Path input = directory.resolve("in" + i);
      Files.write(
          input,
          IntStream.range(0, distinct)
              .mapToObj(n -> "line " + (n * 7919L + from) % distinct)
              .toList());
      processes.add(start(directory.resolve("out" + i), List.of(), "dedup -q -s", url, input));
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
    Process process = start(null, List.of(), "dedup -n 1000 -s", url);
    try (OutputStream in = process.getOutputStream();
        InputStream out = process.getInputStream()) {
      in.write("a\nb\na\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertThat(out.readNBytes(4)).asString().isEqualTo("a\nb\n");
      server.send("FLUSHALL");
      in.write("a\nc\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertThat(out.read()).isEqualTo(-1);
    }
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(directory.resolve("err"))
        .content()
        .startsWith("tamis dedup: " + url + ": ")
        .endsWith(
            "; lines 4 to 5 of the input may be in the filter and were not printed; all lines"
                + " before them were\n");
  }

  @Test
  void aFilterThatIsNotThereNeedsToBeSized() {
    Cli.runOn("a\n", "dedup -s", url)
        .refused(
            "...to create one, give the expected distinct lines with -n (a filter on a server does"
                + " not grow)...");
    Cli.runOn("a\n", "check", url).refused("...check the name...");
    Cli.run("info", url).refused("...check the name...");
  }

  /** U is the URL, of a filter for 1000 keys. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dedup -n 999 -s U | expected keys differs: the server has 1000, -n requests 999
          dedup -p 0.02 -s U | fpp differs
          dedup -m 1M -s U | memory in bytes differs
          dedup -n 9 -s U -o file | leave -o out
          dedup -x -s U | --exact cannot be combined with --state
          check --map U | --map requires a file
          build -n 9 -t scalable -o U | must be blocked, classic or partitioned on a server, got sca
          build -t fuse -o U | must be blocked, classic or partitioned on a server, got fuse; name a
          """)
  void whatCannotGoWithAServerIsRefused(String command, String why) {
    Cli.runOn("a\n", "dedup -n 1000 -p 0.01 -s", url);
    Cli.runOn("a\n", command.replace("U", url)).refused("..." + why + "...");
    Cli.runOn("a\nb\n", "dedup -s", url).prints("b\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "partitioned"})
  void aFilterBuiltOnTheServerIsTheOneBuiltInAFile(String type) throws IOException {
    byte[] lines = Lines.numbers(0, 2000);
    Path file = directory.resolve("file");
    Path copy = directory.resolve("copy");
    Cli.runOn(Lines.numbers(5000, 5100), "build -q -n 100 -o", url); // to be replaced
    Cli.runOn(lines, "build -n 2000 -p", 0.001, "-t", type, "-o", url).ok().sums("lines=2000");
    Cli.runOn(lines, "build -q -n 2000 -p", 0.001, "-t", type, "-o", file);

    Cli.runOn("0\n1999\nx\n", "check", url).prints("0\n1999\n");
    Cli.runOn("0\nx\n", "check -v", url).prints("x\n");
    Cli.runOn(Lines.numbers(0, 3000), "check -c", url)
        .prints(Cli.runOn(Lines.numbers(0, 3000), "check -c", file).out());
    Cli.run("count", url).prints(Cli.run("count", file).out());
    Cli.run("merge -q -o", copy, url, url).ok();
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
  void aFilterBegunByBuildCanBeMergedWithFilesAndOneOfDedupSaysWhyNot() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0".repeat(32));
    Path file = directory.resolve("file");
    Cli.runOn("a\n", "build -q -n 100 --key-file", key, "-o", file);
    Cli.runOn("", "build -q -n 100 --key-file", key, "-o", url);
    Cli.runOn("b\n", "dedup -q -n 100 --key-file", key, "-s", url).prints("b\n");
    Cli.run("merge -q --key-file", key, "-o", url, url, file).ok();
    Cli.runOn("a\nb\nc\n", "check --key-file", key, url).prints("a\nb\n");
    Cli.runOn("a\n", "check", url).refused();

    Cli.runOn("a\n", "build -q -n 100 -p 0.01 -o", file);
    Cli.runOn("b\n", "dedup -q -n 100 -p 0.01 -s", server.url("other"));
    Cli.run("merge -q -o", directory.resolve("union"), file, server.url("other"))
        .refused(
            "...layout differs: split and line; build both with the same -n, -p and -t, also on"
                + " a server, where dedup -s makes another layout...");
  }

  @Test
  void aFilterWithTwoLinesPerKeyIsInOneStringHoweverLargeItIs() {
    Cli.runOn("a\n", "build -n 9000000 -o", url).says("lines=1 ..."); // 35 MB
    assertThat(Cli.run("info", url).out()).containsPattern("shards +1\n");
    Cli.runOn("a\nb\n", "check", url).prints("a\n");
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
      Cli.runOn("a\nb\na\n", "dedup -s", url)
          .prints("a\nb\n")
          .sums("unique=2 expected-wrong-drops=unknown");
      Cli.runOn("b\nc\n", "dedup -n 1000 -p", 0.001, "-s", url).prints("c\n");
      assertThat(window.acceptedKeys()).isZero();
      assertThat(window.approximateElementCount().rounded()).isEqualTo(3);
    }
    Cli.runOn("a\nx\nc\n", "check", url).prints("a\nc\n");
    assertThat(Cli.run("count", url).out()).startsWith("keys        3 ");
    assertThat(Cli.run("info", url).out())
        .contains("kind           windowed")
        .contains("window         PT1H");
    Cli.runOn("a\n", "dedup -n 999 -s", url).refused("...expected keys differs...");
    Cli.runOn("a\n", "build -n 9 -o", url).refused("...is a window...");
    Cli.run("merge -o", directory.resolve("file"), url, url).refused("...is a window...");
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
    result.refused("..." + why + "...expected redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N]...");
    assertThat(result.err()).doesNotContain("secret");
  }

  @Test
  void aServerThatIsNotThereIsAnErrorAndItsPasswordNotShown() {
    RedisProcess gone = new RedisProcess();
    gone.close();
    String there = gone.url("seen").replace("127", "me:secret@127");
    for (String command : List.of("dedup -n 9 -s", "build -n 9 -o", "check", "info")) {
      Cli.runOn("a\n", command, there).refused("..." + gone.url("seen") + ": ...");
    }
    Cli.run("info redis://me:secret@no_such_host.invalid/seen")
        .refused("...redis://no_such_host.invalid:6379/seen: ...");
  }

  @Test
  void tlsToAServerWithoutItIsAnErrorWithinTheTimeout() {
    String there = server.url("seen").replace("redis:", "rediss:");
    long start = System.nanoTime();
    Result result = Cli.run("info --timeout 500ms", there);
    result.refused("..." + there + ": ...");
    assertThat(result.err()).doesNotContain("null");
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
  }

  @Test
  void aServerThatNeverRepliesIsAnErrorAfterTheTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String there = "redis://127.0.0.1:" + silent.getLocalPort() + "/seen";
      Cli.run("info --timeout 300ms", there).refused("..." + there + ": ...");
      Cli.run("info --timeout 0", there).refused("...--timeout: must be...");
    }
  }

  @Test
  void aPasswordAndADatabaseAreUsed() {
    try (RedisProcess guarded = new RedisProcess("requirepass s3%cret")) {
      String there = guarded.url("seen").replace("127", ":s3%25cret@127");
      Cli.runOn("a\n", "dedup -n 9 -s", there + "?db=3").prints("a\n");
      Cli.runOn("a\n", "check", there + "?db=3").prints("a\n");
      Cli.runOn("a\n", "check", there).refused("...check the name...");
    }
  }

  @Test
  void commandsWithoutAServerLoadNothingOfTheClient() throws Exception {
    Path input = Files.writeString(directory.resolve("in"), "a\nb\na\n");
    Path loaded = directory.resolve("loaded");
    List<String> options = List.of("-verbose:class");
    Process process = start(loaded, options, "dedup -s", directory.resolve("s"), input);
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(loaded))
        .contains("dev.tamis.cli.dedup.Dedup ")
        .doesNotContain("dev.tamis.redis", "redis.clients");
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
}
