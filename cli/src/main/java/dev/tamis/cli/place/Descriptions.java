package dev.tamis.cli.place;

import dev.tamis.DropAware;
import dev.tamis.Filter;
import dev.tamis.Traits;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.Report;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilter.FillState;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashId;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.util.List;
import java.util.OptionalDouble;

/** Describes filters and sketches: their traits, then what their bits say. */
public final class Descriptions {

  private Descriptions() {}

  public static Report of(Loaded loaded) {
    Report facts = new Report().text("kind", loaded.kind());
    if (loaded instanceof Loaded.OfFilter ofFilter) {
      facts.all(traits(ofFilter.filter().traits())).all(particulars(ofFilter));
      return state(facts, ofFilter.filter());
    }
    if (loaded instanceof Loaded.OfCounter ofCounter) {
      DistinctCounter<Line> counter = ofCounter.counter();
      return facts
          .all(traits(counter.traits()))
          .number("standard-error", counter.standardError())
          .estimate("keys", counter.approximateElementCount());
    }
    CountMinSketch<Line> sketch = ((Loaded.OfFrequencies) loaded).sketch();
    return facts
        .all(traits(sketch.traits()))
        .number("epsilon", sketch.epsilon())
        .number("delta", sketch.delta())
        .number("max-overcount", sketch.maxOvercount());
  }

  public static Report traits(Traits traits) {
    Report facts = new Report();
    for (Traits.Trait trait : traits.all()) {
      String name = trait.name().replace(' ', '-');
      if (trait.value() instanceof Double number) {
        facts.number(name, number);
      } else if (trait.value() instanceof Number number) {
        facts.count(name, number.longValue());
      } else if (trait.value() instanceof HashId id) {
        facts
            .text(name, id.algorithm().label())
            .text(id.algorithm().numberName().replace(' ', '-'), id.printedNumber());
      } else {
        facts.text(name, trait.value().toString());
      }
    }
    return facts;
  }

  /** Returns the figures of a filter that a command has filled; costs a pass over its bits. */
  public static Report filled(
      Filter<?> filter, long lines, long unique, long duplicates, Report particulars) {
    OptionalDouble wrongDrops =
        filter instanceof DropAware aware
            ? OptionalDouble.of(aware.expectedWrongDrops())
            : OptionalDouble.empty();
    return new Report()
        .count("lines", lines)
        .count("unique", unique)
        .count("duplicates", duplicates)
        .all(particulars)
        .number("fpp", filter.expectedFpp())
        .known("expected-wrong-drops", wrongDrops)
        .memory((filter.bitSize() + Byte.SIZE - 1) / Byte.SIZE);
  }

  /** Adds how many keys are in a filter, and the fpp that they bring about. */
  static Report state(Report facts, Filter<?> filter) {
    return facts
        .estimate("keys", filter.approximateElementCount())
        .number("fpp", filter.expectedFpp());
  }

  /** Returns the figures of one kind, from which the class follows. */
  private static Report particulars(Loaded.OfFilter loaded) {
    Filter<Line> filter = loaded.filter();
    return switch (loaded.stored().kind()) {
      case BLOOM -> bloom((BloomFilter<Line>) filter);
      case SCALABLE_BLOOM -> stages((ScalableBloomFilter<Line>) filter);
      case COUNTING_BLOOM ->
          new Report()
              .count(
                  "saturated-counters", ((CountingBloomFilter<Line>) filter).saturatedCounters());
      case CUCKOO -> load((CuckooFilter<Line>) filter);
      case WINDOWED_BLOOM -> generation((WindowedBloomFilter<Line>) filter);
      case FUSE, RIBBON -> bitsPerKey(filter);
      case FOREIGN -> ones(((ForeignFilter<Line>) filter).setBits(), filter);
      default -> new Report();
    };
  }

  private static Report bloom(BloomFilter<Line> filter) {
    FillState fill = filter.fillState();
    return new Report().count("set-bits", fill.setBits()).number("filled", fill.fractionFilled());
  }

  private static Report ones(long ones, Filter<Line> filter) {
    return new Report().count("set-bits", ones).number("filled", (double) ones / filter.bitSize());
  }

  private static Report load(CuckooFilter<Line> filter) {
    double copies = filter.approximateElementCount().value();
    return new Report().number("load", copies / filter.sizing().slots());
  }

  private static Report generation(WindowedBloomFilter<Line> filter) {
    int generations = filter.sizing().generations();
    return filter
        .duration()
        .map(window -> new Report().text("generation", window.dividedBy(generations).toString()))
        .orElseGet(() -> new Report().count("generation", filter.sizing().generationKeys()));
  }

  /** Of filters that were built at once, whose number of keys is exact. */
  private static Report bitsPerKey(Filter<Line> filter) {
    double keys = filter.approximateElementCount().value();
    return keys > 0 ? new Report().number("bits-per-key", filter.bitSize() / keys) : new Report();
  }

  private static Report stages(ScalableBloomFilter<Line> filter) {
    List<Report> stages =
        filter.stages().stream()
            .map(stage -> state(traits(stage.traits()).all(bloom(stage)), stage))
            .toList();
    return new Report().each("stage", stages);
  }
}
