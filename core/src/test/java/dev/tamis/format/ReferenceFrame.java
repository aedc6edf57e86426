package dev.tamis.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A reader and writer of docs/format.md, version 1, written down from that text alone.
 *
 * <p>What it takes for a file, the real reader must take too; what it refuses, the real one must
 * refuse. It works on whole arrays and shares no buffers, streams or checksums with the library.
 */
final class ReferenceFrame {

  static final int HEADER = 128;
  static final int TRAILER = 4;

  private static final int[] MAGIC = {0x89, 0x54, 0x41, 0x4D, 0x49, 0x53, 0x0D, 0x0A};
  private static final long MAX_BITS = 17_592_186_044_416L;

  private ReferenceFrame() {}

  /** Says why bytes are no file. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String reason) {
      super(reason);
    }
  }

  static final class Bloom {
    final int layout;
    final int k;
    final long m;
    final long seed;
    final long keys;
    final double fpp;
    final byte[] bits;

    Bloom(int layout, int k, long m, long seed, long keys, double fpp, byte[] bits) {
      this.layout = layout;
      this.k = k;
      this.m = m;
      this.seed = seed;
      this.keys = keys;
      this.fpp = fpp;
      this.bits = bits;
    }

    static Bloom empty(int layout, int k, long m, long seed, long keys, double fpp) {
      return new Bloom(layout, k, m, seed, keys, fpp, new byte[(int) (8 * ((m + 63) / 64))]);
    }

    void put(long hash) {
      for (long i : ReferencePositions.of(layout, k, m, hash)) {
        ReferenceBits.set(bits, i, 1, 1);
      }
    }

    boolean mightContain(long hash) {
      return Arrays.stream(ReferencePositions.of(layout, k, m, hash))
          .allMatch(i -> ReferenceBits.get(bits, i, 1) == 1);
    }

    byte[] toBytes() {
      byte[] header = header(1, bits.length);
      set(header, 24, 2, 1);
      set(header, 26, 2, layout);
      set(header, 28, 4, k);
      set(header, 32, 8, m);
      set(header, 40, 8, seed);
      set(header, 48, 8, keys);
      set(header, 56, 8, Double.doubleToRawLongBits(fpp));
      return frame(header, bits);
    }
  }

  static byte[] scalable(double fpp, List<Bloom> stages) {
    byte[] payload = new byte[0];
    for (Bloom stage : stages) {
      payload = join(payload, stage.toBytes());
    }
    byte[] header = header(2, payload.length);
    set(header, 24, 4, stages.size());
    set(header, 32, 8, Double.doubleToRawLongBits(fpp));
    return frame(header, payload);
  }

  /** Returns the stages of a file of kind 1 or 2; a plain filter is its own and only stage. */
  static List<Bloom> read(byte[] file) throws Refused {
    require(file.length >= HEADER, "bytes");
    return get(file, 10, 2) == 1 ? List.of(readBloom(file)) : readStages(file);
  }

  private static Bloom readBloom(byte[] file) throws Refused {
    requireFrame(file, 1);
    requireBloomFields(file);
    requireKeyType(file, 64);
    int layout = (int) get(file, 26, 2);
    int k = (int) get(file, 28, 4);
    long m = get(file, 32, 8);
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(get(file, 16, 8) == 8 * ((m + 63) / 64), "payload length");
    byte[] bits = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    ReferenceBits.requireZeros(bits, m, 8L * bits.length);
    return new Bloom(layout, k, m, get(file, 40, 8), get(file, 48, 8), fpp, bits);
  }

  /** Checks the parameters that kinds 1 and 3 have at bytes 24 to 63. */
  static void requireBloomFields(byte[] file) throws Refused {
    require(get(file, 24, 2) == 1, "hash");
    long layout = get(file, 26, 2);
    long k = get(file, 28, 4);
    long m = get(file, 32, 8);
    long keys = get(file, 48, 8);
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(layout >= 1 && layout <= 6 && layout != 5, "layout");
    require(k >= 1 && k <= 32, "k");
    require(m >= 1 && m <= MAX_BITS, "m");
    switch ((int) layout) {
      case 1 -> require(m >= 64, "m of classic");
      case 2 -> require(m % k == 0 && m >= 2 * k, "m of partitioned");
      case 3 -> require(k <= 16 && m % 512 == 0, "line");
      case 4 -> require((k == 8 || k == 16) && m % 512 == 0, "split");
      default -> require((k == 16 || k == 32) && m % 512 == 0 && m >= 1024, "split pair");
    }
    require(keys >= 1, "expected keys"); // a number past 2^63 - 1 is refused too
    require(fpp > 0 && fpp <= 1, "fpp");
  }

