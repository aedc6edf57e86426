package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;

/** Where a filter is, as named on the command line: in a file, or on a Redis server. */
public sealed interface FilterPlace permits FilterPlace.InFile, RedisName {

  Loaded load(KeyFile keyFile, RedisConnectionOptions password) throws IOException;

  /** Returns how its keys were made. */
  KeyRule rule(RedisConnectionOptions password) throws IOException;

  /** Returns the rule of all these; refuses two that differ. */
  static KeyRule commonRule(List<FilterPlace> places, RedisConnectionOptions password)
      throws IOException {
    FilterPlace first = places.get(0);
    KeyRule rule = first.rule(password);
    for (FilterPlace place : places.subList(1, places.size())) {
      KeyRule other = place.rule(password);
      if (!other.equals(rule)) {
        throw new CommandException(
            "%s and %s: keys differ: the first was filled by %s and the second by %s; fill both by"
                + " the same options",
            first, place, rule, other);
      }
    }
    return rule;
  }

  /** Returns its name in messages, never with a password. */
  @Override
  String toString();

  /** A filter in a file. */
  record InFile(Path path) implements FilterPlace {

    @Override
    public Loaded load(KeyFile keyFile, RedisConnectionOptions password) throws IOException {
      return Loaded.from(path, keyFile);
    }

    @Override
    public KeyRule rule(RedisConnectionOptions password) throws IOException {
      return KeyRule.of(path);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** Converts an argument that may be a server, without the name of a filter. */
  final class OrServer implements ITypeConverter<FilterPlace> {
    @Override
    public FilterPlace convert(String text) {
      return RedisName.isOne(text) ? RedisName.parseServer(text) : new InFile(Path.of(text));
    }
  }

  final class Converter implements ITypeConverter<FilterPlace> {
    @Override
    public FilterPlace convert(String text) {
      return RedisName.isOne(text) ? RedisName.parse(text) : new InFile(Path.of(text));
    }
  }
}
