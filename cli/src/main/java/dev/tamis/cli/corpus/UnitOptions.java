package dev.tamis.cli.corpus;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.corpus.Ngrams;
import dev.tamis.corpus.Normalization;
import dev.tamis.corpus.Overlap;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitRule;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashFunction;
import dev.tamis.records.JsonMembers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say where the text is, and what its units and their keys are. */
final class UnitOptions {

  static final String DEFAULT_SEPARATOR = "\\n";

  /** Shorter paragraphs are headings and the like, which repeat rightly. */
  private static final int DEFAULT_NGRAM_WORDS = 5;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description =
          "The member with the text, or an RFC 6901 pointer such as /body/text (default:"
              + " ${DEFAULT-VALUE}). Records without such a string are kept.")
  private String field = "text";

  @Option(
      names = "--paragraphs",
      paramLabel = "SEP",
      arity = "0..1",
      fallbackValue = DEFAULT_SEPARATOR,
      preprocessor = AttachedValue.class,
      description =
          "Divide texts into paragraphs at SEP, in which \\n and \\t are read as such (default of"
              + " SEP: ${FALLBACK-VALUE}). Otherwise a text is one unit.")
  private @Nullable String separator;

  @Option(
      names = "--ngrams",
      paramLabel = "N",
      description =
          "Compare units by their sequences of N words, such as 13, instead of as a whole.")
  private @Nullable Long ngram;

  @Option(
      names = "--normalize",
      paramLabel = "CHANGE",
      split = ",",
      converter = ChangeChoice.class,
      completionCandidates = ChangeChoice.class,
      description =
          "Change texts before they are compared: any of ${COMPLETION-CANDIDATES}, with commas.")
  private List<Normalization> changes = List.of();

  @Option(
      names = "--min-words",
      paramLabel = "N",
      description =
          "Keep units of fewer words and ignore them (default: 5 with --ngrams, 1 for whole"
              + " paragraphs, 0 for whole documents).")
  private @Nullable Long minWords;

  @Option(
      names = "--min-chars",
      paramLabel = "N",
      description = "Keep units of fewer characters and ignore them.")
  private @Nullable Long minChars;

  @Option(
      names = "--keep-malformed",
      description = "Keep and count lines that are not JSON, instead of failing.")
  private boolean keepMalformed;

  void check() {
    if (ngram != null && ngram > Ngrams.MAX_LENGTH) {
      throw new CommandException(
          "--ngrams: must be from 1 to %s, got %s", Ngrams.MAX_LENGTH, ngram);
    }
    if (separator != null && separator.isEmpty()) {
      throw new CommandException(
          "--paragraphs: the separator is empty; give one, or none for the line end");
    }
    try {
      JsonMembers unused = JsonMembers.of(List.of(field));
    } catch (IllegalArgumentException e) {
      throw new CommandException("--field: %s", e.getMessage());
    }
  }

  UnitRule rule() {
    UnitRule.Kind kind =
        ngram != null
            ? UnitRule.Kind.NGRAMS
            : separator != null ? UnitRule.Kind.PARAGRAPHS : UnitRule.Kind.DOCUMENTS;
    return new UnitRule(kind, ngram != null ? ngram.intValue() : 0, Set.copyOf(changes));
  }

  KeyRule keyRule() {
    return new KeyRule(rule().toString());
  }

  /** Refuses a filter whose keys were made in another way, by the name of what differs. */
  void requireSame(Object place, KeyRule its) {
    UnitRule found;
    try {
      found = UnitRule.parse(its.options());
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          "%s: units: was filled by %s, not by corpus build; name a filter of corpus build",
          place, its);
    }
    UnitRule wanted = rule();
    String name =
        found.kind() != wanted.kind()
            ? "units"
            : found.ngram() != wanted.ngram()
                ? "--ngrams"
                : found.equals(wanted) ? "" : "--normalize";
    if (!name.isEmpty()) {
      throw new CommandException(
          "%s: %s differs: it was filled with %s and this run has %s; give the same options",
          place, name, found, wanted);
    }
  }

  TextUnits.Builder units(HashFunction function) {
    TextUnits.Builder builder = TextUnits.of(rule(), function).minWords(minWords());
    if (separator != null) {
      builder.paragraphs(unescaped(separator));
    }
    return builder.minChars(minChars == null ? 0 : inRange(minChars));
  }

  private int minWords() {
    if (minWords != null) {
      return inRange(minWords);
    }
    return ngram != null ? DEFAULT_NGRAM_WORDS : separator != null ? 1 : 0;
  }

  /** No text has more words or characters. */
  private static int inRange(long least) {
    return (int) Math.min(Integer.MAX_VALUE, least);
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\t", "\t");
  }

  boolean hasParagraphs() {
    return separator != null;
  }

  String field() {
    return field;
  }

  /** Refuses a batch with a malformed record, unless such records are kept. */
  void requireWellFormed(CorpusFiles.CorpusFile input, RecordBatch batch) {
    FormatException problem = batch.problem();
    if (problem != null && !keepMalformed) {
      throw new CommandException(
          "%s: line %d: %s; correct it, or add --keep-malformed",
          input.path(), batch.block().number(batch.firstMalformed()), problem.getMessage());
    }
  }

  /** What an n-gram, paragraph or document is called in messages. */
  String keyName() {
    return rule().kind().name().toLowerCase(Locale.ROOT).replace("ngrams", "n-grams");
  }

  double defaultFpp() {
    return ngram != null ? 0.01 : 1e-6;
  }

  /** Returns everything that decides which units are repeats. */
  String settings() {
    return String.join(
        " ",
        List.of(
            rule().toString(),
            "--field=" + field,
            "--paragraphs=" + separator,
            "--min-words=" + minWords(),
            "--min-chars=" + minChars));
  }

  /** Takes a value after {@code =} only, or the next argument, a file, would be the separator. */
  static final class AttachedValue implements CommandLine.IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      if (" ".equals(info.get("separator"))) {
        args.push(DEFAULT_SEPARATOR);
      }
      return false;
    }
  }

  static final class OverlapConverter implements ITypeConverter<Overlap> {
    @Override
    public Overlap convert(String text) {
      try {
        return new Overlap(Double.parseDouble(text));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "expected a number above 0 and at most 1, such as 0.8, got '" + text + "'");
      }
    }
  }

  static final class ChangeChoice extends Choice<Normalization> {
    ChangeChoice() {
      super(Arrays.asList(Normalization.values()), each -> each.name().toLowerCase(Locale.ROOT));
    }
  }
}
