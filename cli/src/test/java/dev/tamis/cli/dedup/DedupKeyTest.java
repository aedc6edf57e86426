package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines compared by a part of them. */
class DedupKeyTest {

  private static final byte NEWLINE = '\n';

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "1,3", "2-3", "-2", "3-", "1,3-4,6-", "7", "5-6,1-2,2", "1-"})
  void comparesByWhatCutPrints(String fields) throws Exception {
    byte[] lines = randomLines(fields.hashCode(), "ab,\"\r x", 4000);
    Path file = Files.write(directory.resolve("in"), lines);
    byte[] expected = firsts(lines, cut(fields, file));
    assertThat(Cli.run("dedup -t , -k", fields, file).bytes()).isEqualTo(expected);
    assertThat(Cli.run("dedup -x -t , -k", fields, file).bytes()).isEqualTo(expected);
  }

  private List<String> cut(String fields, Path file) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("cut", "-d", ",", "-f", fields, file.toString());
    builder.environment().put("LC_ALL", "C");
    return Lines.split(builder.start().getInputStream().readAllBytes(), NEWLINE);
  }

  /** Returns the lines whose keys, in the same order, are the first of their kind. */
  private static byte[] firsts(byte[] lines, List<String> keys) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Set<String> seen = new HashSet<>();
    List<String> all = Lines.split(lines, NEWLINE);
    assertThat(keys).hasSameSizeAs(all);
    for (int i = 0; i < all.size(); i++) {
      if (seen.add(keys.get(i))) {
        out.writeBytes((all.get(i) + "\n").getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return out.toByteArray();
  }

  private static byte[] randomLines(long seed, String alphabet, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void fieldsAreSeparatedByTabs() {
    Cli.runOn("a\t1\nb\t1\nc\t2\n", "dedup -k 2").prints("a\t1\nc\t2\n");
    Cli.runOn("a\0a b\0", "dedup -z -t", " ", "-k1").prints("a\0");
  }

  @Test
  void linesWithoutTheFieldAreReported() {
    Cli.runOn("a\tb\nc\td\ne\tf\tg\nh\n", "dedup -k 3")
        .prints("a\tb\ne\tf\tg\nh\n")
        .sums("without-key=2");
  }

  @Test
  void theCaseOfAsciiLettersCanBeIgnored() {
    Cli.runOn("aZ\nAz\n[\n{\nÄ\nä\n", "dedup -i").prints("aZ\n[\n{\nÄ\nä\n");
    Cli.runOn("x\tA\ny\ta\n", "dedup -i -k 2").prints("x\tA\n");
  }

  @Test
  void repeatsByKeyCanBePrinted() {
    Cli.runOn("a\t1\nb\t1\nc\t2\n", "dedup -d -k 2").prints("b\t1\n");
  }

  /** A state does not depend on how keys were found. */
  @Test
  void aStateHasTheKeys() throws IOException {
    Path state = directory.resolve("state");
    Cli.runOn("k\n", "dedup -q -s", state).ok();
    Cli.runOn("1,k\n2,l\n", "dedup -s", state, "-t", ",", "-k", "2").prints("2,l\n");
    Cli.runOn("\"l\",3\nm,4\n", "dedup -s", state, "--csv", "-k", "1").prints("m,4\n");
    Cli.runOn("M\n", "dedup -s", state, "-i").prints("");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void csvIsReadAsPythonReadsIt(int seed) throws Exception {
    byte[] records = randomCsv(seed, 3000);
    Path file = Files.write(directory.resolve("in"), records);
    for (String fields : List.of("2", "1,3")) {
      byte[] expected = python(file, fields);
      assertThat(Cli.run("dedup --csv -k", fields, file).bytes()).isEqualTo(expected);
    }
    assertThat(Cli.run("dedup -x --csv", file).bytes()).isEqualTo(python(file, "1-"));
  }

  private static byte[] randomCsv(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      for (int field = random.nextInt(4); field >= 0; field--) {
        boolean quoted = random.nextInt(3) == 0;
        StringBuilder value = new StringBuilder();
        for (int length = random.nextInt(4); length > 0; length--) {
          String alphabet = quoted ? "ab\"\n,\r" : value.isEmpty() ? "ab" : "ab\"";
          value.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        text.append(quoted ? '"' + value.toString().replace("\"", "\"\"") + '"' : value);
        text.append(quoted && random.nextInt(5) == 0 ? "b" : "");
        text.append(field > 0 ? "," : random.nextBoolean() ? "\r\n" : "\n");
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private byte[] python(Path file, String fields) throws Exception {
    Path script =
        Files.writeString(
            directory.resolve("script.py"),
            """
            import csv, sys
            name, low, high = sys.argv[1], sys.argv[2], sys.argv[3]
            fields = [int(low), int(high)] if int(high) else None
            text = open(name, encoding='latin-1', newline='').read()
            lines = [line + '\\n' for line in text.split('\\n')[:-1]]
            reader, seen, at = csv.reader(iter(lines)), set(), 0
            for row in reader:
                row = row or ['']
                raw, at = ''.join(lines[at:reader.line_num]), reader.line_num
                if fields and len(row) > 1:
                    row = [row[i - 1] for i in sorted(set(fields)) if i <= len(row)]
                    row = row or ['']
                if tuple(row) not in seen:
                    seen.add(tuple(row))
                    sys.stdout.buffer.write(raw.encode('latin-1'))
            """);
    String[] ends = fields.equals("1-") ? new String[] {"0", "0"} : fields.split(",", -1);
    Process process;
    try {
      process =
          new ProcessBuilder(
                  "python3", script.toString(), file.toString(), ends[0], ends[ends.length - 1])
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      assumeTrue(false, "python3 is not installed");
      throw e;
    }
    byte[] out = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).isZero();
    return out;
  }

  @Test
  void aQuoteThatIsNotClosedIsAnError() throws IOException {
    Path file = Files.writeString(directory.resolve("in"), "a\n\"b\nc\n");
    Cli.run("dedup --csv", file)
        .refused()
        .says(
            "tamis dedup: %s: record 2 has a quote that is not closed; close it, or leave --csv"
                + " out\n",
            file);
  }

  @ParameterizedTest
  @CsvSource({
    "-k 0, expected numbers of fields",
    "-k 3-2, expected numbers of fields",
    "-k 1;2, expected numbers of fields",
    "-k -, expected numbers of fields",
    "-k 99999999999, expected numbers of fields",
    "-t x, -t separates the fields of -k",
    "-k1 -t xy, -t: must be one ASCII character",
    "-k1 -t ä, -t: must be one ASCII character",
    "-c, -c needs -x",
    "-x -c -d, -c cannot be combined with -d",
    "-S 2M, -S and -T are for -x",
    "-x -S 1000, -S: must be at least 1048576",
    "-x -T /nowhere, /nowhere: is not a directory",
    "--files0-from /nowhere, /nowhere: No such file",
  })
  void optionsThatMakeNoSenseAreRefused(String options, String message) {
    Cli.runOn("a\n", "dedup " + options).refused("..." + message + "...");
  }

  @Test
  void separatorsThatEndOrQuoteLinesAreRefused() {
    Cli.runOn("a\n", "dedup -k1 -t", "\n").refused("...-t cannot separate...");
    Cli.runOn("a\n", "dedup --csv -t", "\"").refused("...-t cannot separate...");
    Cli.runOn("a;1\nb;1\n", "dedup --csv -t ; -k2").prints("a;1\n");
    Cli.runOn("a\0a\nb\0a\n", "dedup -t", "\\0", "-k2").prints("a\0a\n");
  }

  @Test
  void inputsCanBeNamedInAFile() throws IOException {
    Path first = Files.writeString(directory.resolve("a file\nwith ü"), "1\n2\n");
    Path second = Files.writeString(directory.resolve("b"), "2\n3\n");
    String names = first + "\0" + second + "\0";
    Path list = Files.writeString(directory.resolve("list"), names);
    Cli.run("dedup --files0-from", list).prints("1\n2\n3\n");
    Cli.runOn(names, "dedup -x --files0-from -").prints("1\n2\n3\n");
    Cli.runOn(names, "dedup --files0-from -", first).refused("...names all inputs...");
    Cli.runOn("-\0", "dedup --files0-from -").refused("...name 1 is -...");
    Cli.runOn("\0", "dedup --files0-from -").refused();
    Cli.runOn("b\0\0c\0", "dedup --files0-from -").refused("...name 2 is empty...");
    Cli.runOn("", "dedup --files0-from -").refused("...has no names...");
  }
}
