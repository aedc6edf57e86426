package dev.tamis.bench.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.SplittableRandom;

/** Random addresses of 60 characters, in the order in which they are in memory. */
final class Urls {

  /** Characters in an address. */
  static final int CHARACTERS = 60;

  private static final byte[] BEFORE = "https://www.example.org/catalogue/item/".getBytes(US_ASCII);
  private static final byte[] AFTER = ".html".getBytes(US_ASCII);
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(US_ASCII);

  private Urls() {}

  /** Returns {@code count} URLs, the same ones for the same seed. */
  static String[] of(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] urls = new String[count];
    for (int i = 0; i < count; i++) {
      urls[i] = of(random.nextLong());
    }
    return urls;
  }

  /** Returns copies of {@code count} of {@code urls}, chosen at random. */
  static String[] chosen(String[] urls, long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] chosen = new String[count];
    for (int i = 0; i < count; i++) {
      byte[] characters = urls[random.nextInt(urls.length)].getBytes(US_ASCII);
      chosen[i] = new String(characters, US_ASCII); // a copy, so that keys are not far apart
    }
    return chosen;
  }

  private static String of(long number) {
    byte[] characters = new byte[CHARACTERS];
    System.arraycopy(BEFORE, 0, characters, 0, BEFORE.length);
    int end = BEFORE.length;
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      characters[end++] = DIGITS[(int) (number >>> shift) & 0xF];
    }
    System.arraycopy(AFTER, 0, characters, end, AFTER.length);
    return new String(characters, US_ASCII);
  }
}
