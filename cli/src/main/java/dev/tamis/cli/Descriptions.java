package dev.tamis.cli;

import dev.tamis.Estimate;
import dev.tamis.HashedFilter;
import dev.tamis.Traits;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FillState;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.sizing.CuckooSizing;
import dev.tamis.sizing.WindowSizing;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What there is to say of each kind of filter and sketch. */
final class Descriptions {

  private Descriptions() {}

  /** Describes a filter of any kind. */
  static Facts of(HashedFilter<Line> filter) {
    Facts facts = new Facts().text("kind", FilterFiles.kindOf(filter));
    if (filter instanceof BloomFilter<Line> bloom) {
      bloom(facts, bloom);
    } else if (filter instanceof ScalableBloomFilter<Line> scalable) {
      scalable(facts, scalable);
    } else if (filter instanceof CountingBloomFilter<Line> counting) {
      counting(facts, counting);
    } else if (filter instanceof CuckooFilter<Line> cuckoo) {
      cuckoo(facts, cuckoo);
    } else if (filter instanceof WindowedBloomFilter<Line> windowed) {
      windowed(facts, windowed);
    } else if (filter instanceof FuseFilter<Line> fuse) {
      fuse(facts, fuse);
    } else if (filter instanceof RibbonFilter<Line> ribbon) {
      ribbon(facts, ribbon);
    }
    return hash(facts, filter.hashId());
  }

  static Facts hash(Facts facts, HashId id) {
    HashId.Algorithm algorithm = id.algorithm();
    return facts
        .text("hash", algorithm.label())
        .text(algorithm.numberName().replace(' ', '-'), id.printedNumber());
  }

  private static Facts bloom(Facts facts, BloomFilter<Line> filter) {
    FillState fill = filter.fillState();
    facts
        .text("layout", filter.shape().layout().label())
        .count("bits", filter.bitSize())
        .count("hashes", filter.shape().hashes())
        .count("ones", fill.ones())
        .number("filled", fill.fractionFilled())
        .count("expected-keys", filter.expectedKeys());
    return state(facts, fill.keys(), filter.fpp(), fill.fpp());
  }

  static Facts state(Facts facts, Estimate keys, double asked, double fpp) {
    return facts.estimate("keys", keys).number("fpp-asked", asked).number("fpp", fpp);
  }

  private static void scalable(Facts facts, ScalableBloomFilter<Line> filter) {
    List<Facts> stages = new ArrayList<>();
    for (BloomFilter<Line> stage : filter.stages()) {
      stages.add(bloom(new Facts(), stage));
    }
    facts.count("bits", filter.bitSize());
    state(facts, filter.approximateElementCount(), filter.fpp(), filter.expectedFpp());
    facts.each("stage", stages);
  }

  private static void counting(Facts facts, CountingBloomFilter<Line> filter) {
    facts
        .text("layout", filter.shape().layout().label())
        .count("counters", filter.shape().bits())
        .count("counter-bits", filter.counterBits())
        .count("hashes", filter.shape().hashes())
        .count("saturated-counters", filter.saturatedCounters())
        .count("expected-keys", filter.expectedKeys());
    state(facts, filter.approximateElementCount(), filter.fpp(), filter.expectedFpp());
  }

  private static void cuckoo(Facts facts, CuckooFilter<Line> filter) {
    CuckooSizing sizing = filter.sizing();
    Estimate copies = filter.approximateElementCount();
    facts
        .count("bits", filter.bitSize())
        .count("fingerprint-bits", sizing.fingerprintBits())
        .count("buckets", sizing.buckets())
        .count("slots", sizing.slots())
        .number("load", copies.value() / sizing.slots())
        .count("expected-keys", filter.expectedKeys());
    state(facts, copies, filter.fpp(), filter.expectedFpp());
  }

  private static void windowed(Facts facts, WindowedBloomFilter<Line> filter) {
    WindowSizing sizing = filter.sizing();
    Optional<Duration> duration = filter.duration();
    if (duration.isPresent()) {
      Duration window = duration.get();
      facts
          .text("window", window.toString())
          .text("generation", window.dividedBy(sizing.generations()).toString())
          .count("expected-keys", sizing.expectedKeys());
    } else {
      facts.count("window", sizing.expectedKeys()).count("generation", sizing.generationKeys());
    }
    facts
        .count("generations", sizing.generations())
        .count("hashes", sizing.hashes())
        .count("slice-bits", sizing.sliceBits())
        .count("bits", filter.bitSize());
    state(facts, filter.approximateElementCount(), filter.fpp(), filter.expectedFpp());
  }

  private static void fuse(Facts facts, FuseFilter<Line> filter) {
    facts
        .count("bits", filter.bitSize())
        .count("arity", filter.arity())
        .count("fingerprint-bits", filter.fingerprintBits())
        .count("shards", filter.shards());
    built(facts, filter.keys(), filter, filter.fpp());
  }

  private static void ribbon(Facts facts, RibbonFilter<Line> filter) {
    facts.count("bits", filter.bitSize()).count("layers", filter.layers());
    built(facts, filter.keys(), filter, filter.fpp());
  }

  private static void built(Facts facts, long keys, HashedFilter<Line> filter, double asked) {
    if (keys > 0) {
      facts.number("bits-per-key", (double) filter.bitSize() / keys);
    }
    state(facts, filter.approximateElementCount(), asked, filter.expectedFpp());
  }

  /** Describes another program's filter. */
  static Facts foreign(ForeignFilter<Line> filter) {
    Facts facts = new Facts().text("kind", Kind.FOREIGN.label()).all(foreignTraits(filter));
    return facts
        .count("ones", filter.ones())
        .number("filled", (double) filter.ones() / filter.bitSize())
        .estimate("keys", filter.approximateElementCount())
        .number("fpp", filter.expectedFpp())
        .text("hash", filter.hashId().algorithm().label());
  }

  /** Says which program's filter it is, of which variant and size. */
  static Facts foreignTraits(ForeignFilter<Line> filter) {
    Facts facts = new Facts();
    for (Traits.Trait trait : filter.traits().all()) {
      String name = trait.name().replace(' ', '-');
      if (trait.value() instanceof Double number) {
        facts.number(name, number);
      } else if (trait.value() instanceof Number number) {
        facts.count(name, number.longValue());
      } else if (trait.value() instanceof HashId id) {
        facts.text("seed", id.printedNumber());
      } else {
        facts.text(name, trait.value().toString());
      }
    }
    return facts;
  }

  /** Describes a count-min sketch. */
  static Facts countMin(CountMinSketch<Line> sketch) {
    Facts facts =
        new Facts()
            .text("kind", Kind.COUNT_MIN.label())
            .text("update", sketch.isConservative() ? "conservative" : "plain")
            .count("depth", sketch.depth())
            .count("width", sketch.width())
            .number("epsilon", sketch.epsilon())
            .number("delta", sketch.delta())
            .count("puts", sketch.totalCount())
            .number("max-overcount", sketch.maxOvercount());
    return hash(facts, sketch.hashId());
  }

  /** Describes a distinct counter. */
  static Facts distinct(DistinctCounter<Line> counter) {
    Facts facts =
        new Facts()
            .text("kind", Kind.DISTINCT.label())
            .count("precision", counter.precision())
            .number("standard-error", counter.standardError())
            .estimate("keys", counter.approximateElementCount());
    return hash(facts, counter.hashId());
  }
}
