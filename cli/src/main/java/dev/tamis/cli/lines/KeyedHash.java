package dev.tamis.cli.lines;

import dev.tamis.format.FormatException;
import java.util.function.UnaryOperator;

/** Hashes the keys of one part of all lines, and counts the other lines; for one thread. */
public final class KeyedHash implements LineHash {

  private final LineKey key;
  private final KeyPart part;
  private final UnaryOperator<Line> partKey;
  private final LineHash hash;
  private Fate fate = Fate.KEYED;
  private long wholes;
  private long keyless;
  private long malformed;
  private long otherParts;

  /** Hashes keys by {@code hash}; their part is that of {@code partKey}, equal for equal ones. */
  public KeyedHash(LineKey key, KeyPart part, UnaryOperator<Line> partKey, LineHash hash) {
    this.key = key;
    this.part = part;
    this.partKey = partKey;
    this.hash = hash;
  }

  @Override
  public long of(Line line) throws FormatException {
    LineKey.Found found = key.find(line);
    boolean hasKey = found == LineKey.Found.KEY || found == LineKey.Found.WHOLE_LINE;
    if (hasKey ? !isInPart(key.key()) : part.number() > 1) {
      otherParts++;
      fate = Fate.OTHER_PART;
      return 0;
    }
    wholes += found == LineKey.Found.WHOLE_LINE ? 1 : 0;
    if (hasKey) {
      fate = Fate.KEYED;
      return hash.of(key.key());
    }
    keyless += found == LineKey.Found.NONE ? 1 : 0;
    malformed += found == LineKey.Found.MALFORMED ? 1 : 0;
    fate = Fate.KEYLESS;
    return 0;
  }

  private boolean isInPart(Line found) {
    return part.parts() == 1 || part.contains(partKey.apply(found));
  }

  @Override
  public Fate fate() {
    return fate;
  }

  public Counts counts() {
    return new Counts(wholes, keyless, malformed, otherParts);
  }

  /**
   * How many lines are not as others.
   *
   * @param wholes those that are compared as a whole, as they have none of the fields
   * @param keyless those without a key
   * @param malformed those without a key because they are malformed
   * @param otherParts those of other runs
   */
  public record Counts(long wholes, long keyless, long malformed, long otherParts) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);

    public Counts plus(Counts other) {
      return new Counts(
          wholes + other.wholes,
          keyless + other.keyless,
          malformed + other.malformed,
          otherParts + other.otherParts);
    }

    /** Returns the lines that are kept without being compared. */
    public long kept() {
      return keyless + malformed;
    }

    /** Returns the lines that are compared, of all. */
    public long keyed(long lines) {
      return lines - kept() - otherParts;
    }
  }
}
