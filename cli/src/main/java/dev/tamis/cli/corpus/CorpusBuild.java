package dev.tamis.cli.corpus;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized.Capacity;
import dev.tamis.Storable;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.dedup.FileNames;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis corpus build}: a filter of documents, paragraphs or n-grams. */
@Command(
    name = "build",
    description = "Build a filter of documents, paragraphs or n-grams, for corpus match.",
    footer = {
      "The file states how its keys were made, and corpus match refuses other options.",
      "The keys are collected in memory, in 8.5 bytes each, unless -n is given for a",
      "type that is filled as it is read: blocked or classic.",
      "",
      "Example:",
      "  $ printf '{\"question\":\"What is the fifth word of this sentence?\"}\\n' > eval.jsonl",
      "  $ tamis corpus build -q --ngrams 4 -t ribbon --field question -o eval.tamis eval.jsonl",
    })
final class CorpusBuild implements Callable<Integer> {

  private static final double DEFAULT_FPP = 1e-9;

  private final Streams streams;

  @Mixin private UnitOptions units = new UnitOptions();
  @Mixin private FileNames names = new FileNames();
  @Mixin private final KeyFile keyFile;
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILTER",
      required = true,
      description = "The file to write; replaced atomically on success.")
  private Path output;

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      converter = TypeChoice.class,
      completionCandidates = TypeChoice.class,
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Type type = Type.BLOCKED;

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      description = "Distinct keys expected, so that they are not collected first.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description = "False-positive probability (default: ${DEFAULT-VALUE}).")
  private double fpp = DEFAULT_FPP;

  @Parameters(paramLabel = "FILE|DIR", arity = "0..*", description = "Inputs of JSON lines.")
  private List<Path> inputs = List.of();

  private long records;
  private long keys;

  CorpusBuild(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
  }

  private enum Type {
    BLOCKED,
    CLASSIC,
    FUSE,
    RIBBON;

    boolean isStatic() {
      return this == FUSE || this == RIBBON;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final class TypeChoice extends Choice<Type> {
    TypeChoice() {
      super(Arrays.asList(Type.values()), Type::toString);
    }
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    units.check();
    if (expectedKeys != null && type.isStatic()) {
      throw new CommandException(
          "-n cannot size a %s filter, whose size follows from the keys and -p; leave it out",
          type);
    }
    CorpusFiles files = CorpusFiles.of(names.of(inputs, streams));
    KeyHasher<Line> hasher = units.keyRule().hasher(keyFile.hasher());
    HashFunction function = BoundHasher.of(hasher, 0).function();
    HashedFilter<Line> filter;
    if (expectedKeys != null) {
      BloomFilter<Line> bloom = bloom(hasher, expectedKeys);
      put(files, function, bloom::putHash);
      Capacity capacity = bloom.capacity();
      if (capacity.isOverfull(bloom.expectedFpp())) {
        throw new CommandException(
            "filter is overfull: its fpp is %s, requested %s; it was not written; rerun with a"
                + " larger -n, or without it",
            bloom.expectedFpp(), fpp);
      }
      filter = bloom;
    } else {
      filter = collected(files, hasher, function);
    }
    FileOwner.watch(output, streams.err(), () -> FilterFile.save(output, (Storable) filter));
    report.print(summary(filter).secondsSince(start), streams.err());
    return 0;
  }

  private Report summary(HashedFilter<Line> filter) {
    return new Report()
        .count("records", records)
        .count("keys", keys)
        .count("distinct", distinct(filter))
        .number("fpp", filter.expectedFpp())
        .memory((filter.bitSize() + Byte.SIZE - 1) / Byte.SIZE);
  }

  private static long distinct(HashedFilter<Line> filter) {
    return filter instanceof HashedMutableFilter<?> mutable
        ? mutable.acceptedKeys()
        : filter.approximateElementCount().rounded();
  }

  private BloomFilter<Line> bloom(KeyHasher<Line> hasher, long keys) {
    var builder = BloomFilter.<Line>builder(hasher).expectedKeys(keys).fpp(fpp).singleThreaded();
    return type == Type.CLASSIC ? builder.layout(Layout.CLASSIC).build() : builder.build();
  }

  private HashedFilter<Line> collected(
      CorpusFiles files, KeyHasher<Line> hasher, HashFunction function) throws IOException {
    StaticFilterBuilder<Line, ?, ?> collector =
        type == Type.RIBBON ? RibbonFilter.<Line>builder(hasher) : FuseFilter.builder(hasher);
    put(files, function, collector::putHash);
    if (type.isStatic()) {
      return collector.fpp(fpp).build();
    }
    BloomFilter<Line> bloom = bloom(hasher, Math.max(1, collector.distinctKeys()));
    collector.forEachHash(bloom::putHash);
    return bloom;
  }

  private void put(CorpusFiles files, HashFunction function, LongConsumer put) throws IOException {
    try (Progress progress = report.progress(OptionalLong.of(files.bytes()), true, streams.err());
        RecordPipeline pipeline =
            new RecordPipeline(
                CorpusDedup.threads(null),
                () -> new RecordBatch(units.field(), units.units(function).build()))) {
      for (CorpusFiles.CorpusFile input : files.all()) {
        try (InputStream in =
            new Inputs.Input(input.path(), new DecompressOption(), streams, progress).open()) {
          pipeline.read(
              in,
              input.path().toString(),
              batch -> {
                units.requireWellFormed(input, batch);
                for (int i = 0; i < batch.units().keyCount(); i++) {
                  put.accept(batch.units().keys()[i]);
                }
                keys += batch.units().keyCount();
                records += batch.count();
              });
        }
      }
    }
  }
}
