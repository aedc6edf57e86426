package dev.tamis.cli;

import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sizes of one filter of each type, beside what no filter can beat. */
final class SizeRows {

  private static final Table.Align L = Table.Align.LEFT;
  private static final Table.Align R = Table.Align.RIGHT;
  private static final int DECIMALS = 3;
  private static final double LN2 = Math.log(2);
  private static final String NONE = "-";

  /** Best first, when all that was asked for is the same. */
  private static final Comparator<Sizing> BEST =
      Comparator.comparingDouble(Sizing::fpp)
          .thenComparingLong(sizing -> sizing.shape().bits())
          .thenComparingLong(sizing -> -sizing.expectedKeys());

  private final @Nullable Long expectedKeys;
  private final @Nullable Double fpp;
  private final @Nullable Long memoryBytes;
  private final @Nullable Integer hashes;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Computes the rows.
   *
   * @throws CommandException if no type of filter can be so
   */
  SizeRows(
      @Nullable Long expectedKeys,
      @Nullable Double fpp,
      @Nullable Long memoryBytes,
      @Nullable Integer hashes) {
    this.expectedKeys = expectedKeys;
    this.fpp = fpp;
    this.memoryBytes = memoryBytes;
    this.hashes = hashes;
    add("classic", List.of(question().layout(Layout.CLASSIC)));
    add("partitioned", List.of(question().layout(Layout.PARTITIONED)));
    add("blocked", blockedQuestions());
    if (rows.isEmpty()) {
      throw new CommandException(problems.get(0));
    }
    addBounds();
  }

  private Sizing.Question question() {
    Sizing.Question question = Sizing.ask();
    if (expectedKeys != null) {
      question.expectedKeys(expectedKeys);
    }
    if (fpp != null) {
      question.fpp(fpp);
    }
    if (memoryBytes != null) {
      question.bits(memoryBytes * Byte.SIZE);
    }
    if (hashes != null) {
      question.hashes(hashes);
    }
    return question;
  }

  /** Without k the layout follows from the fpp; with k it is whichever is best and has that k. */
  private List<Sizing.Question> blockedQuestions() {
    return hashes == null
        ? List.of(question())
        : Stream.of(Layout.values())
            .filter(Layout::isBlocked)
            .map(layout -> question().layout(layout))
            .toList();
  }

  private void add(String type, List<Sizing.Question> questions) {
    List<Sizing> possible = new ArrayList<>();
    String problem = "";
    for (Sizing.Question question : questions) {
      try {
        possible.add(question.answer());
      } catch (IllegalArgumentException e) {
        problem = String.valueOf(e.getMessage());
      }
    }
    if (possible.isEmpty()) {
      problems.add(problem);
    } else {
      rows.add(row(type, Collections.min(possible, BEST)));
    }
  }

  private static Row row(String type, Sizing sizing) {
    Shape shape = sizing.shape();
    String layout = shape.layout().isBlocked() ? shape.layout().label() : NONE;
    return new Row(type, layout, sizing.expectedKeys(), shape.bits(), shape.hashes(), sizing.fpp());
  }

  /**
   * Adds what n keys at p need when k need not be whole, −n·ln p/(ln 2)² bits, and n·log2(1/p), the
   * least there is. Not when k is given in place of one of them.
   */
  private void addBounds() {
    if (hashes == null) {
      addBound("classic formula", 1 / LN2);
    }
    addBound("information bound", 1);
  }

  /** Adds the row of a filter that takes {@code factor}·log2(1/p) bits a key. */
  private void addBound(String type, double factor) {
    if (expectedKeys != null && fpp != null) {
      long bits = (long) Math.ceil(expectedKeys * factor * log2(1 / fpp));
      rows.add(new Row(type, NONE, expectedKeys, bits, null, fpp));
    } else if (memoryBytes != null && fpp != null) {
      long bits = memoryBytes * Byte.SIZE;
      rows.add(new Row(type, NONE, (long) (bits / (factor * log2(1 / fpp))), bits, null, fpp));
    } else if (memoryBytes != null && expectedKeys != null) {
      long bits = memoryBytes * Byte.SIZE;
      double lowest = Math.pow(2, -(double) bits / expectedKeys / factor);
      rows.add(new Row(type, NONE, expectedKeys, bits, null, lowest));
    }
  }

  private static double log2(double x) {
    return Math.log(x) / LN2;
  }

  /** Returns one row for each type under a head, then what is impossible and why. */
  String table() {
    Table table = new Table(L, L, R, R, R, R, R, R);
    table.row("type", "layout", "bits/key", "size", "bytes", "keys", "k", "fpp");
    for (Row row : rows) {
      table.row(
          row.type,
          row.layout,
          String.format(Locale.ROOT, "%.2f", row.bitsPerKey()),
          Figures.bytes((double) row.bytes(), DECIMALS, " "),
          String.valueOf(row.bytes()),
          String.valueOf(row.keys),
          row.hashes == null ? NONE : String.valueOf(row.hashes),
          Figures.number(row.fpp));
    }
    return table + String.join("", problems.stream().map(problem -> problem + "\n").toList());
  }

  /** Returns an array with an object for each row. */
  String json() {
    return new Facts().each("size", rows.stream().map(Row::facts).toList()).json();
  }

  /** One type of filter: {@code hashes} is null where there are none. */
  private record Row(
      String type, String layout, long keys, long bits, @Nullable Integer hashes, double fpp) {

    double bitsPerKey() {
      return (double) bits / keys;
    }

    long bytes() {
      return (bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    Facts facts() {
      Facts facts =
          new Facts()
              .text("type", type)
              .text("layout", layout)
              .number("bits-per-key", bitsPerKey())
              .count("bits", bits)
              .count("bytes", bytes())
              .count("expected-keys", keys)
              .number("fpp", fpp);
      return hashes == null ? facts : facts.count("hashes", hashes);
    }
  }
}
