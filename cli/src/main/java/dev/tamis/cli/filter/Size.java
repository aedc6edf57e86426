package dev.tamis.cli.filter;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.Table;
import dev.tamis.cli.size.MachineMemory;
import dev.tamis.cli.size.SizeRow;
import dev.tamis.cli.size.Sizer;
import dev.tamis.sizing.FppText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
      description = "Distinct keys, such as 1,000,000, 10M or 1e9.")
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

  /** The sizes of one filter of each type, with the lower bound for any filter. */
  static final class SizeRows {

    private static final Table.Align L = Table.Align.LEFT;
    private static final Table.Align R = Table.Align.RIGHT;
    private static final double LN2 = Math.log(2);

    private static final double MOST_BITS = 0x1p63;

    private final Sizer.Request request;
    private final MachineMemory memory;
    private final List<SizeRow> rows = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** Computes the rows; throws {@link CommandException} if no filter and no bound is possible. */
    SizeRows(Sizer.Request request, MachineMemory memory) {
      this.request = request;
      this.memory = memory;
      List<String> reasons = new ArrayList<>();
      for (FilterType type : FilterType.values()) {
        type.sizer().filter(this::applies).ifPresent(sizer -> add(type, sizer, reasons));
      }
      addBounds();
      if (rows.isEmpty()) {
        throw new CommandException(reasons.get(0));
      }
    }

    private boolean applies(Sizer sizer) {
      return request.hashes() == null || sizer.hasHashes();
    }

    private void add(FilterType type, Sizer sizer, List<String> reasons) {
      try {
        rows.add(sizer.solve(type.toString(), request));
      } catch (IllegalArgumentException e) {
        reasons.add(String.valueOf(e.getMessage()));
        problems.add(type + ": " + e.getMessage());
      }
    }

    /** Adds −n·ln p/(ln 2)² bits, unless k is given, and the lower bound n·log2(1/p). */
    private void addBounds() {
      if (request.hashes() == null) {
        addBound("classic formula", 1 / LN2);
      }
      addBound("information bound", 1);
    }

    /** Adds the row of a filter that takes {@code factor}·log2(1/p) bits per key. */
    private void addBound(String type, double factor) {
      Long keys = request.expectedKeys();
      Double fpp = request.fpp();
      Long bits = request.memoryBits();
      if (keys != null && fpp != null) {
        double needed = Math.ceil(keys * factor * log2(1 / fpp));
        if (needed < MOST_BITS) {
          add(type, keys, (long) needed, fpp);
        } else {
          problems.add(
              type
                  + ": "
                  + keys
                  + " keys at fpp "
                  + FppText.exact(fpp)
                  + " need 2^63 bits or more");
        }
      } else if (bits != null && fpp != null) {
        add(type, (long) (bits / (factor * log2(1 / fpp))), bits, fpp);
      } else if (bits != null && keys != null) {
        add(type, keys, bits, Math.pow(2, -(double) bits / keys / factor));
      }
    }

    private void add(String type, long keys, long bits, double fpp) {
      rows.add(new SizeRow(type, SizeRow.NONE, keys, bits, null, fpp));
    }

    private static double log2(double x) {
      return Math.log(x) / LN2;
    }

    String table() {
      Table table = new Table(L, L, R, R, R, R, R, R, L);
      table.row("type", "layout", "bits/key", "size", "bytes", "keys", "k", "fpp", "");
      rows.forEach(row -> table.row(row.cells(memory)));
      return table + String.join("", problems.stream().map(problem -> problem + "\n").toList());
    }

    String json() {
      return new Report().each("size", rows.stream().map(row -> row.facts(memory)).toList()).json();
    }
  }
}
