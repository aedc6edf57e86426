package dev.tamis.cli.place;

import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.report.Report;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that accepts the result of a filter with far too many keys. */
public final class OverfullOption {

  @Option(
      names = "--allow-overfull",
      description = "Succeed although the final fpp is over 10 times the requested one.")
  private boolean allowed;

  private boolean overfull;
  private boolean refused;

  /** Returns whether a filled filter may be used; {@code consequence} explains a refusal. */
  public boolean accepts(CapacityWatch capacity, String consequence) {
    Optional<String> reason = capacity.overfull(consequence);
    overfull = reason.isPresent();
    refused = overfull && !allowed;
    if (refused) {
      capacity.print(reason.get());
    }
    return !refused;
  }

  public Report mark(Report summary) {
    return overfull ? summary.flag("overfull") : summary;
  }

  public int status() {
    return refused ? ExitStatus.ERROR : 0;
  }
}
