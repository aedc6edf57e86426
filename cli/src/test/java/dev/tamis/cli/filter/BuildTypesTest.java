package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.RemovableFilter;
import dev.tamis.Storable;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code build} makes of each type, and what it refuses to. */
class BuildTypesTest {

  private static final Map<FilterType, Class<?>> CLASSES =
      Map.of(
          FilterType.BLOCKED, BloomFilter.class,
          FilterType.CLASSIC, BloomFilter.class,
          FilterType.PARTITIONED, BloomFilter.class,
          FilterType.COUNTING, CountingBloomFilter.class,
          FilterType.CUCKOO, CuckooFilter.class,
          FilterType.SCALABLE, ScalableBloomFilter.class,
          FilterType.WINDOWED, WindowedBloomFilter.class,
          FilterType.FUSE, FuseFilter.class,
          FilterType.RIBBON, RibbonFilter.class,
          FilterType.STATIC, FuseFilter.class);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GUAVA", "SPARK", "SPARK_V1", "PARQUET", "DCSO"})
  void coreReadsTheFileAndAllLinesAreInIt(FilterType type) throws IOException {
    byte[] lines = Lines.numbers(0, 3000);
    build(lines, type, "-p 0.001").ok();
    assertThat(load()).isInstanceOf(CLASSES.get(type));
    assertThat(Cli.runOn(lines, "check", path()).bytes()).isEqualTo(lines);
    Result others = Cli.runOn(Lines.numbers(3000, 6000), "check -c", path());
    assertThat(Integer.parseInt(others.out().strip())).isLessThan(3 + 5 * 2);
  }

  @ParameterizedTest
  @EnumSource
  void theSummaryAddsUpAndAllLinesAreFound(FilterType type) {
    byte[] lines = Lines.hard(3, 900, (byte) '\n');
    List<String> all = Lines.split(lines, (byte) '\n');
    long distinct = all.stream().distinct().count();
    build(lines, type, isStatic(type) ? "-p 1e-3" : "-p 1e-3 -n 20k")
        .sums(
            "lines=%d unique=%d duplicates=%d fpp=... memory=... seconds=...",
            all.size(), distinct, all.size() - distinct);
    Result found = Cli.runOn(lines, "check", path()).ok().says("");
    assertThat(Lines.split(found.bytes(), (byte) '\n')).isEqualTo(all);
    Cli.runOn(lines, "check -v", path()).exits(1).prints("");
  }

