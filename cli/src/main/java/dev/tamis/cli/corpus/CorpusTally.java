package dev.tamis.cli.corpus;

import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.corpus.UnitFilter;
import java.nio.ByteBuffer;

/** What was counted over some inputs. */
final class CorpusTally {

  /** The size of {@link #writeTo}. */
  static final int BYTES = 12 * Long.BYTES;

  long records;
  long kept;
  long changed;
  long dropped;
  long emptied;
  long withoutText;
  long malformed;
  long allUnits;
  private long units;
  private long repeats;
  private long keys;
  private double wrongDrops;

  /** Takes over what was decided since {@code before} was taken. */
  void addDecisions(UnitFilter filter, CorpusTally before) {
    units += filter.decided() - before.units;
    repeats += filter.repeats() - before.repeats;
    keys += filter.keys() - before.keys;
    wrongDrops += filter.expectedWrongDrops() - before.wrongDrops;
  }

  static CorpusTally of(UnitFilter filter) {
    CorpusTally tally = new CorpusTally();
    tally.addDecisions(filter, new CorpusTally());
    return tally;
  }

  void add(CorpusTally other) {
    records += other.records;
    kept += other.kept;
    changed += other.changed;
    dropped += other.dropped;
    emptied += other.emptied;
    withoutText += other.withoutText;
    malformed += other.malformed;
    allUnits += other.allUnits;
    units += other.units;
    repeats += other.repeats;
    keys += other.keys;
    wrongDrops += other.wrongDrops;
  }

  void check() {
    Reconciliation.check("records", kept + dropped, records);
  }

  void writeTo(ByteBuffer target) {
    target.putLong(records).putLong(kept).putLong(changed).putLong(dropped).putLong(emptied);
    target.putLong(withoutText).putLong(malformed).putLong(allUnits);
    target.putLong(units).putLong(repeats).putLong(keys).putDouble(wrongDrops);
  }

  static CorpusTally readFrom(ByteBuffer source) {
    CorpusTally tally = new CorpusTally();
    tally.records = source.getLong();
    tally.kept = source.getLong();
    tally.changed = source.getLong();
    tally.dropped = source.getLong();
    tally.emptied = source.getLong();
    tally.withoutText = source.getLong();
    tally.malformed = source.getLong();
    tally.allUnits = source.getLong();
    tally.units = source.getLong();
    tally.repeats = source.getLong();
    tally.keys = source.getLong();
    tally.wrongDrops = source.getDouble();
    return tally;
  }

  long repeats() {
    return repeats;
  }

  /** Returns the counts; what is 0 because nothing of the kind was asked for is left out. */
  Report report(boolean canChange, boolean hasNgrams) {
    Report report = new Report().count("records", records).count("kept", kept);
    if (canChange) {
      report.count("changed", changed).count("emptied", emptied);
    }
    report.count("dropped", dropped).count("without-text", withoutText);
    if (malformed > 0) {
      report.count("malformed", malformed);
    }
    if (canChange || hasNgrams) {
      report.count("units", allUnits);
      report.count("short-units", allUnits - units).count("repeats", repeats);
    }
    if (hasNgrams) {
      report.count("ngrams", keys);
    }
    return report.number("expected-wrong-drops", wrongDrops);
  }
}
