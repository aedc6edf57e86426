package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.lines.KeyPart;
import dev.tamis.cli.lines.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several runs that each take a part of the keys. */
class DedupPartTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "'',2",
    "'',7",
    "-d,3",
    "-x,3",
    "-x -d,2",
    "-x -c,3",
    "-k 2 -t :,4",
    "--csv -t : -k 2,3",
    "--json-key k,1",
    "--json-key k,3",
    "--json-key k -d,8",
    "--json-key k -x,3",
    "--json-key k -i --keep-malformed,5"
  })
  void runsOverAllPartsGiveTogetherWhatOneRunGives(String options, int parts) throws IOException {
    Random random = new Random(parts);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      String key = random.nextInt(5) == 0 ? "null" : "" + random.nextInt(1_000);
      lines.add("{\"n\":" + random.nextInt(3) + ",\"k\":" + key + "}");
    }
    lines.add(options.contains("--keep-malformed") ? "{" : "{}");
    Path file = Files.write(directory.resolve("in"), lines);
    String command = "dedup " + (options + " -n 3000").strip();
    var whole = Cli.run(command.split(" "), file).ok();
    List<String> expected = new ArrayList<>(whole.out().lines().toList());
    List<String> found = new ArrayList<>();
    for (int part = 1; part <= parts; part++) {
      var run = Cli.run(command.split(" "), "--part", part + "/" + parts, file).ok();
      found.addAll(run.out().lines().toList());
      if (parts > 1) {
        Map<String, String> sums = run.summary();
        long kept = number(sums, "without-key") * (options.contains("json") ? 1 : 0);
        assertThat(number(sums, "lines"))
            .isEqualTo(
                number(sums, "unique")
                    + number(sums, "duplicates")
                    + kept
                    + number(sums, "malformed")
                    + number(sums, "other-parts"));
      }
    }
    Collections.sort(expected);
    Collections.sort(found);
    assertThat(found).isEqualTo(expected).isNotEmpty();
  }

  private static long number(Map<String, String> summary, String name) {
    return Long.parseLong(summary.getOrDefault(name, "0"));
  }

  @Test
  void eachRunTakesItsShareOfTheMemory() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      lines.add("line " + i);
    }
    Path file = Files.write(directory.resolve("in"), lines);
    long whole = bits(Cli.run("dedup -q -s", directory.resolve("all"), file).ok(), "all");
    long part = bits(Cli.run("dedup -q --part 3/8 -s", directory.resolve("p"), file).ok(), "p");
    assertThat(part).isLessThan(3 * whole); // at least 100,000 keys in a state
    Path built = directory.resolve("b");
    long built1 = bits(Cli.run("build -q -o", built, file).ok(), "b");
    long built8 = bits(Cli.run("build -q --part 1/8 -o", built, file).ok(), "b");
    assertThat((double) built1 / built8).isBetween(7.5, 8.5);
  }

  private long bits(Cli.Result unused, String name) {
    return Cli.run("info --json", directory.resolve(name)).ok().json().get("bits").getAsLong();
  }

  /** The positions in a filter are made of the hash that decides about the part too. */
  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "fuse", "ribbon", "cuckoo"})
  void aFilterOfAPartKeepsItsFpp(String type) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 320_000; i++) {
      lines.add("member " + i);
    }
    Path file = Files.write(directory.resolve("in"), lines);
    Path filter = directory.resolve("filter");
    Cli.run("build -q -p 0.01 --part 5/16 -t", type, "-o", filter, file).ok();
    Path absent = directory.resolve("absent");
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 1_600_000; i++) {
      others.add("absent " + i);
    }
    Files.write(absent, others);
    double queried = others.stream().filter(line -> contains(new KeyPart(5, 16), line)).count();
    assertThat(queried).isBetween(100_000 - 5 * 307.0, 100_000 + 5 * 307.0);
    double found =
        Double.parseDouble(Cli.run("check -c --part 5/16", filter, absent).ok().out().strip());
    assertThat(found / queried).isBetween(0.005, 0.0125);
    Cli.run("check -c -v --part 5/16", filter, file).exits(1).prints("0\n");
  }

  private static boolean contains(KeyPart part, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Line line = new Line();
    line.set(bytes, 0, bytes.length);
    return part.contains(line);
  }

  /** Frozen: a state is continued by later versions. */
  @Test
  void thePartOfAKeyIsFrozen() {
    List<Integer> parts = new ArrayList<>();
    for (String key : new String[] {"", "a", "b", "http://example.com/", "tamis"}) {
      for (int part = 1; part <= 1000; part++) {
        if (contains(new KeyPart(part, 1000), key)) {
          parts.add(part);
        }
      }
    }
    assertThat(parts).containsExactly(689, 355, 210, 326, 510);
  }

  @Test
  void theNumberOfPartsIsLimited() {
    Cli.runOn("a\n", "dedup -q --part 1/1").prints("a\n");
    Cli.runOn("a\n", "dedup -q --part 65535/65535").ok();
    Cli.runOn("a\n", "dedup -q --part 65536/65536").ok();
    for (String part : new String[] {"65537/65537", "0/1", "1/0", "3/2"}) {
      Cli.runOn("a\n", "dedup --part", part)
          .refused("...expected K/N with K from 1 to N, and N at most 65536, got " + part + "...");
    }
    for (String part : new String[] {"1", "1/", "a/b", "-1/2", "1/9999999999"}) {
      Cli.runOn("a\n", "dedup --part", part).refused("...expected K/N, such as 1/8, got...");
    }
  }
}
