package dev.tamis.cli;

import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;

/** Where a filter is, as the command line says it: in a file, or on a Redis server. */
sealed interface FilterPlace permits FilterPlace.InFile, RedisName {

  /** Returns the filter, in memory. */
  Filter<Line> load(KeyFile keyFile) throws IOException;

  /** Returns what messages call it; never with a password. */
  @Override
  String toString();

  /**
   * A file.
   *
   * @param path its name
   */
  record InFile(Path path) implements FilterPlace {

    @Override
    public Filter<Line> load(KeyFile keyFile) throws IOException {
      return keyFile.load(path);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** Converts an argument. */
  final class Converter implements ITypeConverter<FilterPlace> {
    @Override
    public FilterPlace convert(String text) {
      return RedisName.isOne(text) ? RedisName.parse(text) : new InFile(Path.of(text));
    }
  }
}