  @Test
  void helpExplainsTheTypes() {
    String help = Cli.run("build --help").out();
    assertThat(FilterType.values())
        .allSatisfy(type -> assertThat(help).containsPattern("\n  " + type + " +[a-z]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "cuckoo"})
  void aLineCanBeRemovedAsOftenAsItWasThere(String type) throws IOException {
    Cli.runOn("a\nb\na\na\n", "build -q -t", type, "-n", "9", "-o", path());
    for (long count = 3; count >= 0; count--) {
      assertThat(countOf("a")).isEqualTo(count);
      removeOne("a");
    }
    assertThat(countOf("b")).isEqualTo(1);
  }

  @Test
  void aCuckooFilterThatIsFullNamesTheLineAndWritesNothing() {
    Result result = Cli.runOn(Lines.numbers(0, 100), buildOf("cuckoo", "-n", "7")).refused();
    assertThat(result.err())
        .matches(
            "tamis build: line \\d+: the filter is full, sized for 7 lines; raise -n, or run"
                + " tamis dedup first: copies of one line share eight slots\n");
    assertThat(path()).doesNotExist();
  }

  @Test
  void copiesThatACuckooFilterDoesNotStoreAreInTheSummary() {
    Map<String, String> summary =
        Cli.runOn("a\n".repeat(20), buildOf("cuckoo", "-n", "9")).summary();
    assertThat(summary).containsEntry("lines", "20").containsEntry("unique", "1");
    assertThat(summary).containsEntry("stored", "8");
  }

  @Test
  void countersThatAreStuckAreInTheSummary() {
    Map<String, String> summary =
        Cli.runOn("a\n".repeat(20), buildOf("counting", "-n", "9", "-p", "0.01")).summary();
    assertThat(summary).containsEntry("saturated-counters", "8");
  }

  @Test
  void memoryOfACountingFilterIsThatOfItsCounters() throws IOException {
    Cli.runOn("a\n", buildOf("counting", "-n", "9", "-m", "1KiB")).ok();
    assertThat(load().bitSize()).isEqualTo(8192);
    assertThat(((CountingBloomFilter<Line>) load()).shape().bits()).isEqualTo(2048);
  }

  @Test
  void aWindowRemembersTheLastLinesOnly() {
    byte[] lines = Lines.numbers(0, 10_000);
    Map<String, String> summary =
        Cli.runOn(lines, buildOf("windowed", "-n", "1000", "-p", "1e-6")).summary();
    assertThat(summary).containsEntry("lines", "10000").containsEntry("unique", "10000");
    assertThat(Integer.parseInt(summary.get("window"))).isBetween(1000, 1100);
    byte[] last = Lines.numbers(9000, 10_000);
    assertThat(Cli.runOn(last, "check", path()).bytes()).isEqualTo(last);
    Cli.runOn(Lines.numbers(0, 5000), "check -c", path()).prints("0\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "windowed || -n is required for a windowed filter; give the number of lines it remembers",
        "windowed | -n 5 -m 1K | -m cannot set the memory of a windowed filter; it follows from -n"
            + " and -p, leave it out",
        "cuckoo | -m 1K | -m cannot set the memory of a cuckoo filter; leave it out, and give the"
            + " -n that tamis size -m -p prints",
        "fuse | -n 5 | -n cannot size a fuse filter, whose size follows from the distinct lines"
            + " and -p; leave it out",
        "ribbon | -m 1K | -m cannot size a ribbon filter, whose size follows from the distinct"
            + " lines and -p; leave it out",
        "static | -n 5 | -n cannot size a static filter, whose size follows from the distinct"
            + " lines and -p; leave it out",
        "fuse | -p 1e-12 | fpp must be at least 2^-32 (2.33e-10), got 1e-12",
      })
  void whatDoesNotFitTheTypeIsRefused(String type, String options, String expected) {
    Object[] words = options == null ? new Object[0] : new Object[] {options};
    Cli.runOn("a\n", buildOf(type, words)).refused("tamis build: " + expected + "\n");
    assertThat(path()).doesNotExist();
  }

  @Test
  void aCuckooFilterOfAPipeNeedsToKnowHowManyLinesCome() throws IOException {
    Cli.runOn("a\n", buildOf("cuckoo"))
        .refused("tamis build: -n is required, because lines from a pipe...");
    Path file = Files.write(directory.resolve("in"), Lines.numbers(0, 500));
    Cli.run("build -q -t cuckoo -o", path(), file).ok();
    assertThat(((CuckooFilter<Line>) load()).expectedKeys()).isEqualTo(500);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1e-6, classic,",
    "1, 0.01, fuse, 4", // a classic one has 64 bits at least
    "300, 0.01, classic,",
    "3000, 0.01, fuse, 4",
    "100000, 0.001, fuse, 4",
    "5000, 1e-12, classic,", // less than fuse filters can have
    "5000, 0.45, classic,", // two bits of fingerprint are too many for it
  })
  void staticIsWhicheverIsSmaller(int lines, String fpp, String type, String arity)
      throws IOException {
    byte[] all = Lines.numbers(0, lines);
    Result result = Cli.runOn(all, buildOf("static", "-p", fpp));
    assertThat(result.summary())
        .containsEntry("lines", String.valueOf(lines))
        .containsEntry("unique", String.valueOf(lines))
        .containsEntry("type", type);
    assertThat(result.summary().get("arity")).isEqualTo(arity);
    long bits = load().bitSize();
    assertThat(Cli.runOn(all, "check", path()).bytes()).isEqualTo(all);
    for (String other : List.of("classic", "fuse")) {
      boolean possible = other.equals("classic") ? lines > 0 : !fpp.equals("1e-12");
      if (possible) {
        String size = other.equals("classic") ? " -n " + lines : "";
        Cli.runOn(all, buildOf(other, "-p " + fpp + size)).ok();
        assertThat(bits).isLessThanOrEqualTo(load().bitSize());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "cuckoo", "windowed", "ribbon"})
  void aFilterThatForgetsOrCountsOrTakesNoMoreIsNoState(String type) {
    Cli.runOn("a\n", buildOf(type, type.equals("ribbon") ? "-q" : "-q -n 9"));
    Cli.runOn("b\n", "dedup -s", path())
        .refused(
            "tamis dedup: %s: kind: must be bloom or scalable to continue from, got %s...",
            path(), type);
  }

  private long countOf(String line) throws IOException {
    return removable().approximateCountHash(hashOf(line));
  }

  private void removeOne(String line) throws IOException {
    var filter = removable();
    filter.removeHash(hashOf(line));
    FilterFile.save(path(), (Storable) filter);
  }

  private RemovableFilter<Line> removable() throws IOException {
    return (RemovableFilter<Line>) load();
  }

  private static long hashOf(String line) {
    return HashFunction.xxh3(0).hashText(line);
  }

  private static boolean isStatic(FilterType type) {
    return type == FilterType.FUSE || type == FilterType.RIBBON || type == FilterType.STATIC;
  }

  private Result build(byte[] lines, FilterType type, String options) {
    boolean isSized = isStatic(type) || options.contains("-n");
    return Cli.runOn(lines, buildOf(type.toString(), isSized ? options : options + " -n 3000"));
  }

  private Object[] buildOf(String type, Object... options) {
    return new Object[] {"build -t " + type, "-o", path(), options};
  }

  private HashedFilter<Line> load() throws IOException {
    return (HashedFilter<Line>) FilterFile.<Line>load(path(), Line.HASHER);
  }

  private Path path() {
    return directory.resolve("filter");
  }
}
