package dev.tamis.cli.help;

import dev.tamis.cli.console.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a mistake in the arguments, and what was probably meant. */
public final class UsageErrors {

  /** The most commands to list where none is similar. */
  private static final int MAX_LISTED = 5;

  private UsageErrors() {}

  /** Returns one line about an error in {@code arguments}. */
  public static String explain(ParameterException e, List<String> arguments) {
    CommandLine command = e.getCommandLine();
    Set<String> commands = command.getSubcommands().keySet();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched, commands);
    }
    List<String> unknown = unknownOptions(command);
    if (!unknown.isEmpty()) { // what is missing was probably meant by it
      return unmatched(new UnmatchedArgumentException(command, unknown), commands);
    }
    if (e instanceof MissingParameterException && !commands.isEmpty()) {
      return missing(command, arguments, e);
    }
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("Missing required subcommand")) {
      return "no command given" + listed(commands);
    }
    return lowerCase(message);
  }

  private static List<String> unknownOptions(CommandLine command) {
    return command.getUnmatchedArguments().stream().filter(word -> word.matches("-.+")).toList();
  }

  private static String unmatched(UnmatchedArgumentException e, Set<String> commands) {
    String typed = e.getUnmatched().get(0);
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e.isUnknownOption()) {
      List<String> names = new ArrayList<>();
      for (OptionSpec option : command.options()) {
        names.addAll(List.of(option.names()));
      }
      return "unknown option: '" + typed + "'" + meant(Suggestions.options(typed, names));
    }
    if (commands.isEmpty()) {
      return "unexpected argument: '" + typed + "'";
    }
    List<String> meant = Suggestions.commands(typed, commands);
    if (meant.isEmpty() && commands.size() == 1) { // it was taken for granted
      meant = List.of(command.qualifiedName() + " " + String.join("", commands) + " " + typed);
    }
    return "no such command: '" + typed + "'" + (meant.isEmpty() ? listed(commands) : meant(meant));
  }

  /** A parameter of a command with commands of its own may have been put behind their names. */
  private static String missing(CommandLine command, List<String> arguments, ParameterException e) {
    CommandSpec spec = command.getCommandSpec();
    int own = arguments.indexOf(spec.name()) + 1;
    List<String> rest = arguments.subList(own, arguments.size());
    if (rest.isEmpty() || !command.getSubcommands().containsKey(rest.get(0))) {
      return lowerCase(String.valueOf(e.getMessage()));
    }
    String label = spec.positionalParameters().get(0).paramLabel();
    String value =
        rest.stream().skip(1).filter(word -> !word.startsWith("-")).findFirst().orElse(label);
    return label
        + " comes before the command: "
        + spec.qualifiedName()
        + " "
        + value
        + " "
        + rest.get(0);
  }

  private static String meant(List<String> names) {
    return names.isEmpty() ? "" : ", did you mean " + Choice.or(names) + "?";
  }

  private static String listed(Set<String> commands) {
    return commands.size() > MAX_LISTED ? "" : ", expected " + Choice.or(List.copyOf(commands));
  }

  private static String lowerCase(String message) {
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }
}
