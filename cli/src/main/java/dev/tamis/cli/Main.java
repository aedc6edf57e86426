package dev.tamis.cli;

import dev.tamis.cli.block.BlockCommand;
import dev.tamis.cli.console.ErrorLines;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.TerminalWidth;
import dev.tamis.cli.console.Version;
import dev.tamis.cli.corpus.CorpusCommand;
import dev.tamis.cli.dedup.Dedup;
import dev.tamis.cli.digest.DigestCommand;
import dev.tamis.cli.explore.Explore;
import dev.tamis.cli.filter.Build;
import dev.tamis.cli.filter.Check;
import dev.tamis.cli.filter.Convert;
import dev.tamis.cli.filter.Info;
import dev.tamis.cli.filter.Merge;
import dev.tamis.cli.filter.Size;
import dev.tamis.cli.help.CompletionCommand;
import dev.tamis.cli.help.HelpCommand;
import dev.tamis.cli.help.UsageErrors;
import dev.tamis.cli.help.VersionCommand;
import dev.tamis.cli.key.KeyCommand;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.queue.CrawlCommand;
import dev.tamis.cli.queue.QueueCommand;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.cli.stats.Count;
import dev.tamis.cli.stats.StatsCommand;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/** The {@code tamis} command: runs a subcommand and turns errors into one line. */
@Command(
    name = "tamis",
    description = "Bloom filters for lines: remove duplicates, query, count, size.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    footer = {
      "tamis help COMMAND explains a command, with an example.",
      "",
      "Data goes to standard output, everything else to standard error. Commands that write a file,"
          + " a queue or a server, and dedup, end with a summary there, which -q suppresses; the"
          + " others print what they find and nothing else, as grep does.",
      "",
      "Exit status:",
      "  0  success",
      "  1  nothing matched",
      "  2  any error",
      "",
      "Environment:",
      "  TAMIS_JAVA_OPTS       options for the JVM, such as -Xmx8g for a larger heap",
      "  TAMIS_REDIS_PASSWORD  the password for redis:// URLs that have none",
      "  COLUMNS               the width of help, if it is not that of the terminal",
      "",
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis dedup -q",
      "  b",
      "  a",
    })
public final class Main {

  private static final List<String> VERSION = List.of("--version");

  /** Commands that need to know all the others. */
  private static final Set<String> ABOUT_ALL = Set.of("help", "completion");

  private final Streams streams;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean debug;

  private Main(Streams streams) {
    this.streams = streams;
  }

