package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.FieldList;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.hash.KeyHasher;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say by what lines are compared. */
final class KeyOptions {

  @Option(
      names = {"-k", "--key"},
      paramLabel = "FIELDS",
      converter = FieldList.Converter.class,
      description =
          "Compare lines by these fields, such as 2 or 1,3-5,7-, as cut -f selects them. A line"
              + " with none of them is compared as a whole, and only with others of the kind.")
  private @Nullable FieldList fields;

  @Option(
      names = {"-t", "--field-separator"},
      paramLabel = "SEP",
      description = "The byte between fields (default: tab, with --csv a comma).")
  private @Nullable String separator;

  @Option(
      names = "--csv",
      description =
          "Lines are records of CSV: fields may be in quotes, with line ends in them, and are"
              + " compared by their values.")
  private boolean csv;

  @Option(
      names = {"-i", "--ignore-case"},
      description = "Ignore the case of ASCII letters.")
  private boolean ignoreCase;

  void check(byte delimiter) {
    if (separator == null) {
      return;
    }
    if (fields == null && !csv) {
      throw new CommandException(
          "-t separates the fields of -k or --csv, and neither is given; add -k or leave -t out");
    }
    byte value = separator();
    if (value == delimiter || (csv && (value == '"' || value == '\n' || value == '\r'))) {
      throw new CommandException(
          "-t cannot separate fields by a byte that ends lines%s; give another one",
          csv ? " or quotes them" : "");
    }
  }

  private byte separator() {
    String given = separator != null ? separator : csv ? "," : "\t";
    String text = given.equals("\\t") ? "\t" : given.equals("\\0") ? "\0" : given;
    if (text.length() != 1 || text.charAt(0) > 0x7F) {
      throw new CommandException("-t: must be one ASCII character, \\t or \\0, got '%s'", given);
    }
    return (byte) text.charAt(0);
  }

  LineFormat format(byte delimiter) {
    return csv ? LineFormat.csv(delimiter, separator()) : LineFormat.plain(delimiter);
  }

  boolean hasFields() {
    return fields != null;
  }

  /** Returns these options, as they are stored with a filter of the keys. */
  KeyRule rule(byte delimiter) {
    List<String> words = new ArrayList<>();
    if (csv) {
      words.add("--csv");
    }
    if (fields != null) {
      words.add("-k " + fields);
    }
    if (fields != null || csv) {
      words.add("-t " + printed(separator()));
    }
    if (ignoreCase) {
      words.add("-i");
    }
    words.addAll(KeyRule.ofLines(delimiter).words());
    String rule = String.join(" ", words);
    if (rule.length() > KeyHasher.MAX_RULE_LENGTH) {
      throw new CommandException(
          "-k: a state has room for %s characters of options, got %s; give fewer fields",
          KeyHasher.MAX_RULE_LENGTH, rule.length());
    }
    return new KeyRule(rule);
  }

  private static String printed(byte separator) {
    return switch (separator) {
      case '\t' -> "\\t";
      case 0 -> "\\0";
      default ->
          separator > ' ' && separator < 0x7F
              ? String.valueOf((char) separator)
              : "\\x" + HexFormat.of().toHexDigits(separator);
    };
  }

  /** Returns a finder of keys, for one thread. */
  LineKey newKey(byte delimiter) {
    if (csv) {
      return LineKey.csv(fields != null ? fields : FieldList.ALL, separator(), ignoreCase);
    }
    LineKey key = fields != null ? LineKey.fields(fields, separator(), delimiter) : LineKey.whole();
    return ignoreCase ? LineKey.anyCase(key, separator()) : key;
  }
}
