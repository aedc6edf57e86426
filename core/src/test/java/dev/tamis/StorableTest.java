package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.format.Kind;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** What can be written, as an array. */
class StorableTest {

  @Test
  void anArrayHoldsWhatIsWritten() {
    assertThat(new Sized(3).toByteArray()).containsExactly(1, 2, 3);
  }

  @Test
  void moreThanAnArrayHoldsIsRefusedWithTheNumberAndTheLimit() {
    for (long bytes : new long[] {Storable.MAX_ARRAY_BYTES + 1L, 1L << 32, (1L << 32) + 3}) {
      refuses(
          IllegalStateException.class,
          () -> new Sized(bytes).toByteArray(),
          Long.toString(bytes),
          Integer.toString(Storable.MAX_ARRAY_BYTES));
    }
  }

  private record Sized(long serializedSize) implements Storable {

    @Override
    public Kind kind() {
      return Kind.BLOOM;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(new byte[] {1, 2, 3});
    }
  }
}
