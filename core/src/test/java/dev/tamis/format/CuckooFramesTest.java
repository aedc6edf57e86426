package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.CuckooFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of kind 4, compared with a reader written from the specification, and with wrong fields.
 */
class CuckooFramesTest {

  @ParameterizedTest
  @CsvSource({"5, 0.5", "5, 0.01", "30, 0.3", "500, 0.06", "500, 0.001", "500, 3e-5", "500, 2e-9"})
  void referenceFindsTheSameCopies(int keys, double fpp) throws Exception {
    CuckooFilter<CharSequence> filter = CuckooFilter.create(KeyHasher.text(), 2L * keys, fpp);
    for (int i = 0; i < keys; i++) {
      filter.put("key-" + i);
    }
    for (int i = 0; i < keys; i += 7) {
      filter.put("key-" + i);
    }
    ReferenceCuckoo reference = ReferenceCuckoo.read(Bytes.of(filter));
    for (int i = 0; i < 5_000; i++) {
      long hash = ReferencePositions.hashOfText(0, "key-" + i);
      assertThat((long) reference.copies(hash)).isEqualTo(filter.approximateCountHash(hash));
      assertThat(reference.copies(hash) > 0).isEqualTo(filter.mightContainHash(hash));
    }
  }

  /** Two terabytes in a few bytes: refused before anything is allocated. */
  @Test
  void aClaimBeyondTheHeapIsRefused() {
    byte[] file = GoldenFiles.read("v1-cuckoo");
    long buckets = 17_592_186_044_416L / 4 / 32 / 2 * 2;
    byte[] changed = Bytes.with(file, 26, 2, 32);
    ReferenceFrame.set(changed, 32, 8, buckets);
    ReferenceFrame.set(changed, 16, 8, buckets * 16);
    byte[] claim = Bytes.repaired(changed);
    assertThat(Refusals.of(claim)).hasMessageContaining("payload length");
    assertThatThrownBy(
            () ->
                CuckooFilter.readFrom(
                    new ByteArrayInputStream(claim), KeyHasher.text(), Long.MAX_VALUE))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("heap");
  }

  /**
   * Of eight bits, so that they fill words. Whatever the slots hold, the filter can be worked with
   * and never says what it should not.
   */
  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x11, 0x5A, 0xFF})
  void anyPayloadIsAFilter(int filling) throws IOException {
    byte[] file = Bytes.of(CuckooFilter.<CharSequence>create(KeyHasher.text(), 64, 0.03));
    for (int i = 128; i < file.length - 4; i++) {
      file[i] = (byte) filling;
    }
    CuckooFilter<CharSequence> filter = read(Bytes.repaired(file));
    assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    for (int i = 0; i < 1_000; i++) {
      String key = "key-" + i;
      long copies = filter.approximateCount(key);
      assertThat(copies).isBetween(0L, 8L);
      assertThat(filter.remove(key)).isEqualTo(copies > 0);
      assertThat(filter.approximateCount(key)).isEqualTo(copies == 8 ? 8 : Math.max(0, copies - 1));
    }
  }

  private static CuckooFilter<CharSequence> read(byte[] file) throws IOException {
    return CuckooFilter.readFrom(new ByteArrayInputStream(file), KeyHasher.text(), Bytes.LIMIT);
  }
}
