package dev.tamis.cli.help;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the completion function for zsh. */
final class ZshCompletion {

  private ZshCompletion() {}

  static String of(CommandLine root) {
    StringBuilder script = new StringBuilder("#compdef tamis\n# Completion of tamis for zsh.\n");
    for (Completable command : Completable.all(root)) {
      append(command, script);
    }
    return script
        .append(
            """

            if [[ $funcstack[1] == _tamis ]]; then # autoloaded from a file of this name
              _tamis "$@"
            else
              compdef _tamis tamis
            fi
            """)
        .toString();
  }

  private static String function(String path) {
    return "_tamis" + path.replace(' ', '_');
  }

  private static void append(Completable command, StringBuilder script) {
    script.append('\n').append(function(command.path())).append("() {\n");
    if (!command.commands().isEmpty()) {
      script.append("  local curcontext=$curcontext state line\n");
    }
    script.append("  _arguments -s -S");
    script.append(command.commands().isEmpty() ? "" : " -C");
    command.options().forEach(option -> append(option, command, script));
    int number = 1;
    for (PositionalParamSpec parameter : command.parameters()) {
      boolean many = parameter.index().isVariable() || parameter.arity().max() > 1;
      String place = many ? "*" : String.valueOf(number++);
      word(
          place + ":" + escaped(parameter.paramLabel()) + action(command.values(parameter)),
          script);
    }
    if (!command.commands().isEmpty()) {
      word(number + ": :->command", script);
      word("*:: :->rest", script);
      commands(command, number, script);
    }
    script.append("\n}\n");
  }

  private static void commands(Completable command, int number, StringBuilder script) {
    script.append("\n  local -a commands=(");
    for (String name : command.commands()) {
      script.append("\n    '").append(name).append(':');
      script
          .append(command.descriptionOf(name).replace("'", "'\\''").replace(":", "\\:"))
          .append('\'');
    }
    script.append("\n  )\n  case $state in\n    command) _describe command commands ;;\n");
    script.append("    rest)\n      case $line[").append(number).append("] in\n");
    for (String name : command.commands()) {
      script.append("        ").append(name).append(") ");
      script.append(function(command.path() + " " + name)).append(" ;;\n");
    }
    script.append("      esac\n      ;;\n  esac");
  }

  private static void append(OptionSpec option, Completable command, StringBuilder script) {
    String others = "(" + String.join(" ", option.names()) + ")";
    for (String name : option.names()) {
      String text = others + name;
      if (option.isMultiValue()) {
        text = "*" + name;
      }
      if (Completable.takesValue(option)) {
        text += name.startsWith("--") ? "=" : "+";
      }
      text += "[" + escaped(Completable.brief(option)) + "]";
      if (Completable.takesValue(option)) {
        text += ":" + escaped(option.paramLabel()) + action(command.values(option));
      }
      word(text, script);
    }
  }

  private static String action(Completable.Values values) {
    if (values instanceof Completable.Words choice) {
      return ":(" + String.join(" ", choice.words()) + ")";
    }
    return values instanceof Completable.Files ? ":_files" : ": ";
  }

  private static void word(String text, StringBuilder script) {
    script.append(" \\\n    '").append(text.replace("'", "'\\''")).append('\'');
  }

  /** Colons and brackets end what stands before them. */
  private static String escaped(String text) {
    return text.replaceAll("([\\[\\]:\\\\])", "\\\\$1");
  }
}
