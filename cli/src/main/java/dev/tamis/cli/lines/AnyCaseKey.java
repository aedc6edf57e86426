package dev.tamis.cli.lines;

/** Compares what another key finds without regard to the case of ASCII letters. */
final class AnyCaseKey implements LineKey {

  private final LineKey cased;
  private final ByteBuilder lower = new ByteBuilder();
  private final Line key = new Line();

  AnyCaseKey(LineKey cased) {
    this.cased = cased;
  }

  @Override
  public Line of(Line line) {
    Line found = cased.of(line);
    lower.clear();
    lower.add(found.buffer(), found.start(), found.start() + found.length());
    byte[] bytes = lower.bytes();
    for (int i = 0; i < lower.length(); i++) {
      byte next = bytes[i];
      bytes[i] = next >= 'A' && next <= 'Z' ? (byte) (next + 'a' - 'A') : next;
    }
    lower.setTo(key);
    return key;
  }

  @Override
  public long incomplete() {
    return cased.incomplete();
  }
}
