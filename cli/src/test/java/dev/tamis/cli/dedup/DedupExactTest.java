package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DedupExactTest {

  private static final byte NEWLINE = '\n';

  @TempDir Path directory;

  @Test
  void aFilterThatDropsLinesDropsNoneWhenExact() throws IOException {
    Path file = file(Lines.numbers(0, 20_000));
    Path key = directory.resolve("key");
    Cli.run("key new", key).ok(); // both runs have these wrong drops
    Result coarse = Cli.run("dedup -n 20k -p 0.3 --key-file", key, file);
    Result exact = Cli.run("dedup -x -n 20k -p 0.3 --key-file", key, file);

    assertThat(Lines.split(coarse.bytes(), NEWLINE).size()).isLessThan(19_500);
    assertThat(exact.bytes()).isEqualTo(Files.readAllBytes(file));
    assertThat(exact.summary())
        .containsEntry("lines", "20000")
        .containsEntry("unique", "20000")
        .containsEntry("duplicates", "0")
        .containsEntry("expected-wrong-drops", "0")
        .containsEntry("false-positives-corrected", coarse.summary().get("duplicates"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.3, 1e-6})
  void isExactOnAllBytesAtAnyFpp(double fpp) throws IOException {
    byte[] all = Lines.hard(7, 3000, NEWLINE);
    Path file = file(all);
    assertThat(Cli.run("dedup -x -p", fpp, file).bytes()).isEqualTo(Lines.firsts(all, NEWLINE));
    assertThat(Cli.run("dedup -x -d -p", fpp, file).bytes()).isEqualTo(Lines.repeats(all, NEWLINE));
  }

  @Test
  void isExactInATinyFilter() throws IOException {
    byte[] all = Lines.hard(8, 3000, NEWLINE);
    Path file = file(all);
    assertThat(Cli.run("dedup -x -m 64B", file).bytes()).isEqualTo(Lines.firsts(all, NEWLINE));
  }

  @Test
  void seesRepeatsAcrossFilesAndOfTheSameFile() throws IOException {
    Path first = Files.writeString(directory.resolve("1"), "a\nb");
    Path second = Files.writeString(directory.resolve("2"), "b\nc\n");
    Cli.run("dedup -x", first, second, first).prints("a\nb\nc\n");
  }

  @Test
  void theOutputMayBeAnInput() throws IOException {
    Path file = file("a\na\nb\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    Cli.run("dedup -x -o", file, file).ok();
    assertThat(file).hasContent("a\nb\n");
  }

  @Test
  void standardInputIsRefused() {
    Cli.runOn("a\n", "dedup -x")
        .refused(
            "tamis dedup: --exact reads its input twice and needs regular files; save the"
                + " lines in a file\n");
  }

  @Test
  void aStateIsRefused() throws IOException {
    Path file = file(new byte[] {'a'});
    Cli.run("dedup -x -s", directory.resolve("state"), file)
        .refused(
            "tamis dedup: --exact cannot be combined with --state, which does not contain the"
                + " lines; leave one out\n");
    assertThat(directory.resolve("state")).doesNotExist();
  }

  @Test
  void aFileThatGrowsBetweenThePassesIsNoticed() throws IOException {
    Path file = file(Lines.numbers(0, 10));
    ExactDedup passes = noted(file);
    Files.write(file, Lines.numbers(0, 11));
    assertThatThrownBy(() -> write(passes))
        .isInstanceOf(CommandException.class)
        .hasMessage(file + ": changed while it was read; discard the output and rerun");
  }

  @Test
  void aFileRewrittenAtTheSameSizeIsNoticed() throws IOException {
    Path file = file(Lines.numbers(10, 20));
    ExactDedup passes = noted(file);
    FileTime later = FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + 5);
    Files.write(file, Lines.numbers(20, 30));
    Files.setLastModifiedTime(file, later);
    assertThatThrownBy(() -> write(passes)).hasMessageContaining("changed while it was read");
  }

  private ExactDedup noted(Path file) throws IOException {
    Streams streams = new Streams(System.in, System.out, new Messages(System.err, List.of()));
    Inputs inputs = Inputs.of(List.of(file), NEWLINE, new DecompressOption(), streams);
    ExactDedup passes =
        new ExactDedup(
            inputs,
            Progress.NONE,
            HashFunction.xxh3(0),
            LineKey::whole,
            new ExactDedup.Limits(1 << 20, directory, 10, 100),
            false);
    passes.note(BloomFilter.create(Line.HASHER, 10, 0.1));
    return passes;
  }

  private static void write(ExactDedup passes) throws IOException {
    passes.write(new LineWriter(new ByteArrayOutputStream(), NEWLINE), false);
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("in"), bytes);
  }
}
