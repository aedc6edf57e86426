package dev.tamis.cli.lines;

import dev.tamis.hash.HashFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The keys that one of several runs takes, {@code number} of {@code parts}: by a hash of them. */
public record KeyPart(int number, int parts) {

  /** Each run reads all of the input, so that more of them take longer than any disk. */
  public static final int MAX_PARTS = 1 << 16;

  public static final KeyPart ALL = new KeyPart(1, 1);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})/([0-9]{1,9})");

  /*
   * Filters derive positions from the same hash if they have no key of their own. The part is made of
   * a mixture of all its bits, by splitmix64, or the keys of a part would share some of the bits that
   * positions are made of. Both are part of the format, as states record the part.
   */
  private static final HashFunction FUNCTION = HashFunction.xxh3(0);

  private static final long SALT = 0x7461_6d69_7350_6172L;

  public KeyPart {
    if (number < 1 || parts < number || parts > MAX_PARTS) {
      throw new IllegalArgumentException(
          "expected K/N with K from 1 to N, and N at most "
              + MAX_PARTS
              + ", got "
              + number
              + "/"
              + parts);
    }
  }

  public boolean contains(Line key) {
    return part(FUNCTION.hashBytes(key.buffer(), key.start(), key.length())) == number;
  }

  private int part(long hash) {
    long mixed = hash ^ SALT;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
    mixed ^= mixed >>> 31;
    return 1 + (int) (((mixed >>> 32) * parts) >>> 32);
  }

  /** Returns an upper estimate of the number of keys in this part. */
  public long share(long keys) {
    double mean = (double) keys / parts;
    return parts == 1 ? keys : (long) Math.ceil(mean + 4 * Math.sqrt(mean));
  }

  @Override
  public String toString() {
    return number + "/" + parts;
  }

  public static final class Converter implements ITypeConverter<KeyPart> {
    @Override
    public KeyPart convert(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException("expected K/N, such as 1/8, got '" + text + "'");
      }
      try {
        return new KeyPart(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
