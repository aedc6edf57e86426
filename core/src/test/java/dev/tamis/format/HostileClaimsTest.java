package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.Filters;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.ReferenceFrame.Bloom;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a few bytes that claim to be terabytes: refused before anything is allocated. */
class HostileClaimsTest {

  private static final long MAX_BITS = 17_592_186_044_416L;

  /** What a refusal takes: streams, a header, a message. No buffer, and none of the claim. */
  private static final long LITTLE = 32 << 10;

  @ParameterizedTest
  @CsvSource({
    "1, 7, 17592186044416", "2, 32, 17592186044416", "3, 6, 17592186044416",
    "4, 8, 17592186044416", "5, 6, 17592186044416", "4, 8, 1048576",
  })
  void claimBeyondTheLimitIsRefusedAtOnce(int layout, int hashes, long bits) {
    byte[] file = claim(layout, hashes, bits);
    long limit = bits / 8 - 1;
    assertRefused(() -> read(file, limit), "at most " + limit + " bytes");
    assertRefused(() -> read(file, 1_000), "at most 1000 bytes");
    assertRefused(() -> read(file, 0), "at most 0 bytes");
    assertRefused(() -> read(file, -1), "at most -1 bytes");
    assertRefused(() -> read(file, Long.MIN_VALUE), "payload length");
  }

  @ParameterizedTest
  @ValueSource(longs = {1_048_577, MAX_BITS, Long.MAX_VALUE, Long.MIN_VALUE, -1})
  void payloadBeyondTheLimitIsRefusedWhateverTheRestSays(long payload) {
    byte[] file = Bytes.repaired(Bytes.with(claim(4, 8, 512), 16, 8, payload));
    assertRefused(() -> read(file, Bytes.LIMIT), "got " + Long.toUnsignedString(payload));
    byte[] scalable = ReferenceFrame.scalable(0.01, List.of(Bloom.empty(1, 1, 64, 0, 1, 0.01)));
    byte[] lying = Bytes.repaired(Bytes.with(scalable, 16, 8, payload));
    assertRefused(() -> read(lying, Bytes.LIMIT), "got " + Long.toUnsignedString(payload));
  }

  @Test
  void claimBeyondTheHeapIsRefusedWhenThereIsNoLimit() {
    assumeThat(Runtime.getRuntime().maxMemory()).isLessThan(MAX_BITS / 8);
    byte[] file = claim(3, 6, MAX_BITS);
    assertRefused(() -> read(file, Long.MAX_VALUE), "heap");
    assertRefused(() -> BloomFilter.readFrom(in(file), KeyHasher.text(), Long.MAX_VALUE), "heap");
  }

  /** Less than all of the heap, but more than can be free of it. */
  @Test
  void claimThatFitsInTheHeapOnPaperOnlyIsRefused() {
    long most = Math.min(MAX_BITS, 8 * (Runtime.getRuntime().maxMemory() - (1 << 20)));
    byte[] file = claim(3, 6, most / 512 * 512);
    assertThatThrownBy(() -> read(file, Long.MAX_VALUE)).isInstanceOf(FormatException.class);
  }

