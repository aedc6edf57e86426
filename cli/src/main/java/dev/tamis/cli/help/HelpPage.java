package dev.tamis.cli.help;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.CommandSpec;

/** What {@code --help} prints of a command: picocli's page with the command's {@link HelpText}. */
public final class HelpPage {

  /** Narrower, the descriptions of options would be columns of single words. */
  static final int MIN_WIDTH = 60;

  /** Wider, the eye loses the next line. */
  static final int MAX_WIDTH = 120;

  private HelpPage() {}

  /** Returns the page for a terminal of so many columns. */
  public static String of(CommandLine command, int columns) {
    return command
        .setUsageHelpWidth(Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH))
        .setHelpFactory(WithText::new)
        .getUsageMessage();
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
