package dev.tamis.examples.figures;

import dev.tamis.filter.BloomFilter;
import java.util.ArrayList;
import java.util.List;

/** Keys above, the 64 bits of {@link TinyFilter} below, and a line from each key to its bits. */
final class FilterPicture {

  private static final int CELL = 13;
  private static final int LEFT = 24;
  private static final int WIDTH = 2 * LEFT + Long.SIZE * CELL;
  private static final int KEYS_AT = 84;
  private static final int BITS_AT = 190;
  private static final int HEIGHT = 236;
  private static final String PUT = "#0b57d0";
  private static final String MISS = "#188038";
  private static final String FALSE_POSITIVE = "#d93025";

  private record Key(String word, String says, String color) {}

  private FilterPicture() {}

  /** Draws the puts: what each key sets. */
  static String put() {
    return drawn(
        "Put: each key sets three bits",
        TinyFilter.KEYS.stream().map(word -> new Key(word, "put", PUT)).toList());
  }

  /** Draws three lookups: a hit, a miss, and a false positive. */
  static String lookup() {
    return drawn(
        "Lookup: one zero among a key’s bits proves that it was never put",
        List.of(
            new Key(TinyFilter.KEYS.get(0), "probably present", PUT),
            new Key(TinyFilter.MISS, "certainly absent", MISS),
            new Key(TinyFilter.FALSE_POSITIVE, "false positive", FALSE_POSITIVE)));
  }

  private static String drawn(String title, List<Key> keys) {
    BloomFilter<String> filter = TinyFilter.filled();
    List<Integer> set = new ArrayList<>();
    for (String key : TinyFilter.KEYS) {
      for (int bit : TinyFilter.positions(filter, key)) {
        set.add(bit);
      }
    }
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    svg.text(LEFT, 28, "start", 17, Svg.INK, title);
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      double x = LEFT + (2 * i + 1) * Long.SIZE * CELL / (2.0 * keys.size());
      for (int bit : TinyFilter.positions(filter, key.word())) {
        String color = set.contains(bit) ? key.color() : Svg.FAINT;
        svg.line(x, KEYS_AT + 6, centre(bit), BITS_AT - 2, color, set.contains(bit) ? 1.6 : 1.2);
        svg.dot(centre(bit), BITS_AT - 3, 3, color);
      }
      svg.text(x, KEYS_AT - 20, "middle", 13, key.color(), key.says());
      svg.text(x, KEYS_AT, "middle", 17, Svg.INK, key.word());
    }
    for (int bit = 0; bit < Long.SIZE; bit++) {
      boolean one = set.contains(bit);
      svg.box(
          LEFT + bit * (double) CELL, BITS_AT, CELL, 20, one ? "#c9dcff" : "#ffffff", "#aaaaaa");
      svg.text(centre(bit), BITS_AT + 15, "middle", 12, one ? Svg.INK : Svg.FAINT, one ? "1" : "0");
    }
    svg.text(centre(0), HEIGHT - 10, "middle", 12, Svg.FAINT, "0");
    svg.text(centre(Long.SIZE - 1), HEIGHT - 10, "middle", 12, Svg.FAINT, "63");
    return svg.finished();
  }

  private static double centre(int bit) {
    return LEFT + (bit + 0.5) * CELL;
  }
}
