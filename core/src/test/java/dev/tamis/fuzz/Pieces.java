package dev.tamis.fuzz;

import java.util.List;
import java.util.stream.Stream;

/**
 * Texts that a fuzzer can write, in which one mutation adds, moves or removes a whole piece.
 *
 * <p>Bytes below 128 are ASCII characters, and each of the others is a piece from a list.
 */
public final class Pieces {

  private static final int ASCII = 0x80;

  private final List<String> pieces;

  /** Takes up to 128 pieces; bytes past them are those from the beginning again. */
  public Pieces(String... pieces) {
    if (pieces.length < 1 || pieces.length > ASCII) {
      throw new IllegalArgumentException("pieces: must be 1 to 128, got " + pieces.length);
    }
    this.pieces = List.of(pieces);
  }

  /** Takes the words of {@link #split}, then the others. */
  public static Pieces words(String words, String... others) {
    return new Pieces(
        Stream.concat(Stream.of(split(words)), Stream.of(others)).toArray(String[]::new));
  }

  /** Returns words separated by single spaces; {@code ␠} in a word is a space. */
  public static String[] split(String words) {
    return Stream.of(words.split(" ", -1))
        .map(word -> word.replace('␠', ' '))
        .toArray(String[]::new);
  }

  /** Returns the text of the bytes from index {@code from} on. */
  public String text(byte[] bytes, int from) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] >= 0) {
        text.append((char) bytes[i]);
      } else {
        text.append(pieces.get((bytes[i] & (ASCII - 1)) % pieces.size()));
      }
    }
    return text.toString();
  }
}
