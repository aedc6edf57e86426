package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Lines;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BuildAndCheckTest {

  @TempDir Path directory;
  private Path filter;

  @BeforeEach
  void nameTheFilter() {
    filter = directory.resolve("filter");
  }

  @Test
  void checkPrintsOrCountsWhatMayBeInTheFilterAndInvertedWhatIsNot() {
    Cli.runOn("a\nb\nc\n", "build -q -n 3 -o", filter);
    Cli.runOn("c\nd\na", "check", filter).prints("c\na\n");
    Cli.runOn("c\nd\na", "check -v", filter).prints("d\n");
    Cli.runOn("c\nd\na", "check -c", filter).prints("2\n");
    Cli.runOn("c\nd\na", "check -cv", filter).prints("1\n");
    Cli.runOn("d\n", "check -c", filter).prints("0\n").exits(1);
    Cli.runOn("a\nb\0c\0", "build -q -z -n 3 -o", filter);
    Cli.runOn("c\0a\nb\0x", "check -z", filter).prints("c\0a\nb\0");
  }

  @Test
  void checkReadsFiles() throws IOException {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "3");
    Path one = Files.writeString(directory.resolve("1"), "x\na");
    Cli.runOn("a\n", "check", filter, one, "-", one).prints("a\na\na\n");
  }

  @Test
  void checkReadsTheStateOfADedup() {
    Cli.runOn("a\nb\n", "dedup -q -s", filter);
    Cli.runOn("b\nc\n", "check", filter).prints("b\n");
  }

  @Test
  void theTypeNamesTheLayout() throws IOException {
    Cli.runOn("a\n", "build -q -n 100 -t classic -o", filter);
    assertThat(load().shape().layout()).isEqualTo(Layout.CLASSIC);
    Cli.runOn("a\n", "build -q -n 100 -t partitioned -o", filter);
    assertThat(load().shape().layout()).isEqualTo(Layout.PARTITIONED);
  }

  @Test
  void mergeWarnsOfAUnionThatIsTooFull() {
    Path other = directory.resolve("other");
    Cli.runOn(Lines.numbers(0, 1000), "build -q -n 1000 -o", filter);
    Cli.runOn(Lines.numbers(1000, 2000), "build -q -n 1000 -o", other);
    assertThat(Cli.run("merge -o", filter, filter, other).err())
        .startsWith(
            "tamis merge: warning: filter is over capacity: sized for 1000 keys, at least ");
  }

  @Test
  void quietSilencesTheSummaryInJsonToo() {
    Cli.runOn("a\n", "dedup -q --json").ok().says("");
  }

  @Test
  void aMissingFilterIsAnErrorAndNotNothingFound() {
    Cli.runOn("a\n", "check", filter)
        .refused("tamis check: " + filter + ": No such file or directory; check the name\n");
  }

  @Test
  void linesOfRegularFilesAreCountedFirst() throws IOException {
    Path file = Files.write(directory.resolve("in"), Lines.numbers(0, 5000));
    Cli.run("build -o", filter, "-p", "0.01", file, file)
        .sums("lines=10000 unique=... duplicates=... fpp=... memory=... seconds=...");
    assertThat(load().expectedKeys()).isEqualTo(10_000);
    assertThat(load().fpp()).isEqualTo(0.01);
  }

  @Test
  void linesOfAPipeMustBeAnnounced() {
    Cli.runOn("a\n", "build -o", filter)
        .refused(
            "tamis build: -n is required, because lines from a pipe cannot be counted first; give"
                + " the expected number of distinct lines, or let the filter grow with -t"
                + " scalable\n");
    assertThat(filter).doesNotExist();
  }

  @Test
  void aScalableFilterStartsWithWhatIsExpected() throws IOException {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "77", "-t", "scalable");
    var loaded = (ScalableBloomFilter<Line>) FilterFile.load(filter, Line.HASHER);
    assertThat(loaded.stages().get(0).expectedKeys()).isEqualTo(77);
    Cli.runOn("a\n", "build -o", filter, "-m", "1K", "-t", "scalable")
        .refused("tamis build: -m cannot set the memory of a scalable filter; leave it out\n");
  }

  @Test
  void memoryMayTakeThePlaceOfKeysOrOfTheFpp() throws IOException {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "100", "-m", "1KiB");
    assertThat(load().bitSize()).isEqualTo(8192);
    assertThat(load().expectedKeys()).isEqualTo(100);
    Cli.runOn("a\n", "build -q -o", filter, "-p", "0.01", "-m", "1KiB");
    assertThat(load().bitSize()).isEqualTo(8192);
    assertThat(load().fpp()).isEqualTo(0.01);
    Cli.runOn("a\n", "build -o", filter, "-p", "0.01", "-m", "1K", "-n", "5")
        .refused(
            "tamis build: -n, -p and -m cannot all be given, as any two determine the third; leave"
                + " one out\n");
  }

  @Test
  void aFailedBuildKeepsTheOldFilter() throws IOException {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "3");
    byte[] before = Files.readAllBytes(filter);
    Cli.run("build -o", filter, "-n", "3", directory).refused();
    Cli.run("build -t fuse -o", filter, directory).refused();
    assertThat(Files.readAllBytes(filter)).isEqualTo(before);
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "/dev/full is a device of Linux")
  void aFullDiskIsAnError() {
    Cli.runOn("a\n", "build -o /dev/full -n 3")
        .refused(
            "tamis build: /dev/full: No space left on device; free some space, or write"
                + " elsewhere\n");
  }

  private BloomFilter<Line> load() throws IOException {
    return (BloomFilter<Line>) FilterFile.load(filter, Line.HASHER);
  }
}
