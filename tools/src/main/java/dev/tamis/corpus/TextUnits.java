package dev.tamis.corpus;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.sizing.Checks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The units of texts, documents or paragraphs, with their keys.
 *
 * <pre>{@code
 * UnitRule rule = new UnitRule(UnitRule.Kind.NGRAMS, 13, Set.of());
 * BloomFilter<byte[]> filter = BloomFilter.create(KeyHasher.bytes(), 1_000_000_000, 0.01);
 * TextUnits units = TextUnits.of(rule, filter).paragraphs("\n").minWords(5).build();
 * UnitFilter seen = UnitFilter.deduplicating(filter, new Overlap(0.8));
 *
 * byte[] text = document.getBytes(StandardCharsets.UTF_8);
 * units.clear();
 * units.add(text, 0, text.length);
 * boolean[] isRepeat = seen.decide(units);
 * for (int i = 0; i < units.count(); i++) {
 *   if (!isRepeat[i]) { keep(text, units.start(i), units.next(i)); }
 * }
 * }</pre>
 *
 * <p>A paragraph ends before a separator or at the end of its text; the separator belongs to it
 * when it is cut out. A text without separators is one paragraph. For one thread.
 */
public final class TextUnits {

  private static final int FIRST = 1 << 8;

  private final UnitRule rule;
  private final HashFunction function;
  private final byte[] separator;
  private final int minWords;
  private final int minChars;
  private final Part part;
  private final Ngrams ngrams;
  private int count;
  private int[] starts = new int[FIRST];
  private int[] ends = new int[FIRST];
  private int[] nexts = new int[FIRST];
  private int[] keyEnds = new int[FIRST];
  private long[] keys = new long[FIRST];
  private int keyCount;

  private TextUnits(Builder builder) {
    this.rule = builder.rule;
    this.function = builder.function;
    this.separator = builder.separator;
    this.minWords = builder.minWords;
    this.minChars = builder.minChars;
    this.part = builder.part;
    this.ngrams = new Ngrams(Math.max(1, rule.ngram()), function);
  }

  /** Starts to describe units whose keys are for {@code filter}; whole texts unless it is set. */
  public static Builder of(UnitRule rule, HashedFilter<?> filter) {
    return of(rule, filter.hasher().function());
  }

  /** Starts to describe units whose keys are hashed by {@code function}. */
  public static Builder of(UnitRule rule, HashFunction function) {
    return new Builder(rule, function);
  }

  /** Removes all units. */
  public void clear() {
    count = 0;
    keyCount = 0;
  }

  /**
   * Adds the units between two bytes of a text in UTF-8, and returns how many there are. Their
   * places are counted from {@code from}.
   *
   * @throws IndexOutOfBoundsException if the range is not in the array
   */
  public int add(byte[] text, int from, int to) {
    Objects.checkFromToIndex(from, to, text.length);
    int before = count;
    if (separator.length == 0) {
      addUnit(text, from, to, to, from);
      return 1;
    }
    int at = from;
    while (at < to || count == before) {
      int end = separatorFrom(text, at, to);
      int next = Math.min(to, end + separator.length);
      addUnit(text, at, end, next, from);
      at = next;
    }
    return count - before;
  }

  private int separatorFrom(byte[] text, int from, int to) {
    byte first = separator[0];
    int last = to - separator.length;
    for (int at = from; at <= last; at++) {
      if (text[at] == first
          && Arrays.equals(text, at, at + separator.length, separator, 0, separator.length)) {
        return at;
      }
    }
    return to;
  }

