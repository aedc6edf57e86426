package dev.tamis.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the commands other than dedup. */
class KeyOptionsTest {

  private static final String KNOWN = "{\"url\":\"http:\\/\\/a/\",\"n\":1}\n{\"url\":7}\n{}\n";
  private static final String LINES =
      "{\"url\":\"http://a/\"}\n{\"url\":7.0}\n{\"url\":\"7\"}\n{\"url\":null}\n";

  @TempDir Path directory;
  private Path known;
  private Path filter;

  @BeforeEach
  void write() throws IOException {
    known = Files.writeString(directory.resolve("known"), KNOWN);
    filter = directory.resolve("filter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "scalable", "cuckoo", "fuse", "ribbon", "guava", "spark"})
  void aFilterOfMembersAnswersForMembers(String type) {
    String size = type.equals("fuse") || type.equals("ribbon") ? "" : "-n 1000 ";
    Cli.run("build " + size + "--json-key url -o", filter, "-t", type, known)
        .ok()
        .sums("lines=3 unique=2 duplicates=0 without-key=1");
    Cli.runOn(LINES, "check --json-key url", filter)
        .ok()
        .prints("{\"url\":\"http://a/\"}\n{\"url\":7.0}\n")
        .says("tamis check: without-key=1");
    Cli.runOn(LINES, "check -v --json-key url", filter).prints("{\"url\":\"7\"}\n{\"url\":null}\n");
    Cli.runOn(LINES, "check -c --json-key url", filter).prints("2\n");
    Cli.runOn(LINES, "check -c -v --json-key url", filter).prints("2\n");
  }

  @Test
  void aFilterOfLinesIsAListOfStringsForMembersAndFields() throws IOException {
    Cli.runOn("http://a/\n", "build -q -n 1 -o", filter).ok();
    Cli.runOn(LINES, "check --json-key url", filter)
        .prints("{\"url\":\"http://a/\"}\n")
        .says("tamis check: without-key=1");
    Cli.runOn("1\thttp://a/\n2\thttp://b/\n", "check -k 2", filter)
        .prints("1\thttp://a/\n")
        .says("");
    Cli.runOn("1,HTTP://a/\n", "check --csv -i -k 2", filter).prints("1,HTTP://a/\n").says("");
  }

  @Test
  void checkWarnsOfOtherKeys() {
    Cli.run("build -q --json-key url --part 1/2 -o", filter, known).ok();
    Cli.runOn("{\"url\":1}\n", "check -v --json-key url", filter)
        .says(
            "tamis check: warning: %s: was filled by --json-key url --part 1/2 and this run looks"
                + " up by --json-key url; give the same options, or lines that are such keys",
            filter);
    Cli.runOn("{\"url\":1}\n", "check -v --json-key url --part 1/2", filter).says("");
  }

  @Test
  void malformedLinesAreRefusedOrKept() {
    Cli.run("build -q --json-key url -o", filter, known).ok();
    String lines = "{\"url\":7}\n{\n";
    Cli.runOn(lines, "build -n 1 --json-key url -o", directory.resolve("o"))
        .refused("tamis build: standard input: line 2: not a valid JSON record: ...");
    assertThat(directory.resolve("o")).doesNotExist();
    Cli.runOn(lines, "build -n 1 --json-key url --keep-malformed -o", directory.resolve("o"))
        .sums("lines=2 unique=1 malformed=1");
    Cli.runOn(lines, "check -v --json-key url --keep-malformed", filter)
        .prints("{\n")
        .says("tamis check: without-key=0 malformed=1");
    Cli.runOn(lines, "stats lines --json-key url")
        .refused("tamis stats lines: standard input: line 2: ...");
    Cli.runOn(lines, "queue", directory.resolve("q"), "push", "--json-key", "url").exits(2);
  }

  @Test
  void statisticsAreOfKeys() {
    var json = Cli.runOn(LINES + LINES, "stats lines --json --json-key url").ok().json();
    assertThat(json.get("lines").getAsInt()).isEqualTo(8);
    assertThat(json.get("without_key").getAsInt()).isEqualTo(2);
    var leader = json.getAsJsonArray("leaders").get(0).getAsJsonObject();
    assertThat(json.getAsJsonArray("leaders")).hasSize(3);
    assertThat(leader.get("count").getAsInt()).isEqualTo(2);
    assertThat(leader.get("key").getAsString()).isEqualTo("7");
    String fields = Cli.runOn("1,b\n2,b\n", "stats lines --key 2 --field-separator ,").ok().out();
    assertThat(fields).containsPattern("lines +2\n").containsPattern("2 +2 +100 % +b\n");
  }

  @Test
  void fieldsAreKeysOfAFilter() {
    Cli.runOn("1,x\n2,y\n", "build -q -n 2 --key 2 --field-separator , -o", filter).ok();
    Cli.runOn("9,y\n9,z\n", "check -k 2 -t ,", filter).prints("9,y\n").says("");
    assertThat(Cli.run("info", filter).out()).containsPattern("rule +-k 2 -t ,\n");
    Cli.runOn("3,x\n3,z\n", "dedup -q -k 2 -t , -s", filter).prints("3,z\n");
  }

  @Test
  void aQueueTakesTheUrlsInLines() {
    Path queue = directory.resolve("queue");
    Cli.runOn(
            "{\"u\":\"http:\\/\\/a/?x,y\"}\n{}\n{\"u\":\"http://a/?x,y\"}\n",
            "queue",
            queue,
            "push",
            "--json-key",
            "u")
        .ok()
        .sums("pushed=2 accepted=1 duplicates=1 rejected=0 without-key=1");
    Cli.runOn("1,\"http://b/?x,y\"\n", "queue", queue, "push", "--csv", "-k", 2)
        .sums("accepted=1 rejected=0");
    Cli.runOn("1\thttp://c/\n", "queue", queue, "push", "-k", 2).sums("accepted=1");
    Cli.run("queue", queue, "poll", "--count", 9)
        .prints("http://a/?x,y\nhttp://b/?x,y\nhttp://c/\n");
  }

  @Test
  void aUrlIsInOnePartOfQueuesHoweverItIsWritten() {
    int pushed = 0;
    for (int part = 1; part <= 4; part++) {
      Path queue = directory.resolve("queue" + part);
      pushed +=
          Integer.parseInt(
              Cli.runOn(
                      "http://a/\nHTTP://A:80/\nhttp://a/#x\n",
                      "queue",
                      queue,
                      "push",
                      "--part",
                      part + "/4")
                  .ok()
                  .summary()
                  .get("accepted"));
    }
    assertThat(pushed).isEqualTo(1);
  }
}
