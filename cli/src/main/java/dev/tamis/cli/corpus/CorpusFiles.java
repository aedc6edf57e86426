package dev.tamis.cli.corpus;

import dev.tamis.cli.console.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The input files, each with the name that its output has in a folder. */
record CorpusFiles(List<CorpusFile> all, List<Path> folders) {

  private static final Pattern RECORDS =
      Pattern.compile(".*\\.(jsonl|json|ndjson)(\\.(gz|zst|bz2|xz))?");

  record CorpusFile(Path path, Path name, long bytes) {}

  /**
   * Takes files as they are, and from folders all files of JSON lines, in the order of their names.
   */
  static CorpusFiles of(List<Path> arguments) throws IOException {
    if (arguments.isEmpty()) {
      throw new CommandException("no input is named; name files or folders of JSON lines");
    }
    List<CorpusFile> files = new ArrayList<>();
    for (Path argument : arguments) {
      if (Files.isDirectory(argument)) {
        addAllIn(argument, files);
      } else if (Files.isRegularFile(argument)) {
        Path name = argument.getFileName();
        if (name != null) {
          files.add(new CorpusFile(argument, name, Files.size(argument)));
        }
      } else {
        throw new CommandException(
            "%s: is no file or folder; inputs are read more than once and have names", argument);
      }
    }
    Map<Path, Path> byName = new HashMap<>();
    for (CorpusFile file : files) {
      Path other = byName.put(file.name(), file.path());
      if (other != null) {
        throw new CommandException(
            "%s and %s: would both be written as %s; run them apart, or name their folder",
            other, file.path(), file.name());
      }
    }
    return new CorpusFiles(
        List.copyOf(files), arguments.stream().filter(Files::isDirectory).toList());
  }

  private static void addAllIn(Path folder, List<CorpusFile> files) throws IOException {
    int before = files.size();
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.filter(CorpusFiles::hasRecords).sorted().toList()) {
        files.add(new CorpusFile(path, folder.relativize(path), Files.size(path)));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (files.size() == before) {
      throw new FileSystemException(
          folder.toString(), null, "has no files called *.jsonl, *.json or *.ndjson");
    }
  }

  private static boolean hasRecords(Path path) {
    return RECORDS.matcher(String.valueOf(path.getFileName())).matches()
        && Files.isRegularFile(path);
  }

  /** Refuses an output folder where a later run would replace an input, or read an output. */
  void requireOutside(Path output) throws IOException {
    for (Path folder : folders) {
      if (output.toAbsolutePath().normalize().startsWith(folder.toAbsolutePath().normalize())) {
        throw new CommandException(
            "%s: is in the input %s, so that outputs would be read; name another folder",
            output, folder);
      }
    }
    for (CorpusFile file : all) {
      Path target = output.resolve(file.name().toString());
      if (Files.exists(target) && Files.isSameFile(target, file.path())) {
        throw new CommandException(
            "%s: is an input, and -o %s would replace it; name another folder",
            file.path(), output);
      }
    }
  }

  long bytes() {
    return all.stream().mapToLong(CorpusFile::bytes).sum();
  }
}
