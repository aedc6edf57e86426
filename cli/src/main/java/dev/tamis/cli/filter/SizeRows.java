package dev.tamis.cli.filter;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.Table;
import dev.tamis.cli.size.MachineMemory;
import dev.tamis.cli.size.SizeRow;
import dev.tamis.cli.size.Sizer;
import dev.tamis.sizing.FppText;
import java.util.ArrayList;
import java.util.List;

/** The sizes of one filter of each type, with the lower bound for any filter. */
final class SizeRows {

  private static final Table.Align L = Table.Align.LEFT;
  private static final Table.Align R = Table.Align.RIGHT;
  private static final double LN2 = Math.log(2);

  /** What a row has no room for. */
  private static final double MOST_BITS = 0x1p63;

  private final Sizer.Request request;
  private final MachineMemory memory;
  private final List<SizeRow> rows = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Computes the rows.
   *
   * @param memory rows that are larger say so
   * @throws CommandException if no such filter of any type is possible, and there is no bound
   */
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

  /** If k is given, only types that have one apply. */
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

  /**
   * Adds what n keys at p need when k need not be whole, −n·ln p/(ln 2)² bits, and n·log2(1/p), the
   * least there is. Not when k is given in place of one of them.
   */
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
            type + ": " + keys + " keys at fpp " + FppText.exact(fpp) + " need 2^63 bits or more");
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
