package dev.tamis.cli.report;

import dev.tamis.Confidence;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The option that sets how often an interval contains the true number. */
public final class ConfidenceOption {

  @Option(
      names = "--confidence",
      paramLabel = "C",
      converter = Converter.class,
      description = "Probability that an interval contains the true number (default: 0.95).")
  private Confidence confidence = Confidence.DEFAULT;

  public Confidence value() {
    return confidence;
  }

  static final class Converter implements ITypeConverter<Confidence> {
    @Override
    public Confidence convert(String text) {
      return new Confidence(NumberParser.probability(text));
    }
  }
}
