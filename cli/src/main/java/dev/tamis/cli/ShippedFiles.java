package dev.tamis.cli;

import dev.tamis.cli.help.CompletionCommand;
import dev.tamis.cli.help.ManPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** Writes what a distribution ships beside the command: manual pages and completion scripts. */
final class ShippedFiles {

  private static final int DAY_CHARACTERS = "2026-11-20".length();

  private ShippedFiles() {}

  /** Writes {@code man/man1} and {@code completion}, given the folder, the version and its day. */
  public static void main(String[] args) throws IOException {
    CommandLine root = Main.model();
    Path folder = Path.of(args[0]);
    String day = args[2].substring(0, DAY_CHARACTERS);
    writeManPages(root, Files.createDirectories(folder.resolve("man/man1")), args[1], day);
    Path completion = Files.createDirectories(folder.resolve("completion"));
    for (CompletionCommand.Shell shell : CompletionCommand.Shell.values()) {
      Files.writeString(completion.resolve(shell.fileName()), shell.script(root));
    }
  }

  private static void writeManPages(CommandLine command, Path folder, String version, String date)
      throws IOException {
    Files.writeString(
        folder.resolve(ManPage.name(command) + ".1"), ManPage.of(command, version, date));
    for (CommandLine next : command.getSubcommands().values()) {
      writeManPages(next, folder, version, date);
    }
  }
}
