package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

final class CommandTokens {

  static final byte[] GET = of("GET");
  static final byte[] SET = of("SET");
  static final byte[] ONE_BIT = of("u1");
  static final byte[] STAMP = of("i64");
  static final byte[] OR = of("OR");
  static final byte[] ZERO = of(0);
  static final byte[] ONE = of(1);
  static final byte[] TWO = of(2);
  static final byte[] PERIOD_OFFSET = of((long) Header.PERIOD_AT * Byte.SIZE);
  static final byte[] LAST_OF_HEADER = of(Header.WINDOW_BYTES - 1);

  private CommandTokens() {}

  static byte[] of(String word) {
    return word.getBytes(UTF_8);
  }

  static byte[] of(long number) {
    return of(Long.toString(number));
  }
}
