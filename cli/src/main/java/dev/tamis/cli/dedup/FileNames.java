package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the inputs in a file, for more of them than a command line can have. */
public final class FileNames {

  private static final Path DASH = Path.of("-");

  @Option(
      names = "--files0-from",
      paramLabel = "F",
      description =
          "Read the names of the inputs from F, each ended by NUL, as find -print0 writes them;"
              + " from standard input for -.")
  private @Nullable Path list;

  public List<Path> of(List<Path> arguments, Streams streams) throws IOException {
    if (list == null) {
      return arguments;
    }
    if (!arguments.isEmpty()) {
      throw new CommandException(
          "--files0-from names all inputs, but there is %s too; leave one out", arguments.get(0));
    }
    List<Path> names = new ArrayList<>();
    for (String name : read(list, streams).split("\0", -1)) {
      names.add(path(name, list, names.size() + 1));
    }
    return names;
  }

  private static Path path(String name, Path list, int number) {
    if (name.isEmpty()) {
      throw new CommandException("%s: name %s is empty; end each name with one NUL", list, number);
    }
    if (name.equals("-") && list.equals(DASH)) {
      throw new CommandException(
          "-: name %s is -, but standard input has the names; name a file", number);
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new CommandException("%s: name %s: %s", list, number, e.getMessage());
    }
  }

  private static String read(Path list, Streams streams) throws IOException {
    try (InputStream in = list.equals(DASH) ? streams.unclosedIn() : Files.newInputStream(list)) {
      String names = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (names.isEmpty()) {
        throw new CommandException("%s: has no names of files; name one at least", list);
      }
      if (names.indexOf('\0') < 0 && names.indexOf('\n') >= 0) {
        throw new CommandException(
            "%s: names must end with NUL, got lines; write them with find -print0, or pass them"
                + " through tr '\\n' '\\0'",
            list);
      }
      return names.endsWith("\0") ? names.substring(0, names.length() - 1) : names;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(list, e);
    }
  }
}