  private static List<Bloom> readStages(byte[] file) throws Refused {
    requireFrame(file, 2);
    long count = get(file, 24, 4);
    require(count >= 1 && count <= 64, "stages");
    requireZeros(file, 28, 32);
    double fpp = Double.longBitsToDouble(get(file, 32, 8));
    require(fpp > 0 && fpp < 1, "fpp");
    requireZeros(file, 40, 124);
    List<Bloom> stages = new ArrayList<>();
    byte[] rest = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    double sum = 0;
    for (int i = 0; i < count; i++) {
      checkFrame(rest);
      int length = (int) length(rest);
      Bloom stage = readBloom(Arrays.copyOf(rest, length));
      sum += stage.fpp;
      require(stage.fpp > -Math.expm1(-stage.keys * 0x1p-64), "fpp of a stage");
      stages.add(stage);
      require(stage.seed == stages.get(0).seed, "seed");
      rest = Arrays.copyOfRange(rest, length, rest.length);
    }
    require(rest.length == 0, "bytes past the stages");
    require(sum <= fpp, "sum of fpp");
    return stages;
  }

  /** Checks everything that is the same in every file, and that it is of one kind. */
  static void requireFrame(byte[] file, int kind) throws Refused {
    checkFrame(file);
    require(length(file) == file.length, "its length");
    require(get(file, 10, 2) == kind, "kind");
  }

  private static void checkFrame(byte[] bytes) throws Refused {
    require(bytes.length >= HEADER + TRAILER, "bytes");
    for (int i = 0; i < MAGIC.length; i++) {
      require(get(bytes, i, 1) == MAGIC[i], "magic");
    }
    require(get(bytes, 8, 2) == 1, "version");
    require(get(bytes, 12, 4) == HEADER, "header length");
    require(get(bytes, 124, 4) == crc32c(bytes, 124), "header checksum");
    require(get(bytes, 16, 8) >= 0 && get(bytes, 16, 8) <= bytes.length, "payload length");
    require(length(bytes) <= bytes.length, "payload length");
    int checked = (int) length(bytes) - TRAILER;
    require(get(bytes, checked, 4) == crc32c(bytes, checked), "checksum");
  }

  private static long length(byte[] frame) {
    return HEADER + get(frame, 16, 8) + TRAILER;
  }

  static byte[] header(int kind, long payloadLength) {
    byte[] header = new byte[HEADER];
    for (int i = 0; i < MAGIC.length; i++) {
      header[i] = (byte) MAGIC[i];
    }
    set(header, 8, 2, 1);
    set(header, 10, 2, kind);
    set(header, 12, 4, HEADER);
    set(header, 16, 8, payloadLength);
    return header;
  }

  static byte[] frame(byte[] header, byte[] payload) {
    set(header, 124, 4, crc32c(header, 124));
    byte[] frame = Arrays.copyOf(join(header, payload), HEADER + payload.length + TRAILER);
    set(frame, HEADER + payload.length, 4, crc32c(frame, HEADER + payload.length));
    return frame;
  }

  /** Returns the CRC-32C of the first {@code length} bytes: polynomial 1EDC6F41, reflected. */
  static long crc32c(byte[] bytes, int length) {
    int crc = -1;
    for (int i = 0; i < length; i++) {
      crc ^= bytes[i] & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc >>> 1) ^ ((crc & 1) * 0x82F63B78);
      }
    }
    return ~crc & 0xFFFF_FFFFL;
  }

  static long get(byte[] bytes, int at, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xFF);
    }
    return value;
  }

  static void set(byte[] bytes, int at, int length, long value) {
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  static void requireKeyType(byte[] file, int start) throws Refused {
    String keyType = new String(file, start, 124 - start, StandardCharsets.ISO_8859_1);
    require(keyType.matches("([bilt()]*|-[ -~]*)\\x00*"), "key type");
  }

  static void requireZeros(byte[] bytes, int start, int end) throws Refused {
    for (int at = start; at < end; at++) {
      require(bytes[at] == 0, "zeros");
    }
  }

  static void require(boolean condition, String what) throws Refused {
    if (!condition) {
      throw new Refused(what);
    }
  }
}
