package dev.tamis.corpus;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** A change to a text before it is compared; several are applied in the order of declaration. */
public enum Normalization {
  /**
   * Unicode's normalization form C, by {@link Normalizer}: characters that the JDK's version of
   * Unicode lacks stay as they are.
   */
  NFC {
    @Override
    String apply(String text) {
      return Normalizer.normalize(text, Normalizer.Form.NFC);
    }
  },

  /** Lower case by {@link String#toLowerCase(Locale)} for no locale. */
  LOWER {
    @Override
    String apply(String text) {
      return text.toLowerCase(Locale.ROOT);
    }
  },

  /** No punctuation or symbols, which are the general categories P and S. */
  PUNCT {
    @Override
    String apply(String text) {
      StringBuilder kept = new StringBuilder(text.length());
      text.codePoints().filter(each -> !isPunctuation(each)).forEach(kept::appendCodePoint);
      return kept.toString();
    }
  },

  /** One space in place of each run of White_Space, none at either end. */
  SPACE {
    @Override
    String apply(String text) {
      StringBuilder kept = new StringBuilder(text.length());
      boolean isAfterSpace = false;
      for (int at = 0; at < text.length(); at++) {
        char each = text.charAt(at); // White_Space is in the basic plane
        boolean isSpace = WordBreak.isWhite(each);
        if (!isSpace) {
          if (isAfterSpace && kept.length() > 0) {
            kept.append(' ');
          }
          kept.append(each);
        }
        isAfterSpace = isSpace;
      }
      return kept.toString();
    }
  };

  abstract String apply(String text);

  /** Returns a text in UTF-8 after some changes. */
  static byte[] apply(Set<Normalization> changes, byte[] text, int from, int to) {
    String changed = new String(text, from, to - from, StandardCharsets.UTF_8);
    for (Normalization each : values()) {
      if (changes.contains(each)) {
        changed = each.apply(changed);
      }
    }
    return changed.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isPunctuation(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION,
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL ->
          true;
      default -> false;
    };
  }
}
