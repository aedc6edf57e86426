package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tamis.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines compared by a part of them. */
class DedupKeyTest {

  @TempDir Path directory;

  /** Compared with lists of values, for all short lines, however lines are read and kept. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-k 1           | ,   | 1",
        "-k 2           | ,   | 2",
        "-k 2,3         | ,   | 2 3",
        "-k 1,3         | ,   | 1 3",
        "-k 4,2         | ,   | 2 4",
        "-k -2          | ,   | 1 2",
        "-k 3-          | ,   | 3 4 5 6",
        "-k 1,3-4,6     | ,   | 1 3 4 6",
        "-k 7           | ,   | 7",
        "-k 1-          | ,   | 1 2 3 4 5 6",
        "-i             | ,   | ''",
        "-k 2 -i        | ,   | 2",
        "-k 1,3 -i      | ,   | 1 3",
        "-k 1,3 -i      | a   | 1 3",
        "-k 1,3 -i      | A   | 1 3",
        "-k 2,4 -z      | ,   | 2 4",
        "--csv          | ,   | ''",
        "--csv -k 2     | ,   | 2",
        "--csv -k 1,3 -z| ,   | 1 3",
        "--csv -k 2-3 -i| a   | 2 3",
        "--csv -k 1,3 -i| A   | 1 3",
      })
  void comparesTheFieldsThatALineHasOrElseAllOfIt(String options, char separator, String fields)
      throws IOException {
    boolean csv = options.contains("--csv");
    String end = options.contains("-z") ? "\0" : "\n";
    StringBuilder all = new StringBuilder();
    StringBuilder firsts = new StringBuilder();
    Set<Object> seen = new HashSet<>();
    for (Row row : csv ? csvRows(separator) : plainRows(separator, end)) {
      all.append(row.text()).append(end);
      if (seen.add(row.key(fields, options.contains("-i")))) {
        firsts.append(row.text()).append(end);
      }
    }
    Object[] way = ("dedup -q " + options.strip()).split(" ");
    Object[] separated = fields.isEmpty() && !csv ? way : new Object[] {way, "-t", separator};
    Path file = Files.writeString(directory.resolve("in"), all);
    Cli.runOn(all.toString(), separated).prints(firsts.toString());
    Cli.run(separated, "-x", file).prints(firsts.toString());
    Cli.run(separated, "-s", directory.resolve("state"), file).prints(firsts.toString());
  }

  private record Row(String text, List<String> values) {

    Object key(String fields, boolean ignoresCase) {
      List<String> picked = new ArrayList<>();
      for (String field : fields.isEmpty() ? new String[0] : fields.split(" ", -1)) {
        if (Integer.parseInt(field) <= values.size()) {
          picked.add(values.get(Integer.parseInt(field) - 1));
        }
      }
      Object key = Map.entry(picked.isEmpty(), picked.isEmpty() ? values : picked);
      return ignoresCase ? key.toString().toLowerCase(Locale.ROOT) : key.toString();
    }
  }

  private static List<Row> plainRows(char separator, String end) {
    List<String> lines = new ArrayList<>(List.of(""));
    for (int i = 0; lines.get(i).length() < 5; i++) {
      for (String next : List.of("a", "A", end.equals("\n") ? "b" : "\n", "," + separator)) {
        lines.add(lines.get(i) + next.charAt(next.length() - 1));
      }
    }
    return lines.stream()
        .map(line -> new Row(line, List.of(line.split(String.valueOf(separator), -1))))
        .toList();
  }

  /** Returns records of one to three values, each with and without quotes where it may be. */
  private static List<Row> csvRows(char separator) {
    List<Row> rows = new ArrayList<>();
    List<String> values = List.of("", "a", "A", "a,", "\"", "b\nb");
    for (String value : values) {
      rows.add(new Row(quoted(value), List.of(value)));
      rows.add(new Row(plain(value, separator), List.of(value)));
    }
    for (int i = 0; rows.get(i).values().size() < 3; i++) {
      Row row = rows.get(i);
      for (String value : values) {
        List<String> longer = new ArrayList<>(row.values());
        longer.add(value);
        rows.add(new Row(row.text() + separator + plain(value, separator), longer));
      }
    }
    return rows;
  }

  private static String plain(String value, char separator) {
    boolean mayBe = value.indexOf(separator) < 0 && !value.contains("\"") && !value.contains("\n");
    return mayBe ? value : quoted(value);
  }

  private static String quoted(String value) {
    return '"' + value.replace("\"", "\"\"") + '"';
  }

  @Test
  void fieldsAreSeparatedByTabs() {
    Cli.runOn("a\t1\nb\t1\nc\t2\n", "dedup -k 2").prints("a\t1\nc\t2\n");
    Cli.runOn("a\0a b\0", "dedup -z -t", " ", "-k1").prints("a\0");
  }

  @Test
  void linesWithoutTheFieldAreReported() {
    Cli.runOn("a\tb\nc\td\na\tb\ne\tf\tg\nh\n", "dedup -k 3")
        .prints("a\tb\nc\td\ne\tf\tg\nh\n")
        .sums("without-key=4");
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
                picked = [row[i - 1] for i in sorted(set(fields or [])) if i <= len(row)]
                key = (bool(picked), *(picked or row))
                if key not in seen:
                    seen.add(key)
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
    "-x, --exact reads its input twice and needs regular files; save the lines in a file",
    "-x -s state, --exact cannot be combined with --state",
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
    Cli.runOn("b\nc\n", "dedup --files0-from -")
        .refused("tamis dedup: -: names must end with NUL, got lines; write them with ...");
    Cli.runOn("-\0", "dedup --files0-from -").refused("...name 1 is -...");
    Cli.runOn("\0", "dedup --files0-from -").refused();
    Cli.runOn("b\0\0c\0", "dedup --files0-from -").refused("...name 2 is empty...");
    Cli.runOn("", "dedup --files0-from -").refused("...has no names...");
  }
}
