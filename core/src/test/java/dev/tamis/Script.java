package dev.tamis;

/** Text whose characters take different numbers of bytes. */
public enum Script {
  ASCII("az09 ~\0\u007f"),
  LATIN_1("a\u00e9\u00ff\u0080"),
  BMP("a\u4e16\u754c\uffff\u0800"),
  PAIRS("a\ud83d\ude00\udbff\udfff"),
  HALF_PAIRS("a\ud83d\ud83d\ude00\ude00");

  private final String characters;

  Script(String characters) {
    this.characters = characters;
  }

  /** Returns {@code length} chars; a surrogate pair may be cut at the end. */
  public String text(int length) {
    return characters.repeat(length / characters.length() + 1).substring(0, length);
  }
}
