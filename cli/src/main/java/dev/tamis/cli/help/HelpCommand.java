package dev.tamis.cli.help;

import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.TerminalWidth;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code tamis help}: what {@code --help} prints, of the command that is named. */
@Command(
    name = "help",
    description = "Explain a command, or list all of them.",
    footer = {
      "Example:",
      "  $ tamis help dedup",
      "  Usage: tamis dedup ...",
      "  ...",
    })
public final class HelpCommand implements Callable<Integer> {

  private final Streams streams;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description =
          "A command, such as dedup, or a command and one of its own, such as queue push.")
  private List<String> path = List.of();

  public HelpCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    CommandLine command = spec.root().commandLine();
    for (String name : path) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new UnmatchedArgumentException(command, List.of(name));
      }
      command = next;
    }
    streams.write(HelpPage.of(command, TerminalWidth.ofOutput()));
    return 0;
  }

  /** The page of {@code --help}: that of picocli with the {@link HelpText}. */
  public static final class HelpPage {

    /** Columns of option descriptions would be too narrow below this. */
    static final int MIN_WIDTH = 60;

    /** Longer lines are hard to read. */
    static final int MAX_WIDTH = 120;

    private HelpPage() {}

    public static String of(CommandLine command, int columns) {
      return command
          .setUsageHelpWidth(Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH))
          .setHelpFactory(WithText::new)
          .getUsageMessage()
          .replace(System.lineSeparator(), "\n"); // the same bytes on every system
    }

    /** Picocli's page would wrap examples, and take each line for a format. */
    private static final class WithText extends Help {
      WithText(CommandSpec command, ColorScheme colors) {
        super(command, colors);
      }

      @Override
      public String footer(Object... parameters) {
        return HelpText.of(commandSpec()).wrapped(commandSpec().usageMessage().width());
      }
    }
  }
}
