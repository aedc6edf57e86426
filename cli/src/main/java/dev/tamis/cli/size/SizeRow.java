package dev.tamis.cli.size;

import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.Report;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The size of one type of filter; {@code hashes} is null if it has no k. */
public record SizeRow(
    String type, String layout, long keys, long bits, @Nullable Integer hashes, double fpp) {

  public static final String NONE = "-";

  private static final int DECIMALS = 3;

  double bitsPerKey() {
    return (double) bits / keys;
  }

  long bytes() {
    return (bits - 1) / Byte.SIZE + 1;
  }

  public String[] cells(MachineMemory memory) {
    return new String[] {
      type,
      layout,
      String.format(Locale.ROOT, "%.2f", bitsPerKey()),
      NumberFormats.bytes((double) bytes(), DECIMALS, " "),
      String.valueOf(bytes()),
      String.valueOf(keys),
      hashes == null ? NONE : String.valueOf(hashes),
      NumberFormats.number(fpp),
      memory.note(this)
    };
  }

  public Report facts(MachineMemory memory) {
    Report facts =
        new Report()
            .text("type", type)
            .text("layout", layout)
            .number("bits-per-key", bitsPerKey())
            .count("bits", bits)
            .count("bytes", bytes())
            .count("expected-keys", keys)
            .number("fpp", fpp);
    if (hashes != null) {
      facts.count("hashes", hashes);
    }
    return memory.isExceededBy(this) ? facts.flag("exceeds-memory") : facts;
  }
}
