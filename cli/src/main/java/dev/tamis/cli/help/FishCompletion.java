package dev.tamis.cli.help;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion script for fish. */
final class FishCompletion {

  private static final String COMPLETE = "complete -c tamis";

  private FishCompletion() {}

  static String of(CommandLine root) {
    StringBuilder script = new StringBuilder("# Completion of tamis for fish.\n\n");
    StringBuilder paths = new StringBuilder();
    StringBuilder lines = new StringBuilder(COMPLETE).append(" -f\n");
    for (Completable command : Completable.all(root)) {
      if (!command.path().isEmpty()) {
        paths.append(" '").append(command.path()).append("'");
      }
      append(command, lines);
    }
    return script
        .append(
            """
            function __tamis_is
                set -l path ''
                for word in (commandline -opc)[2..-1]
                    switch "$path $word"
                        case@paths@
                            set path "$path $word"
                    end
                end
                test "$path" = "$argv"
            end

            """
                .replace("@paths@", paths))
        .append(lines)
        .toString();
  }

  private static void append(Completable command, StringBuilder lines) {
    String here = COMPLETE + " -n \"__tamis_is '" + command.path() + "'\"";
    for (String name : command.commands()) {
      lines.append(here).append(" -a ").append(name);
      lines.append(" -d ").append(quoted(command.descriptionOf(name))).append('\n');
    }
    for (OptionSpec option : command.options()) {
      lines.append(here);
      for (String name : option.names()) {
        lines.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^-+", ""));
      }
      if (Completable.takesValue(option)) {
        lines.append(" -r").append(values(command.values(option)));
      }
      lines.append(" -d ").append(quoted(Completable.brief(option))).append('\n');
    }
    if (!command.parameters().isEmpty()) {
      lines.append(here).append(values(command.parameter())).append('\n');
    }
  }

  private static String values(Completable.Values values) {
    if (values instanceof Completable.Words choice) {
      return " -f -a '" + String.join(" ", choice.words()) + "'";
    }
    return values instanceof Completable.Files ? " -F" : " -f";
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
