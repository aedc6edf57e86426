package dev.tamis.cli.help;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.Streams;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tamis completion}: scripts that let shells complete the arguments. */
@Command(
    name = "completion",
    description = "Print the script that lets a shell complete commands, options and values.",
    footer = {
      "Where the shells find it:",
      "  bash  ~/.local/share/bash-completion/completions/tamis",
      "  zsh   a file _tamis in a directory of $fpath",
      "  fish  ~/.config/fish/completions/tamis.fish",
      "",
      "Example:",
      "  $ tamis completion fish > tamis.fish",
    })
public final class CompletionCommand implements Callable<Integer> {

  private final Streams streams;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      converter = Shell.ShellChoice.class,
      completionCandidates = Shell.ShellChoice.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  public CompletionCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    CommandSpec root = spec.root();
    streams.write(shell.script(root.commandLine()));
    return 0;
  }

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

    public String fileName() {
      return fileName;
    }

    public String script(CommandLine root) {
      return generator.apply(root);
    }

    static final class ShellChoice extends Choice<Shell> {
      ShellChoice() {
        super(List.of(values()), shell -> shell.name().toLowerCase(Locale.ROOT));
      }
    }
  }
}
