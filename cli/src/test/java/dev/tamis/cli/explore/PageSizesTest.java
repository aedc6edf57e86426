package dev.tamis.cli.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.explorer.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The explorer page computes what {@code tamis size} prints, to the last digit shown. */
class PageSizesTest {

  private static final int MIN_POINTS = 2_000;

  private static final List<String> KEYS =
      List.of(
          "1",
          "7",
          "100",
          "1000",
          "1M",
          "3_333_333",
          "50M",
          "1e9",
          "1e11",
          "1e14",
          String.valueOf((1L << 53) - 1));
  private static final List<String> FPPS =
      List.of("0.9", "0.5", "0.1", "0.03", "0.01", "0.002", "1e-4", "1e-6", "1e-9", "1e-12");
  private static final List<String> SIZES =
      List.of("1", "64", "1000", "64KiB", "1MB", "100MiB", "2G", "2199023255552");

  private static final List<String> NUMBERS =
      split("1|10|007|1.5|.5|5.|0|1,000|1,200,000|0,100|1,00|1_000|1__0|1e3|1E+2|1e-2|1,5|one|");
  private static final List<String> UNITS =
      split("|k|K| M|g|B| million|Billion| thousand|Q|%| %|KiB|kB| trillion");
  private static final double REFUSED = -1;

  @Test
  void thePageHasTheFiguresOfTheCommand(@TempDir Path folder) throws Exception {
    Node.assumeInstalled();
    List<String> requests = requests();
    Path input = Files.writeString(folder.resolve("requests"), String.join("\n", requests));
    Node.Run page = Node.run(input, List.of("src/test/page/compare-sizes.mjs"));
    assertThat(page.exit()).as(page.out()).isZero();
    List<String> expected = requests.stream().flatMap(PageSizesTest::command).toList();
    assertThat(page.out().lines().toList()).isEqualTo(expected);
    assertThat(expected.stream().filter(line -> line.contains("B ")))
        .hasSizeGreaterThan(MIN_POINTS);
  }

  @Test
  void thePageReadsNumbersAsTheCommandDoes(@TempDir Path folder) throws Exception {
    Node.assumeInstalled();
    List<String> texts = new ArrayList<>();
    for (String before : split("|1 in |1/|1:|1 IN |2 in |-")) {
      for (String number : NUMBERS) {
        UNITS.forEach(unit -> texts.add(before + number + unit));
      }
    }
    Path input = Files.writeString(folder.resolve("texts"), String.join("\n", texts));
    Node.Run page = Node.run(input, List.of("src/test/page/compare-numbers.mjs"));
    assertThat(page.exit()).as(page.out()).isZero();
    assertThat(page.out().lines().map(PageSizesTest::numbers).toList())
        .isEqualTo(
            texts.stream()
                .map(
                    text ->
                        Stream.of(
                                read(new NumberParser.CountConverter(), text),
                                read(new NumberParser.SizeConverter(), text),
                                read(new NumberParser.ProbabilityConverter(), text))
                            .toList())
                .toList());
  }

  private static List<String> split(String texts) {
    return List.of(texts.split("\\|", -1));
  }

  private static List<Double> numbers(String line) {
    return Stream.of(line.split(" ", -1))
        .map(word -> word.equals("refused") ? REFUSED : Double.parseDouble(word))
        .toList();
  }

  private static double read(ITypeConverter<? extends Number> converter, String text) {
    try {
      return converter.convert(text).doubleValue();
    } catch (TypeConversionException e) {
      return REFUSED;
    } catch (Exception e) {
      throw new AssertionError(text, e);
    }
  }

  private static Stream<String> command(String request) {
    List<Object> words = new ArrayList<>(List.of("size"));
    words.addAll(List.of(request.split(" ", -1)));
    return Stream.concat(
        Stream.of("tamis size " + request),
        Cli.run(words.toArray())
            .out()
            .lines()
            .filter(line -> !line.startsWith("type "))
            .map(line -> line.replaceFirst(" more than the [^ ]+ .B of this machine$", ""))
            .map(line -> line.strip().replaceAll(" +", " ")));
  }

  private static List<String> requests() {
    List<String> requests = new ArrayList<>();
    for (String keys : KEYS) {
      FPPS.forEach(fpp -> requests.add("-n " + keys + " -p " + fpp));
      SIZES.forEach(size -> requests.add("-n " + keys + " -m " + size));
    }
    // a window with no fpp to spare but the chance to share a hash, from which the rest is rounded
    requests.remove("-n 1e11 -m 2199023255552");
    for (String size : SIZES.subList(1, SIZES.size())) {
      FPPS.forEach(fpp -> requests.add("-m " + size + " -p " + fpp));
    }
    for (String hashes : List.of("1", "4", "8", "16", "32")) {
      requests.add("-n 100k -p 0.01 -k " + hashes);
      requests.add("-n 100k -m 128KiB -k " + hashes);
      requests.add("-m 128KiB -p 0.01 -k " + hashes);
      requests.add("-n 100k -k " + hashes);
      requests.add("-m 128KiB -k " + hashes);
    }
    requests.add("-n 9007199254740991 -p 1e-300");
    return requests;
  }
}
