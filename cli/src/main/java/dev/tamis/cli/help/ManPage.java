package dev.tamis.cli.help;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, from what {@code --help} is made of too. */
public final class ManPage {

  private final CommandSpec command;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandSpec command) {
    this.command = command;
  }

  /** Returns the name of a command's page, with hyphens. */
  public static String name(CommandLine command) {
    return name(command.getCommandSpec());
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** Returns the page of a release; it depends on nothing else, so builds are reproducible. */
  public static String of(CommandLine command, String release, String date) {
    return new ManPage(command.getCommandSpec()).build(release, date);
  }

  private String build(String release, String date) {
    page.append(".TH ").append(name(command).toUpperCase(Locale.ROOT)).append(" 1 ");
    page.append(date).append(" \"tamis ").append(release).append("\"\n.nh\n.ad l\n");
    section("NAME");
    text(name(command) + " - " + description().replaceFirst("\\.$", ""));
    section("SYNOPSIS");
    synopsis();
    section("DESCRIPTION");
    text(description());
    if (!command.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        tagged(italic(parameter.paramLabel()), join(parameter));
      }
    }
    section("OPTIONS");
    for (OptionSpec option : command.options()) {
      tagged(names(option), join(option));
    }
    if (!command.subcommands().isEmpty()) {
      section("COMMANDS");
      command.subcommands().forEach((name, next) -> tagged(bold(name), description(next)));
    }
    section("NOTES");
    boolean isFirst = true;
    for (HelpText.Block block : HelpText.of(command).blocks()) {
      append(block, isFirst);
      isFirst = false;
    }
    seeAlso();
    return page.toString();
  }

  private void synopsis() {
    String[] custom = command.usageMessage().customSynopsis();
    if (custom.length > 0) {
      text(String.join(" ", custom));
      return;
    }
    StringBuilder line = new StringBuilder(bold(command.qualifiedName()));
    Stream<OptionSpec> required = command.options().stream().filter(OptionSpec::required);
    required.forEach(option -> line.append(' ').append(names(option)));
    line.append(" [").append(italic("OPTION")).append("]...");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      String label = italic(parameter.paramLabel());
      String many = parameter.arity().max() > 1 ? "..." : "";
      line.append(parameter.required() ? " " + label + many : " [" + label + many + "]");
    }
    if (!command.subcommands().isEmpty()) {
      line.append(' ').append(italic("COMMAND"));
    }
    page.append(line).append('\n');
  }

  private void seeAlso() {
    Stream<CommandSpec> others =
        Stream.concat(
            Stream.ofNullable(command.parent()),
            command.subcommands().values().stream().map(CommandLine::getCommandSpec));
    List<String> pages = others.map(other -> bold(name(other)) + "(1)").toList();
    section("SEE ALSO");
    page.append(String.join(",\n", pages)).append('\n');
  }

  private void append(HelpText.Block block, boolean isFirst) {
    if (!isFirst && !(block instanceof HelpText.Items)) {
      page.append(".PP\n");
    }
    if (block instanceof HelpText.Paragraph paragraph) {
      text(paragraph.text());
    } else if (block instanceof HelpText.Items list) {
      list.items().forEach(item -> tagged(bold(item.term()), item.text()));
    } else if (block instanceof HelpText.Example example) {
      page.append(".RS 4\n.nf\n");
      example.lines().forEach(this::text);
      page.append(".fi\n.RE\n");
    }
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  private void tagged(String tag, String text) {
    page.append(".TP\n").append(tag).append('\n');
    text(text);
  }

  /** Appends a line of text; at its beginning a period or an apostrophe would be a request. */
  private void text(String text) {
    String line = escaped(text);
    page.append(line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line).append('\n');
  }

  private String description() {
    return String.join(" ", command.usageMessage().description());
  }

  private static String description(CommandLine command) {
    return String.join(" ", command.getCommandSpec().usageMessage().description());
  }

  private static String join(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  private static String names(OptionSpec option) {
    String label = option.arity().max() > 0 ? option.paramLabel() : "";
    return String.join(
        ", ",
        Stream.of(option.names())
            .map(
                name -> {
                  String before = name.startsWith("--") ? "=" : " ";
                  return label.isEmpty() ? bold(name) : bold(name) + before + italic(label);
                })
            .toList());
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  private static String italic(String text) {
    return "\\fI" + escaped(text) + "\\fR";
  }

  /** A hyphen that can be pasted, and characters that groff would print as others. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("^", "\\(ha")
        .replace("~", "\\(ti")
        .replace("`", "\\(ga")
        .replace("'", "\\(aq");
  }
}
