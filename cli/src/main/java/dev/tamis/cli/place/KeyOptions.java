package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.lines.FieldList;
import dev.tamis.cli.lines.KeyPart;
import dev.tamis.cli.lines.KeyedHash;
import dev.tamis.cli.lines.KeyedHash.Counts;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.cli.lines.LineHash;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.report.Report;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what of a line is its key, and which keys are taken. */
public abstract class KeyOptions {

  /*
   * The names of some options depend on the command, where -k, -t or --key are something else.
   */

  private static final String FIELDS =
      "The key of a line is these fields, such as 2 or 1,3-5,7-, as cut -f selects them. A line"
          + " with none of them is compared as a whole, and only with others of the kind.";
  protected static final String SEPARATOR =
      "The byte between fields (default: tab, with --csv a comma).";
  private static final String IGNORE_CASE = "Ignore the case of ASCII letters.";

  @Option(
      names = "--csv",
      description =
          "Lines are records of CSV: fields may be in quotes, with line ends in them, and are"
              + " compared by their values.")
  private boolean csv;

  @Option(
      names = "--json-key",
      paramLabel = "MEMBER",
      description =
          "Lines are JSON; the key is the value of this member, a name or a pointer such as"
              + " /meta/url. If repeated, all of them are the key. A line without it is kept.")
  private List<String> members = List.of();

  @Option(
      names = "--keep-malformed",
      description = "Keep lines that are not JSON, and count them, instead of stopping.")
  private boolean keepMalformed;

  @Option(
      names = "--part",
      paramLabel = "K/N",
      converter = KeyPart.Converter.class,
      description =
          "Only lines of part K of N, by a hash of their keys. N runs, each with 1/N of the memory,"
              + " together take every line once.")
  private KeyPart part = KeyPart.ALL;

  private final List<KeyedHash> hashes = new ArrayList<>();

  protected abstract @Nullable FieldList fields();

  protected abstract @Nullable String separatorText();

  protected abstract boolean ignoresCase();

  protected LineKey csvKey(FieldList fields, byte separator) {
    return LineKey.csv(fields, separator, ignoresCase());
  }

  /** Returns the key from which the part follows. */
  protected Line partKey(Line key) {
    return key;
  }

  /** Refuses what cannot be combined. */
  public void check(byte delimiter) {
    if (!members.isEmpty()) {
      if (csv || fields() != null || separatorText() != null) {
        throw new CommandException(
            "--json-key finds the key in JSON, and %s in fields; leave one of them out",
            csv ? "--csv" : fields() != null ? "-k" : "-t");
      }
      try {
        LineKey unused = newKey(delimiter);
      } catch (IllegalArgumentException e) {
        throw new CommandException("--json-key: %s", e.getMessage());
      }
    } else if (keepMalformed) {
      throw new CommandException(
          "--keep-malformed is about lines of JSON, and --json-key is not given; leave it out");
    }
    if (separatorText() != null) {
      checkSeparator(delimiter);
    }
  }

