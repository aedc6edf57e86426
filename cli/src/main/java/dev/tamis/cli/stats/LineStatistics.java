package dev.tamis.cli.stats;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.Table;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import dev.tamis.sketch.HeavyHitters;
import dev.tamis.sketch.HeavyHitters.HeavyHitter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/** The result of {@code tamis stats lines}; {@code epsilon} is a share of the keys. */
record LineStatistics(
    long lines,
    long keys,
    Report counts,
    String unit,
    Estimate distinct,
    Confidence confidence,
    double epsilon,
    long maxUnlistedCount,
    List<HeavyHitter<Line>> top) {

  /** Ties are broken by the bytes of the lines, for a deterministic list. */
  private static final Comparator<HeavyHitter<Line>> ORDER =
      Comparator.<HeavyHitter<Line>>comparingLong(HeavyHitter::count)
          .thenComparingLong(HeavyHitter::atLeast)
          .reversed()
          .thenComparing(HeavyHitter::key, Comparator.comparing(LineStatistics::latin1));

  static LineStatistics of(
      DistinctCounter<Line> distinct,
      HeavyHitters<Line> leaders,
      int shown,
      Confidence confidence,
      long lines,
      Report counts,
      String unit) {
    CountMinSketch<Line> sketch = leaders.sketch();
    List<HeavyHitter<Line>> all = leaders.top(leaders.capacity()).stream().sorted(ORDER).toList();
    List<HeavyHitter<Line>> top = all.subList(0, Math.min(shown, all.size()));
    long next = all.size() > shown ? all.get(shown).count() : 0;
    return new LineStatistics(
        lines,
        sketch.totalCount(),
        counts,
        unit,
        distinct.approximateElementCount(confidence),
        confidence,
        sketch.epsilon(),
        Math.max(next, leaders.mostOfOthers()),
        top);
  }

  private Report facts() {
    return new Report()
        .count("lines", lines)
        .all(counts)
        .estimate("distinct", distinct)
        .exact("confidence", confidence.probability())
        .number("max-overcount", epsilon * keys)
        .count("max-unlisted-count", maxUnlistedCount);
  }

  String json() {
    List<Report> rows = new ArrayList<>();
    for (HeavyHitter<Line> hitter : top) {
      Report row =
          new Report()
              .count("count", hitter.count())
              .count("at-least", hitter.atLeast())
              .number("share", share(hitter));
      ByteBuffer bytes = shownBytes(hitter.key());
      row.text(unit, StandardCharsets.UTF_8.decode(bytes.duplicate()).toString());
      if (!isText(bytes)) {
        row.text(unit + "-base64", Base64.getEncoder().encodeToString(copy(bytes)));
      }
      if (isCut(hitter.key())) {
        row.flag("cut");
      }
      rows.add(row);
    }
    return facts().each("leader", rows).json();
  }

  /** Writes a table, each of whose last rows ends with a line as it is and its delimiter. */
  void write(OutputStream out, byte delimiter) throws IOException {
    out.write(facts().table().getBytes(StandardCharsets.UTF_8));
    if (!top.isEmpty()) {
      out.write('\n');
      List<String> prefixes = prefixes();
      out.write((prefixes.get(0) + unit + "\n").getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < top.size(); i++) {
        out.write(prefixes.get(i + 1).getBytes(StandardCharsets.UTF_8));
        out.write(copy(shownBytes(top.get(i).key())));
        if (isCut(top.get(i).key())) {
          out.write("...".getBytes(StandardCharsets.UTF_8));
        }
        out.write(delimiter);
      }
    }
    out.flush();
  }

  /** Returns the columns before the lines, the headings first. */
  private List<String> prefixes() {
    Table table =
        new Table(Table.Align.RIGHT, Table.Align.RIGHT, Table.Align.RIGHT, Table.Align.LEFT);
    table.row("count", "at least", "share", "");
    for (HeavyHitter<Line> hitter : top) {
      table.row(
          String.valueOf(hitter.count()),
          String.valueOf(hitter.atLeast()),
          NumberFormats.number(100 * share(hitter)) + " %",
          "");
    }
    return table.lines();
  }

  private double share(HeavyHitter<Line> hitter) {
    return (double) hitter.count() / keys;
  }

  private static boolean isCut(Line line) {
    return line.bytes().remaining() > StatsLines.SHOWN_BYTES;
  }

  private static ByteBuffer shownBytes(Line line) {
    ByteBuffer bytes = line.bytes();
    bytes.limit(Math.min(bytes.limit(), bytes.position() + StatsLines.SHOWN_BYTES));
    return bytes;
  }

  private static boolean isText(ByteBuffer bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }

  /** Returns one character per byte, which compares bytes as unsigned. */
  private static String latin1(Line line) {
    return StandardCharsets.ISO_8859_1.decode(line.bytes()).toString();
  }
}
