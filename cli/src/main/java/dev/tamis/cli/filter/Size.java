package dev.tamis.cli.filter;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.cli.size.MachineMemory;
import dev.tamis.cli.size.Sizer;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tamis size}: how large a filter is, or how many keys it holds, or what fpp it has. */
@Command(
    name = "size",
    description = "Solve for keys, fpp or memory, given the other two, for each filter type.",
    footer = {
      "\"classic formula\" is the textbook size, -n ln(p)/ln(2)^2 bits, for a k that",
      "need not be an integer. \"information bound\" is the lower bound for any filter,",
      "n log2(1/p) bits. The keys of a windowed filter are its window, in lines. A",
      "scalable filter is assumed to start with a capacity of 1000 keys. A filter",
      "larger than the memory of this machine is listed too, and marked.",
      "",
      "Example:",
      "  $ tamis size -n 1e9 -p 1e-4",
      "  type               layout  bits/key       size        bytes        keys   k     fpp",
      "  blocked            split      22.88   2.861 GB   2860568192  1000000000  16  0.0001",
      "  ...",
    })
public final class Size implements Callable<Integer> {

  private final Streams streams;

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      description = "Distinct keys, such as 1000000, 10M or 1e9.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description = "False-positive probability, between 0 and 1.")
  private @Nullable Double fpp;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      converter = NumberParser.SizeConverter.class,
      description = "Memory, such as 64MiB or 2G.")
  private @Nullable Long memoryBytes;

  @Option(
      names = {"-k", "--hashes"},
      paramLabel = "K",
      converter = NumberParser.HashesConverter.class,
      description =
          "Number of hashes, bits set per key, 1 to 32 (default: optimal). Leaves out types"
              + " without such a number.")
  private @Nullable Integer hashes;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  public Size(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    requireEnough();
    Sizer.Request request = new Sizer.Request(expectedKeys, fpp, memoryBytes, hashes);
    SizeRows rows = new SizeRows(request, MachineMemory.ofThisMachine());
    streams.print(json ? rows.json() + "\n" : rows.table());
    return 0;
  }

  private void requireEnough() {
    long given = Stream.of(expectedKeys, fpp, memoryBytes).filter(Objects::nonNull).count();
    boolean enough = given == 2 || (given == 1 && hashes != null && fpp == null);
    if (!enough) {
      throw new CommandException("give two of -n, -p and -m, or -k and one of -n and -m");
    }
  }
}