  private void checkSeparator(byte delimiter) {
    if (fields() == null && !csv) {
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
    String separator = separatorText();
    String given = separator != null ? separator : csv ? "," : "\t";
    String text = given.equals("\\t") ? "\t" : given.equals("\\0") ? "\0" : given;
    if (text.length() != 1 || text.charAt(0) > 0x7F) {
      throw new CommandException("-t: must be one ASCII character, \\t or \\0, got '%s'", given);
    }
    return (byte) text.charAt(0);
  }

  public LineFormat format(byte delimiter) {
    return csv ? LineFormat.csv(delimiter, separator()) : LineFormat.plain(delimiter);
  }

  /** Returns whether the key of a line is all of it. */
  public boolean takeWholeLines() {
    return fields() == null && !csv && members.isEmpty() && !ignoresCase();
  }

  public KeyPart part() {
    return part;
  }

  /** Estimates the keys in regular files. */
  public OptionalLong estimatedKeys(Inputs inputs) throws IOException {
    OptionalLong lines = inputs.estimatedLines();
    return lines.isEmpty() ? lines : OptionalLong.of(part.share(lines.getAsLong()));
  }

  /** Returns these options as they are stored with a filter of the keys; refuses too long ones. */
  public KeyRule storedRule(byte delimiter) {
    KeyRule rule = rule(delimiter);
    if (rule.options().length() > KeyHasher.MAX_RULE_LENGTH) {
      throw new CommandException(
          "%s: a filter has room for %s characters of options, got %s; give fewer %s",
          members.isEmpty() ? "-k" : "--json-key",
          KeyHasher.MAX_RULE_LENGTH,
          rule.options().length(),
          members.isEmpty() ? "fields" : "or shorter members");
    }
    return rule;
  }

  public KeyRule rule(byte delimiter) {
    List<String> words = new ArrayList<>();
    FieldList fields = fields();
    if (csv) {
      words.add("--csv");
    }
    if (fields != null) {
      words.add("-k " + fields);
    }
    if (fields != null || csv) {
      words.add("-t " + printed(separator()));
    }
    for (String member : members) {
      words.add("--json-key " + printed(member));
    }
    if (ignoresCase()) {
      words.add("-i");
    }
    if (part.parts() > 1) {
      words.add("--part " + part);
    }
    words.addAll(KeyRule.ofLines(delimiter).words());
    return new KeyRule(String.join(" ", words));
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

  private static String printed(String member) {
    StringBuilder printed = new StringBuilder();
    for (byte each : member.getBytes(StandardCharsets.UTF_8)) {
      printed.append(each == '\\' ? "\\\\" : printed(each));
    }
    return printed.toString();
  }

  /** Returns a finder of keys, for one thread. */
  public LineKey newKey(byte delimiter) {
    FieldList fields = fields();
    boolean ignoresCase = ignoresCase();
    if (csv) {
      return csvKey(fields != null ? fields : FieldList.ALL, separator());
    }
    LineKey key =
        fields != null
            ? LineKey.fields(fields, separator(), delimiter)
            : members.isEmpty() ? LineKey.whole() : LineKey.json(members, keepMalformed);
    return ignoresCase ? LineKey.anyCase(key, separator()) : key;
  }

  /**
   * Returns a hash of the keys, for one thread, whose {@link #counts} are added to those before.
   */
  public KeyedHash newHash(byte delimiter, LineHash hash) {
    KeyedHash made = new KeyedHash(newKey(delimiter), part, this::partKey, hash);
    hashes.add(made);
    return made;
  }

  /** Returns a hash that only tells which lines have a key. */
  public LineHash uncounted(byte delimiter) {
    return new KeyedHash(newKey(delimiter), part, this::partKey, key -> 0);
  }

  /** Returns the sum of the counts of all hashes; not while one is in use. */
  public Counts counts() {
    return hashes.stream().map(KeyedHash::counts).reduce(Counts.NONE, Counts::plus);
  }

  /** Adds the counts that the options make possible. */
  public Report withCounts(Report facts, Counts counts) {
    if (fields() != null || !members.isEmpty()) {
      facts.count("without-key", counts.wholes() + counts.keyless());
    }
    if (keepMalformed) {
      facts.count("malformed", counts.malformed());
    }
    return part.parts() > 1 ? facts.count("other-parts", counts.otherParts()) : facts;
  }

  /** The options by their usual names. */
  public static final class Usual extends KeyOptions {

    @Option(
        names = {"-k", "--key"},
        paramLabel = "FIELDS",
        converter = FieldList.Converter.class,
        description = FIELDS)
    private @Nullable FieldList fields;

    @Option(
        names = {"-t", "--field-separator"},
        paramLabel = "SEP",
        description = SEPARATOR)
    private @Nullable String separator;

    @Option(
        names = {"-i", "--ignore-case"},
        description = IGNORE_CASE)
    private boolean ignoreCase;

    @Override
    protected @Nullable FieldList fields() {
      return fields;
    }

    @Override
    protected @Nullable String separatorText() {
      return separator;
    }

    @Override
    protected boolean ignoresCase() {
      return ignoreCase;
    }
  }

  /** The options where {@code -k} and {@code -t} are something else. */
  public static final class LongNames extends KeyOptions {

    @Option(
        names = "--key",
        paramLabel = "FIELDS",
        converter = FieldList.Converter.class,
        description = FIELDS)
    private @Nullable FieldList fields;

    @Option(names = "--field-separator", paramLabel = "SEP", description = SEPARATOR)
    private @Nullable String separator;

    @Option(
        names = {"-i", "--ignore-case"},
        description = IGNORE_CASE)
    private boolean ignoreCase;

    @Override
    protected @Nullable FieldList fields() {
      return fields;
    }

    @Override
    protected @Nullable String separatorText() {
      return separator;
    }

    @Override
    protected boolean ignoresCase() {
      return ignoreCase;
    }
  }
}
