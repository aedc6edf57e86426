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
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.place.KeyOptions;
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
  @ValueSource(strings = {"-p 0.9", "-p 0.3", "-p 1e-6", "-m 64B"})
  void isExactOnAllBytesAtAnyFpp(String sizing) throws IOException {
    byte[] all = Lines.hard(7, 3000, NEWLINE);
    Path file = file(all);
    assertThat(Cli.run("dedup -x " + sizing, file).bytes()).isEqualTo(Lines.firsts(all, NEWLINE));
    assertThat(Cli.run("dedup -x -d " + sizing, file).bytes())
        .isEqualTo(Lines.repeats(all, NEWLINE));
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
            new KeyOptions.Usual(),
            (byte) '\n',
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