  public static void main(String[] args) {
    List<String> arguments = List.of(args);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          fail(thrown, "tamis", new Messages(System.err, arguments));
          Runtime.getRuntime().removeShutdownHook(thread); // throws if the process is ending anyway
          System.exit(ExitStatus.ERROR);
        });
    System.exit(
        run(
            arguments,
            new StandardInput(new FileInputStream(FileDescriptor.in)),
            new FileOutputStream(FileDescriptor.out),
            System.err));
  }

  /** Runs the command with these arguments and returns its exit status. */
  public static int run(List<String> args, InputStream in, OutputStream out, PrintStream err) {
    Main main = new Main(new Streams(in, out, new Messages(err, args)));
    try {
      return main.commandLine(args, err).execute(args.toArray(String[]::new));
    } catch (Throwable e) { // the JVM would end with 1, which means that nothing matched
      return fail(e, "tamis", main.streams.err());
    }
  }

  static CommandLine model() {
    PrintStream err = System.err;
    Messages messages = new Messages(err, List.of());
    return new Main(
            new Streams(InputStream.nullInputStream(), OutputStream.nullOutputStream(), messages))
        .commandLine(List.of(), err);
  }

  private CommandLine commandLine(List<String> args, PrintStream err) {
    Map<String, Function<Streams, Object>> commands = new LinkedHashMap<>();
    commands.put("dedup", Dedup::new);
    commands.put("build", Build::new);
    commands.put("check", Check::new);
    commands.put("info", Info::new);
    commands.put("merge", Merge::new);
    commands.put("count", Count::new);
    commands.put("stats", StatsCommand::withCommands);
    commands.put("size", Size::new);
    commands.put("convert", Convert::new);
    commands.put("corpus", CorpusCommand::withSubcommands);
    commands.put("queue", QueueCommand::withCommands);
    commands.put("crawl", CrawlCommand::new);
    commands.put("block", BlockCommand::withSubcommands);
    commands.put("key", KeyCommand::withSubcommands);
    commands.put("digest", DigestCommand::withSubcommands);
    commands.put("explore", Explore::new);
    commands.put("help", HelpCommand::new);
    commands.put("version", VersionCommand::new);
    commands.put("completion", CompletionCommand::new);
    // reflection over all of them would take longer than running the one that was named
    if (!args.isEmpty()
        && (commands.containsKey(args.get(0)) || args.equals(VERSION))
        && !ABOUT_ALL.contains(args.get(0))) {
      commands.keySet().retainAll(args.subList(0, 1));
    }
    CommandLine commandLine = new CommandLine(this);
    commands.forEach((name, command) -> commandLine.addSubcommand(name, command.apply(streams)));
    return commandLine
        .registerConverter(Long.class, new NumberParser.CountConverter())
        .registerConverter(long.class, new NumberParser.CountConverter())
        .registerConverter(Double.class, new NumberParser.ProbabilityConverter())
        .registerConverter(double.class, new NumberParser.ProbabilityConverter())
        .registerConverter(Duration.class, new NumberParser.DurationConverter())
        .registerConverter(FilterPlace.class, new FilterPlace.Converter())
        .setExpandAtFiles(false) // a file may be called @name
        .setOut(new PrintWriter(streams.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .setExecutionStrategy(new Execution())
        .setParameterExceptionHandler(new Refusal(args));
  }

  /** Prints the help or the version that was requested, where a failure to print is an error. */
  private boolean isAnswered(ParseResult parsed) throws IOException {
    for (CommandLine command : parsed.asCommandLineList()) {
      if (command.isUsageHelpRequested()) {
        streams.write(HelpCommand.HelpPage.of(command, TerminalWidth.ofOutput()));
        return true;
      }
      if (command.isVersionHelpRequested()) {
        streams.print(Version.line() + "\n");
        return true;
      }
    }
    return false;
  }

  private int fail(CommandLine command, Throwable cause) {
    if (cause instanceof StandardOutput.ClosedPipeException) {
      return ExitStatus.CLOSED_PIPE;
    }
    int status = fail(cause, command.getCommandSpec().qualifiedName(), streams.err());
    if (debug) {
      streams.err().trace(cause);
    }
    return status;
  }

  private static int fail(Throwable cause, String command, Messages err) {
    ErrorLines.of(cause).forEach(line -> err.line("%s: %s", command, line));
    return ExitStatus.ERROR;
  }

  /*
   * Two classes, not lambdas: a class-data archive omits lambdas of interfaces compiled for Java 5,
   * and what else implements these. That saves the launcher 4 ms of 118.
   */

  private final class Execution implements CommandLine.IExecutionStrategy {
    @Override
    public int execute(ParseResult parsed) {
      List<CommandLine> commands = parsed.asCommandLineList();
      try {
        return isAnswered(parsed) ? 0 : new RunLast().execute(parsed);
      } catch (ParameterException e) {
        throw e; // for the handler below
      } catch (IOException e) {
        return fail(commands.get(0), e);
      } catch (CommandLine.ExecutionException e) {
        return fail(e.getCommandLine(), e.getCause() != null ? e.getCause() : e);
      } catch (Throwable e) {
        return fail(commands.get(commands.size() - 1), e);
      }
    }
  }

  private final class Refusal implements CommandLine.IParameterExceptionHandler {
    private final List<String> args;

    private Refusal(List<String> args) {
      this.args = args;
    }

    @Override
    public int handleParseException(ParameterException e, String[] given) {
      if (args.isEmpty()) {
        PrintWriter err = e.getCommandLine().getErr();
        err.print(HelpCommand.HelpPage.of(e.getCommandLine(), TerminalWidth.ofError()));
        err.flush();
        return ExitStatus.ERROR;
      }
      String name = e.getCommandLine().getCommandSpec().qualifiedName();
      streams.err().line("%s: %s; see %s --help", name, UsageErrors.explain(e, args), name);
      if (debug) {
        streams.err().trace(e);
      }
      return ExitStatus.ERROR;
    }
  }

  /**
   * Standard input that waits a moment before it ends.
   *
   * <p>On Ctrl-C the writer of a pipe ends at once, the JVM some milliseconds later; without the
   * wait this process would take the data so far for all of it, and replace its output file.
   */
  private static final class StandardInput extends FilterInputStream {

    /** Far longer than the JVM takes to begin to end, far shorter than anybody notices. */
    private static final long WAIT_MILLIS = 20;

    private boolean hasEnded;

    StandardInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      return read < 0 ? end() : read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      return read < 0 ? end() : read;
    }

    private int end() throws InterruptedIOException {
      if (!hasEnded) {
        hasEnded = true;
        try {
          Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted at the end of standard input");
        }
      }
      return -1;
    }
  }
}
