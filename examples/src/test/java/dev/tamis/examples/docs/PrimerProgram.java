package dev.tamis.examples.docs;

import dev.tamis.examples.figures.TinyFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** The worked examples of docs/primer.md, and the bytes that docs/format.md walks through. */
final class PrimerProgram {

  private static final int BYTES_PER_LINE = 16;

  private PrimerProgram() {}

  static void run(Transcript transcript) throws IOException {
    // region database
    Map<String, String> database = new HashMap<>(); // stands for a slow one
    BloomFilter<String> filter = BloomFilter.create(KeyHasher.text(), 100_000, 0.01);
    for (int i = 0; i < 100_000; i++) {
      database.put("user " + i, "a row");
      filter.put("user " + i);
    }
    int reads = 0;
    int found = 0;
    for (int i = 0; i < 100_000; i++) { // four of five lookups are for users that do not exist
      String user = i % 5 == 0 ? "user " + i : "nobody " + i;
      if (filter.mightContain(user)) {
        reads++;
        found += database.containsKey(user) ? 1 : 0;
      }
    }
    System.out.println("lookups 100000, reads " + reads + ", found " + found);
    System.out.println("filter: " + filter.bitSize() / 8 + " bytes");
    // end database
    transcript.end("database");

    BloomFilter<String> tiny = TinyFilter.filled();
    for (String key : TinyFilter.KEYS) {
      int[] positions = TinyFilter.positions(tiny, key);
      Arrays.sort(positions);
      System.out.println(key + " " + Arrays.toString(positions));
    }
    for (String key : new String[] {TinyFilter.MISS, TinyFilter.FALSE_POSITIVE}) {
      int[] positions = TinyFilter.positions(tiny, key);
      Arrays.sort(positions);
      System.out.println(
          key + " " + Arrays.toString(positions) + " mightContain=" + tiny.mightContain(key));
    }
    transcript.end("positions");

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    tiny.writeTo(bytes);
    System.out.print(dump(bytes.toByteArray()));
    transcript.end("bytes");

    String key = TinyFilter.FALSE_POSITIVE;
    System.out.println("h        " + HexFormat.of().toHexDigits(tiny.hashOf(key)));
    int[] positions = TinyFilter.positions(tiny, key);
    for (int probe = 0; probe < positions.length; probe++) {
      System.out.println("probe " + probe + "  bit " + positions[probe]);
    }
    transcript.end("lookup");
  }

  /** Returns bytes as {@code hexdump -C} prints them, without the text. */
  private static String dump(byte[] bytes) {
    HexFormat hex = HexFormat.ofDelimiter(" ");
    StringBuilder lines = new StringBuilder();
    for (int from = 0; from < bytes.length; from += BYTES_PER_LINE) {
      int to = Math.min(bytes.length, from + BYTES_PER_LINE);
      lines.append(HexFormat.of().toHexDigits(from, 4)).append("  ");
      lines.append(hex.formatHex(bytes, from, to)).append('\n');
    }
    return lines.toString();
  }
}