  @Test
  void stageThatClaimsMoreThanTheLimitIsRefused() {
    byte[] stage = claim(3, 6, MAX_BITS);
    byte[] file =
        Arrays.copyOf(
            ReferenceFrame.scalable(0.01, List.of(Bloom.empty(3, 6, 512, 0, 1, 0.01))),
            128 + 196 + 4);
    System.arraycopy(stage, 0, file, 128, 128);
    byte[] lying = Bytes.repaired(file);
    assertRefused(() -> read(lying, Bytes.LIMIT), "at most 64 bytes");
    assertRefused(
        () -> ScalableBloomFilter.readFrom(in(lying), KeyHasher.text(), Bytes.LIMIT),
        "at most 64 bytes");
    assertRefused(() -> read(lying, Long.MAX_VALUE), "at most 64 bytes");
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void limitIsExact(String name) throws Exception {
    byte[] file = GoldenFiles.read(name);
    long payload = ReferenceFrame.get(file, 16, 8);
    assertThat(Filters.<CharSequence>readFrom(in(file), KeyHasher.text(), payload + 1)).isNotNull();
    assertThat(Filters.<CharSequence>readFrom(in(file), KeyHasher.text(), payload)).isNotNull();
    assertRefused(
        () -> read(file, payload - 1),
        "payload length at byte 16: expected at most " + (payload - 1) + " bytes, got " + payload);
  }

  /** Whatever is read takes the filter's memory and a buffer of 64 KiB for each frame. */
  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void readingAllocatesTheFilterAndABuffer(String name) throws Exception {
    byte[] file = GoldenFiles.read(name);
    int frames = name.equals("v1-scalable") ? ReferenceFrame.read(file).size() + 1 : 2;
    assertThat(Allocation.leastOf(() -> read(file, Bytes.LIMIT)))
        .isLessThan(frames * ((64 << 10) + LITTLE));
  }

  /** Returns the header of an empty filter, of which not a byte follows. */
  private static byte[] claim(int layout, int hashes, long bits) {
    byte[] small = Bloom.empty(layout, hashes, 1024L * hashes, 0, 1, 0.5).toBytes();
    byte[] header = Arrays.copyOf(small, 128);
    ReferenceFrame.set(header, 32, 8, bits);
    ReferenceFrame.set(header, 16, 8, 8 * ((bits + 63) / 64));
    return Bytes.repaired(header);
  }

  private static Object read(byte[] file, long limit) throws IOException {
    return Filters.<CharSequence>readFrom(in(file), KeyHasher.text(), limit);
  }

  private static ByteArrayInputStream in(byte[] file) {
    return new ByteArrayInputStream(file);
  }

  private static void assertRefused(ThrowingCallable reading, String message) {
    assertThatThrownBy(reading).isInstanceOf(FormatException.class).hasMessageContaining(message);
    assertThat(Allocation.leastOf(reading)).isLessThan(LITTLE);
  }

  private static final int KINDS_NUMBERS_AT = 24;

  @ParameterizedTest
  @CsvSource({
    "1099511627776, 16, true",
    "1099511627777, 16, false",
    "8796093022208, 2, true",
    "8796093022209, 2, false"
  })
  void countersInWords(long m, int w, boolean allowed) {
    int c = 64 / w;
    byte[] header = header(3, (m + c - 1) / c, 0.01);
    set(header, 26, 2, 1);
    set(header, 28, 4, 1);
    set(header, 32, 8, m);
    set(header, 48, 8, 1);
    set(header, 64, 2, w);
    assertClaim(header, allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 17179869184, true",
    "1, 17179869185, false",
    "3, 5726623061, true",
    "3, 5726623062, false",
    "4, 4294967296, true",
    "4, 4294967297, false",
    "5, 1, false",
    "0, 1, false",
  })
  void blocksOfAWindow(int b, long n, boolean allowed) {
    byte[] header = header(5, 16L * b * n, 0.01);
    set(header, 26, 2, b);
    set(header, 32, 8, n);
    set(header, 48, 8, 1);
    assertClaim(header, allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 262144, 8189, true",
    "1, 1, 262144, 8190, false",
    "32, 65536, 1, 8388606, true",
    "32, 65536, 1, 8388607, false",
    "1, 1048576, 1, 1, true",
    "1, 2097152, 1, 1, false",
    "1, 1, 1, 4294967295, false",
  })
  void slotsOfAShardAndOfAll(int f, long shards, long l, long c, boolean allowed) {
    long bits = shards * (c + 2) * l * f;
    byte[] header = header(6, (shards + 7) / 8 + (bits + 63) / 64, Math.scalb(1.0, -f));
    set(header, 26, 2, 3);
    set(header, 28, 4, f);
    set(header, 32, 8, shards);
    set(header, 64, 4, l);
    set(header, 68, 4, c);
    assertClaim(header, allowed);
  }

  private static byte[] header(int kind, long words, double fpp) {
    byte[] header = Arrays.copyOf(BothReaders.file(kind, fpp, new byte[0]), 128);
    set(header, 16, 8, 8 * words);
    return header;
  }

  private static void assertClaim(byte[] header, boolean allowed) {
    FormatException refusal =
        Refusals.of(
            Bytes.repaired(header), in -> Filters.readFrom(in, KeyHasher.text(), Long.MAX_VALUE));
    boolean blamed = refusal.offset() >= KINDS_NUMBERS_AT && refusal.offset() < 124;
    assertThat(blamed).as(refusal.getMessage()).isEqualTo(!allowed);
  }
}
