package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All commands and their commands, to be looked at. */
public final class Commands {

  private Commands() {}

  /** Returns them by what follows {@code tamis}; empty for {@code tamis} itself. */
  public static Map<String, CommandSpec> all() {
    Map<String, CommandSpec> all = new LinkedHashMap<>();
    add(Main.model(), all);
    return all;
  }

  /** Returns one of them. */
  public static CommandSpec of(String name) {
    return requireNonNull(all().get(name), name);
  }

  private static void add(CommandLine command, Map<String, CommandSpec> all) {
    String name = command.getCommandSpec().qualifiedName();
    all.put(
        name.substring(name.indexOf(' ') + 1).replaceFirst("^tamis$", ""),
        command.getCommandSpec());
    command.getSubcommands().values().forEach(next -> add(next, all));
  }
}
