package dev.tamis.cli.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Commands;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CorpusDedupTest {

  private static final String SIX = "a b c d e f";

  @TempDir Path directory;

  @Test
  void aDocumentWhoseTextCameBeforeIsDroppedWhateverItsOtherMembers() throws IOException {
    Path in =
        file(
            "in.jsonl",
            """
            {"id":1,"text":"caf\\u00e9"}
            {"id":2,"text":"other"}
            { "text" : "café" , "id" : 3 }
            {"id":4,"text":""}
            {"id":5,"text":""}
            """);
    check(dedup("", in), "records=5 kept=3 dropped=2 without_text=0");
    assertThat(output("in.jsonl"))
        .isEqualTo(
            """
            {"id":1,"text":"caf\\u00e9"}
            {"id":2,"text":"other"}
            {"id":4,"text":""}
            """);
  }

  @Test
  void recordsWithoutATextAreKept() throws IOException {
    String lines = "{\"text\":null}\n{\"text\":null}\n{\"a\":1}\n{\"text\":{}}\n\n \n7\n";
    check(dedup("", file("in.jsonl", lines)), "records=7 kept=7 without_text=7");
    assertThat(output("in.jsonl")).isEqualTo(lines);
  }

  @Test
  void theFieldMayBeAPointer() throws IOException {
    Path in =
        file("in.jsonl", "{\"a\":{\"b\":\"x\"},\"text\":1}\n{\"a\":{\"b\":\"x\"},\"text\":2}\n");
    check(dedup("--field /a/b", in), "kept=1 dropped=1");
    Cli.run("corpus dedup --field /a~ -o", out(), in)
        .refused("tamis corpus dedup: --field: a pointer must have ...");
  }

  @Test
  void paragraphsAreCutOutAndTheRestStaysByteForByte() throws IOException {
    Path in =
        file(
            "in.jsonl",
            """
            {"id":1,"text":"one \\u00e9\\ud83d\\ude42\\ntwo\\n\\nthree"}
            {"a" : [1, 2],"text":"two\\nfour\\/4 \\ud83d\\ude42\\none é🙂\\n\\nthree" ,"z":"\\u0041"}
            {"id":3,"text":"\\n\\nthree"}
            {"id":4,"text":"\\n\\n"}
            """);
    Path repeats = directory.resolve("repeats");
    check(
        dedup("--paragraphs --duplicates-to " + repeats, in),
        "records=4 kept=3 changed=1 emptied=1 dropped=1 units=14 short_units=6 repeats=4");
    assertThat(output("in.jsonl"))
        .isEqualTo(
            """
            {"id":1,"text":"one \\u00e9\\ud83d\\ude42\\ntwo\\n\\nthree"}
            {"a" : [1, 2],"text":"four\\/4 \\ud83d\\ude42\\n\\n" ,"z":"\\u0041"}
            {"id":4,"text":"\\n\\n"}
            """);
    assertThat(repeats.resolve("in.jsonl"))
        .hasContent(
            """
            {"a" : [1, 2],"text":"two\\none é🙂\\nthree" ,"z":"\\u0041"}
            {"id":3,"text":"three"}
            """);
  }

  @Test
  void anEmptiedRecordIsKeptIfThatIsAskedFor() throws IOException {
    Path in = file("in.jsonl", "{\"text\":\"one\"}\n{\"id\":2,\"text\":\"one\"}\n");
    check(dedup("--keep-empty", in), "records=2 kept=2 changed=1 emptied=1 dropped=0");
    assertThat(output("in.jsonl")).isEqualTo("{\"text\":\"one\"}\n{\"id\":2,\"text\":\"\"}\n");
  }

  @Test
  void theSeparatorMayBeAnything() throws IOException {
    Path in = file("in.jsonl", "{\"text\":\"a\\n\\nb\\nc\\n\\na\"}\n{\"text\":\"c||d\"}\n");
    check(dedup("--paragraphs=\\n\\n", in), "repeats=1");
    assertThat(output("in.jsonl")).startsWith("{\"text\":\"a\\n\\nb\\nc\\n\\n\"}\n");
    check(dedup("--paragraphs=||", in), "repeats=0");
    Cli.run("corpus dedup --paragraphs= -o", out(), in).refused("...separator is empty...");
  }

  /** Four 3-grams; two known ones are half of them. */
  @ParameterizedTest
  @CsvSource({"0.5, 1", "0.51, 2", "1, 2"})
  void aUnitWhoseNgramsAreKnownFromTheOverlapOnIsARepeat(double overlap, int kept)
      throws IOException {
    Path in = texts("a b c d e f", "a b c d x y");
    check(dedup("--ngrams 3 --overlap " + overlap, in), "kept=" + kept + " ngrams=8");
  }

  /** dolma's min_words above 0 turned de-duplication off. */
  @ParameterizedTest
  @ValueSource(strings = {"--paragraphs", "--paragraphs --ngrams 3"})
  void minWordsKeepsShortUnitsAndChangesNothingElse(String units) throws IOException {
    Path in = texts(SIX + "\\na b", "a b\\n" + SIX, "a b\\nnew g h i j k");
    check(
        dedup("--min-words 3 " + units, in),
        "records=3 kept=3 changed=1 emptied=0 units=6 short_units=3 repeats=1");
    assertThat(output("in.jsonl"))
        .isEqualTo(
            """
            {"text":"a b c d e f\\na b"}
            {"text":"a b\\n"}
            {"text":"a b\\nnew g h i j k"}
            """);
  }

  @Test
  void minCharsKeepsShortUnits() throws IOException {
    Path in = texts("äöü", "äöü", "äöüx", "äöüx");
    check(dedup("--min-chars 4", in), "kept=3 dropped=1");
  }

  @Test
  void textsThatDifferByNormalizationAreRepeats() throws IOException {
    Path in = texts("Caf\\u00e9!", "  cafe\\u0301");
    check(dedup("", in), "kept=2");
    check(dedup("--normalize lower,nfc,space,punct", in), "kept=1");
    Cli.run("corpus dedup --normalize upper -o", out(), in)
        .refused("...expected nfc, lower, punct or space, got 'upper'...");
  }

  @Test
  void eachInputHasAnOutputOfItsNameAndCompressionEvenIfItIsEmpty() throws IOException {
    Path in = Files.createDirectories(directory.resolve("in/deep"));
    Path packed = in.resolve("b.jsonl.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write("{\"text\":\"x\"}\n".getBytes(StandardCharsets.UTF_8));
    }
    Files.writeString(in.resolve("a.json"), "{\"text\":\"x\"}");
    Files.writeString(in.resolve("c.ndjson"), "");
    Files.writeString(in.resolve("d.txt"), "none of ours");
    check(dedup("", directory.resolve("in")), "records=2 kept=1");
    assertThat(output("deep/a.json")).isEqualTo("{\"text\":\"x\"}\n");
    assertThat(output("deep/c.ndjson")).isEmpty();
    try (GZIPInputStream gzip =
        new GZIPInputStream(Files.newInputStream(out().resolve("deep/b.jsonl.gz")))) {
      assertThat(gzip.readAllBytes()).isEmpty();
    }
    assertThat(out().resolve("deep/d.txt")).doesNotExist();
  }

  @Test
  void theInputsMayBeNamedInAFile() throws IOException {
    Path in = texts("a", "a");
    Path names = file("names", in + "\0");
    Cli.run("corpus dedup -q -o", out(), "--files0-from", names).ok();
    assertThat(output("in.jsonl")).hasLineCount(1);
  }

  @Test
  void annotationsHaveDolmasLayoutAndCountCodePoints() throws IOException {
    Path in =
        file(
            "in.jsonl",
            """
            {"id":"é","text":"🙂 a b\\nsame words here"}
            {"id":7,"text":"\\ud83d\\ude42\\nsame words here\\nz"}
            {"text":"no id"}
            """);
    check(dedup("--paragraphs --annotate repeats", in), "records=3 kept=3 dropped=0 repeats=1");
    assertThat(output("attributes/repeats/in.jsonl"))
        .isEqualTo(
            """
            {"id":"é","attributes":{"repeats":[]}}
            {"id":7,"attributes":{"repeats":[[2,18,1]]}}
            {"id":null,"attributes":{"repeats":[]}}
            """);
    assertThat(out().resolve("in.jsonl")).doesNotExist();
    Path ngrams = texts("a b c d e f", "a b c d x y");
    check(dedup("--ngrams 3 --overlap 0.5 --annotate n", ngrams), "repeats=1");
    assertThat(output("attributes/n/in.jsonl")).endsWith("\"n\":[[0,11,0.5]]}}\n");
  }

  @Test
  void aMalformedRecordIsAnErrorWithItsPlaceAndNothingIsWritten() throws IOException {
    Path good = file("a.jsonl", "{\"text\":1}\n");
    Path bad = file("b.jsonl", "{}\n{\"text\":\"x\"\n");
    Cli.run("corpus dedup --json -o", out(), good, bad)
        .refused("tamis corpus dedup: ...b.jsonl: line 2: ...byte ...; correct it, or add ...");
    assertThat(output("a.jsonl")).hasLineCount(1);
    assertThat(out().resolve("b.jsonl")).doesNotExist();
    check(dedup("--keep-malformed", good, bad), "records=3 kept=3 malformed=1");
    assertThat(output("b.jsonl")).isEqualTo(Files.readString(bad));
  }

  /** bff reported the fpp for the expected keys and dropped 98 % of the rest. */
  @Test
  void anOverfullFilterIsAnErrorAsSoonAsItIsNoticed() throws IOException {
    Path in = directory.resolve("in");
    Corpora.write(in, 2, 2000, 1);
    Cli.run("corpus dedup --json --paragraphs --ngrams 5 -n 1000 -o", out(), in)
        .refused("tamis corpus dedup: filter is overfull: its fpp is ..., requested 0.01; ...");
    assertThat(out().resolve("part-1.jsonl")).doesNotExist();
    dedup("--paragraphs --ngrams 5", in);
    assertThat(out().resolve("part-1.jsonl")).exists();
  }

  @Test
  void partsOneAfterTheOtherGiveWhatOneRunGives() throws IOException {
    Path in = directory.resolve("in");
    Corpora.write(in, 2, 500, 2);
    for (String units : List.of("", "--paragraphs ")) {
      dedup(units, in);
      Path from = in;
      for (int part = 1; part <= 3; part++) {
        Path to = directory.resolve("part" + part + units.strip());
        Cli.run("corpus dedup -q " + units + "--part " + part + "/3 -o", to, from).ok();
        from = to;
      }
      assertThat(Corpora.contents(from)).isEqualTo(Corpora.contents(out()));
      assertThat(Corpora.contents(from)).isNotEqualTo(Corpora.contents(in));
    }
    Cli.run("corpus dedup --part 1/3 --ngrams 3 -o", out(), in)
        .refused("...--part: the n-grams of a unit are in all parts...");
  }

  @Test
  void anOutputNeverReplacesAnInput() throws IOException {
    Path in = texts("a", "a");
    Cli.run("corpus dedup -o", directory, in).refused("...is an input, and -o ...");
    assertThat(in).hasContent("{\"text\":\"a\"}\n{\"text\":\"a\"}");
    Path same = Files.createDirectories(directory.resolve("x")).resolve("in.jsonl");
    Files.copy(in, same);
    Cli.run("corpus dedup -o", out(), in, same).refused("...both be written as in.jsonl...");
    Cli.run("corpus dedup -o", directory.resolve("x/out"), directory.resolve("x"))
        .refused("...x/out: is in the input ...x, so that outputs would be read...");
    Cli.run("corpus dedup -o", out()).refused("...no input is named...");
    Cli.run("corpus dedup -o", out(), "-").refused("...-: is no file or folder...");
  }

  @Test
  void thereAreNoMoreThanTwentyOptions() {
    List<String> own = new ArrayList<>();
    Commands.of("corpus dedup").options().forEach(option -> own.add(option.longestName()));
    own.removeAll(List.of("--help", "--debug"));
    assertThat(own).hasSizeLessThanOrEqualTo(20);
  }

  private JsonObject dedup(String options, Path... inputs) {
    List<Object> words = new ArrayList<>(List.of("corpus dedup --json -o", out()));
    if (!options.isBlank()) {
      words.addAll(List.of((Object[]) options.strip().split(" ", -1)));
    }
    words.addAll(List.of(inputs));
    return Cli.run(words.toArray()).ok().jsonSummary();
  }

  private static void check(JsonObject summary, String figures) {
    for (String figure : figures.split(" ", -1)) {
      String[] parts = figure.split("=", 2);
      assertThat(summary.get(parts[0]).getAsLong())
          .as("%s in %s", figure, summary)
          .isEqualTo(Long.parseLong(parts[1]));
    }
  }

  private Path texts(String... texts) throws IOException {
    return file("in.jsonl", "{\"text\":\"" + String.join("\"}\n{\"text\":\"", texts) + "\"}\n");
  }

  private Path file(String name, String contents) throws IOException {
    return Files.writeString(directory.resolve(name), contents);
  }

  private Path out() {
    return directory.resolve("out");
  }

  private String output(String name) throws IOException {
    return Files.readString(out().resolve(name));
  }
}
