package dev.tamis.cli.compression;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

class DecompressFuzzTest {

  /** More data than this adds nothing: an input is decompressed piece by piece. */
  private static final int MAX_DATA_BYTES = 1 << 20;

  @FuzzTest
  void anyBytesAreDataOrRefused(byte[] bytes) {
    byte[] piece = new byte[1 << 12];
    try (InputStream data = new DecompressingInput(new ByteArrayInputStream(bytes), read -> read)) {
      int left = MAX_DATA_BYTES;
      for (int read = 0; read >= 0 && left > 0; left -= read) {
        read = data.read(piece);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("byte ")) {
        throw new AssertionError("must say where, got " + e.getMessage(), e);
      }
    }
  }
}
