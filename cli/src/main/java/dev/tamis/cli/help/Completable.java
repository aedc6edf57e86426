package dev.tamis.cli.help;

import static java.util.Objects.requireNonNull;

import dev.tamis.cli.place.FilterPlace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What a shell can complete in a command; {@code path} is its names, each after a space. */
record Completable(String path, CommandSpec spec) {

  /** The label of a parameter that is the name of a command. */
  private static final String COMMAND = "COMMAND";

  sealed interface Values permits Words, Files, Unknown {}

  record Words(List<String> words) implements Values {}

  record Files() implements Values {}

  record Unknown() implements Values {}

  static List<Completable> all(CommandLine root) {
    List<Completable> all = new ArrayList<>();
    add("", root, all);
    return all;
  }

  private static void add(String path, CommandLine command, List<Completable> all) {
    all.add(new Completable(path, command.getCommandSpec()));
    command.getSubcommands().forEach((name, next) -> add(path + " " + name, next, all));
  }

  List<String> commands() {
    return List.copyOf(spec.subcommands().keySet());
  }

  String descriptionOf(String command) {
    CommandLine found = requireNonNull(spec.subcommands().get(command), command);
    return String.join(" ", found.getCommandSpec().usageMessage().description());
  }

  List<OptionSpec> options() {
    return spec.options();
  }

  List<String> optionNames(boolean onlyValued) {
    return options().stream()
        .filter(option -> !onlyValued || takesValue(option))
        .flatMap(option -> Stream.of(option.names()))
        .toList();
  }

  static boolean takesValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  List<PositionalParamSpec> parameters() {
    return spec.positionalParameters();
  }

  /** Returns the values of the next parameter. */
  Values parameter() {
    return parameters().isEmpty()
        ? new Unknown()
        : values(parameters().get(parameters().size() - 1));
  }

  Values values(ArgSpec argument) {
    if (argument.completionCandidates() != null) {
      List<String> words = new ArrayList<>();
      argument.completionCandidates().forEach(words::add);
      return new Words(words);
    }
    if (argument.paramLabel().equals(COMMAND)) {
      return new Words(List.copyOf(spec.root().subcommands().keySet()));
    }
    Class<?> type = argument.auxiliaryTypes()[0];
    return type == Path.class || type == FilterPlace.class ? new Files() : new Unknown();
  }

  static String brief(ArgSpec argument) {
    String text = String.join(" ", argument.description());
    return text.split("(?<=\\w)[.;:] |\\.$| \\(default", 2)[0];
  }
}
