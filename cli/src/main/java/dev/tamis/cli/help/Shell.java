package dev.tamis.cli.help;

import dev.tamis.cli.console.Choice;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;

/** A shell that completes the arguments of commands. */
public enum Shell {
  BASH("tamis.bash", BashCompletion::of),
  ZSH("_tamis", ZshCompletion::of),
  FISH("tamis.fish", FishCompletion::of);

  private final String fileName;

  @SuppressWarnings("ImmutableEnumChecker") // a method
  private final Function<CommandLine, String> generator;

  Shell(String fileName, Function<CommandLine, String> generator) {
    this.fileName = fileName;
    this.generator = generator;
  }

  /** Returns the name under which the shell finds the script. */
  public String fileName() {
    return fileName;
  }

  /** Returns the script that completes a command and all below it. */
  public String script(CommandLine root) {
    return generator.apply(root);
  }

  static final class ShellChoice extends Choice<Shell> {
    ShellChoice() {
      super(List.of(values()), shell -> shell.name().toLowerCase(Locale.ROOT));
    }
  }
}
