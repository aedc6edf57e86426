package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.HEADER;
import static dev.tamis.format.ReferenceFrame.TRAILER;
import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;

import java.util.Arrays;

/** A frame of kind 3, read as docs/format.md has it and without a line of the code that does it. */
final class ReferenceCounting implements ReferenceFilter {

  private final byte[] header;
  private final byte[] payload;
  private final int layout;
  private final int k;
  private final long m;
  private final int w;

  private ReferenceCounting(byte[] file) {
    this.header = Arrays.copyOf(file, HEADER);
    this.payload = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    this.layout = (int) get(file, 26, 2);
    this.k = (int) get(file, 28, 4);
    this.m = get(file, 32, 8);
    this.w = (int) get(file, 64, 2);
  }

  static ReferenceCounting read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 3);
    ReferenceFrame.requireBloomFields(file);
    ReferenceFrame.requireZeros(file, 66, 124);
    long w = get(file, 64, 2);
    require(w >= 2 && w <= 16, "bits of a counter");
    long m = get(file, 32, 8);
    long c = 64 / w;
    long words = (m + c - 1) / c;
    require(words <= (1L << 31) - 16, "words");
    require(get(file, 16, 8) == 8 * words, "payload length");
    ReferenceCounting read = new ReferenceCounting(file);
    for (long word = 0; word < words; word++) {
      long counters = Math.min(c, m - word * c);
      ReferenceBits.requireZeros(read.payload, 64 * word + counters * w, 64 * (word + 1));
    }
    return read;
  }

  void put(long h) {
    for (long i : positions(h)) {
      add(i, 1);
    }
  }

  /** Returns whether the key was in, and so was removed. */
  boolean remove(long h) {
    boolean in = mightContain(h);
    if (in) {
      for (long i : positions(h)) {
        add(i, counter(i) == 0 ? 0 : -1);
      }
    }
    return in;
  }

  @Override
  public boolean mightContain(long h) {
    return Arrays.stream(positions(h)).allMatch(i -> counter(i) > 0);
  }

  byte[] toBytes() {
    return ReferenceFrame.frame(header, payload);
  }

  private void add(long i, int step) {
    long value = counter(i);
    if (value != (1L << w) - 1) {
      ReferenceBits.set(payload, firstBit(i), w, value + step);
    }
  }

  private long counter(long i) {
    return ReferenceBits.get(payload, firstBit(i), w);
  }

  private long firstBit(long i) {
    int c = 64 / w;
    return 64 * (i / c) + w * (i % c);
  }

  private long[] positions(long h) {
    return ReferencePositions.of(layout, k, m, h);
  }
}
