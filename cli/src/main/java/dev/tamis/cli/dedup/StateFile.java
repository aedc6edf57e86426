package dev.tamis.cli.dedup;

import dev.tamis.Filter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.Kind;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The file in which {@code dedup} keeps its filter from one run to the next. */
final class StateFile {

  private static final String HOLDER = "the file";

  private final Path path;

  StateFile(Path path) {
    this.path = path;
  }

  /** Reads the filter, if the file exists; refuses one that differs from the options. */
  Optional<HashedMutableFilter<Line>> load(FilterOptions options, KeyFile keyFile, KeyRule rule)
      throws IOException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    Filter<Line> filter = keyFile.load(path, FilterFile::<Line>load);
    rule.requireToContinue(path, KeyRule.of(path));
    return Optional.of(agreeing(filter, options));
  }

  void requireSavable() throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new FileSystemException(path.toString(), null, "its directory does not exist");
    }
    if (!Files.isWritable(directory)) {
      throw new FileSystemException(path.toString(), null, "its directory is not writable");
    }
  }

  void save(HashedMutableFilter<Line> filter, Messages err) throws IOException {
    Storable storable = (Storable) filter; // fixed or growing: both can be written
    FileOwner.watch(path, err, () -> FilterFile.save(path, storable));
  }

  void requireDistinct(@Nullable Path output, List<Path> inputs) throws IOException {
    if (output != null && isSame(output)) {
      throw new CommandException("%s: is both the state and the output; give two files", path);
    }
    for (Path input : inputs) {
      if (isSame(input)) {
        throw new CommandException("%s: is both the state and an input; give two files", path);
      }
    }
  }

  private boolean isSame(Path other) throws IOException {
    return path.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())
        || (Files.exists(path) && Files.exists(other) && Files.isSameFile(path, other));
  }

  /** Returns the filter if it is what the options request. */
  private HashedMutableFilter<Line> agreeing(Filter<Line> filter, FilterOptions options) {
    Kind kind = ((Storable) filter).kind();
    return switch (kind) {
      case BLOOM -> {
        BloomFilter<Line> bloom = (BloomFilter<Line>) filter;
        options.requireAgreement(path, HOLDER, bloom.expectedKeys(), bloom.fpp(), bloom.shape());
        yield bloom;
      }
      case SCALABLE_BLOOM -> {
        ScalableBloomFilter<Line> scalable = (ScalableBloomFilter<Line>) filter;
        if (options.fixSize()) {
          throw new CommandException(
              "%s: type differs: the file has a filter that grows, -n and -m request one of fixed"
                  + " size; leave them out to continue with the file",
              path);
        }
        options.requireFpp(path, HOLDER, scalable.fpp());
        yield scalable;
      }
      default ->
          throw new CommandException(
              "%s: kind: must be bloom or scalable to continue from, got %s; name another file, or"
                  + " one that does not exist",
              path, kind.label());
    };
  }
}
