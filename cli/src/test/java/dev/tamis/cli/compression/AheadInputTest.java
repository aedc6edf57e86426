package dev.tamis.cli.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.cli.Faults;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class AheadInputTest {

  private static final int BUFFER_BYTES = 1 << 17;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BUFFER_BYTES - 1, BUFFER_BYTES, BUFFER_BYTES + 1, 20 * BUFFER_BYTES})
  void givesTheSameBytes(int length) throws IOException {
    byte[] bytes = bytes(length);
    try (InputStream in = new AheadInput(new ByteArrayInputStream(bytes))) {
      assertThat(in.readNBytes(length / 2)).hasSize(length / 2);
      assertThat(in.readAllBytes()).hasSize(length - length / 2);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.available()).isZero();
    }
    try (InputStream in = new AheadInput(new ByteArrayInputStream(bytes))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void whatGoesWrongComesAfterTheBytesBefore() throws IOException {
    for (Throwable thrown :
        new Throwable[] {
          new IOException("x"), new IllegalStateException(), new StackOverflowError()
        }) {
      InputStream failing = Faults.input(thrown);
      InputStream both = new SequenceInputStream(new ByteArrayInputStream(bytes(300_000)), failing);
      try (InputStream in = new AheadInput(both)) {
        assertThat(in.readNBytes(300_000)).isEqualTo(bytes(300_000));
        assertThatThrownBy(in::read).isSameAs(thrown);
        assertThatThrownBy(in::read).isSameAs(thrown);
      }
    }
  }

  @Test
  void whatIsThereIsAvailable() throws IOException {
    try (InputStream in = new AheadInput(new ByteArrayInputStream(bytes(10)))) {
      assertThat(in.available()).isZero(); // nothing has been read
      assertThat(in.read()).isNotNegative();
      assertThat(in.available()).isEqualTo(9);
    }
  }

  @Test
  void closingClosesTheInputReadOrNot() throws Exception {
    for (int reads = 0; reads < 2; reads++) {
      CountDownLatch closed = new CountDownLatch(1);
      InputStream endless =
          new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] bytes, int offset, int length) {
              return length;
            }

            @Override
            public void close() {
              closed.countDown();
            }
          };
      InputStream in = new AheadInput(endless);
      assertThat(in.readNBytes(reads)).hasSize(reads);
      in.close();
      assertThat(closed.await(600, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }
}