  private void addUnit(byte[] text, int start, int end, int next, int origin) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      nexts = Arrays.copyOf(nexts, 2 * count);
      keyEnds = Arrays.copyOf(keyEnds, 2 * count);
    }
    starts[count] = start - origin;
    ends[count] = end - origin;
    nexts[count] = next - origin;
    if (rule.normalizations().isEmpty()) {
      addKeys(text, start, end);
    } else {
      byte[] changed = compared(text, start, end);
      addKeys(changed, 0, changed.length);
    }
    keyEnds[count++] = keyCount;
  }

  private void addKeys(byte[] text, int from, int to) {
    if (minChars > 0 && hasFewerChars(text, from, to)) {
      return;
    }
    if (rule.kind() == UnitRule.Kind.NGRAMS) {
      int found = ngrams.find(text, from, to);
      if (ngrams.words() >= minWords) {
        makeRoom(found);
        System.arraycopy(ngrams.hashes(), 0, keys, keyCount, found);
        keyCount += found;
      }
      return;
    }
    if (minWords > 0 && Ngrams.countWords(text, from, to, minWords) < minWords) {
      return;
    }
    if (part.contains(text, from, to)) {
      makeRoom(1);
      keys[keyCount++] = function.hashBytes(text, from, to - from);
    }
  }

  private boolean hasFewerChars(byte[] text, int from, int to) {
    int chars = 0;
    for (int i = from; i < to && chars < minChars; i++) {
      chars += (text[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return chars < minChars;
  }

  private void makeRoom(int more) {
    if (keys.length - keyCount < more) {
      keys = Arrays.copyOf(keys, Math.max(2 * keys.length, Math.addExact(keyCount, more)));
    }
  }

  /** Returns a part of a text as it is compared, in UTF-8. */
  public byte[] compared(byte[] text, int from, int to) {
    return rule.normalizations().isEmpty()
        ? Arrays.copyOfRange(text, from, to)
        : Normalization.apply(rule.normalizations(), text, from, to);
  }

  /** Returns what makes the keys. */
  public UnitRule rule() {
    return rule;
  }

  /** Returns the number of units. */
  public int count() {
    return count;
  }

  /** Returns where a unit starts in its text. */
  public int start(int unit) {
    return starts[unit];
  }

  /** Returns where a unit ends in its text, before its separator. */
  public int end(int unit) {
    return ends[unit];
  }

  /** Returns where the next unit starts, or the text ends. */
  public int next(int unit) {
    return nexts[unit];
  }

  /** Returns the keys of all units, in order from index 0 on. */
  public long[] keys() {
    return keys;
  }

  /** Returns the index of the first key of a unit. */
  public int firstKey(int unit) {
    return unit == 0 ? 0 : keyEnds[unit - 1];
  }

  /** Returns the index after the last key of a unit; one that is too short has none. */
  public int endKey(int unit) {
    return keyEnds[unit];
  }

  /** Returns the number of keys of all units. */
  public int keyCount() {
    return keyCount;
  }

  /** Some of all texts, by the bytes that are compared. */
  public interface Part {
    /** Returns whether the text between two bytes belongs to it. */
    boolean contains(byte[] text, int from, int to);
  }

  /** What units there are. A unit that is too short has no keys: it is never a repeat, nor put. */
  public static final class Builder {
    private final UnitRule rule;
    private final HashFunction function;
    private byte[] separator = {};
    private int minWords;
    private int minChars;
    private Part part = (text, from, to) -> true;

    private Builder(UnitRule rule, HashFunction function) {
      this.rule = requireNonNull(rule, "rule");
      this.function = requireNonNull(function, "function");
    }

    /** Divides texts at these bytes, of which there is at least one. */
    public Builder paragraphs(byte[] separator) {
      if (separator.length == 0) {
        throw new IllegalArgumentException("separator must not be empty");
      }
      this.separator = separator.clone();
      return this;
    }

    /** Divides texts at this separator, which is not empty. */
    public Builder paragraphs(String separator) {
      return paragraphs(separator.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the fewest words of a unit with keys, as it is compared. */
    public Builder minWords(int words) {
      this.minWords = (int) Checks.atLeast("words", words, 0);
      return this;
    }

    /** Sets the fewest code points of a unit with keys, as it is compared. */
    public Builder minChars(int chars) {
      this.minChars = (int) Checks.atLeast("chars", chars, 0);
      return this;
    }

    /**
     * Leaves out the keys of documents and paragraphs that are not in a part; n-grams are not
     * tested.
     */
    public Builder part(Part part) {
      this.part = requireNonNull(part, "part");
      return this;
    }

    /** Returns units, none at first. */
    public TextUnits build() {
      return new TextUnits(this);
    }
  }
}
