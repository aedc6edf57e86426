package dev.tamis.cli.lines;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When blocks are passed on, with a pipe, a clock and a timer that are models. */
final class ReadAheadTest {

  private static final int PIECES = 100;
  private static final String PIECE = "line\nline\n";

  /** How much later it is whenever the clock is looked at. */
  private long tickNanos;

  private long now;
  private long pauses;
  private final List<Integer> given = new ArrayList<>();

  /** Has a piece at a time, and the next one after a pause. */
  private final class Pipe extends ByteArrayInputStream {
    private long emptyUntil;

    Pipe() {
      super(PIECE.repeat(PIECES).getBytes(US_ASCII));
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) {
      emptyUntil = pauses + 1;
      return super.read(bytes, offset, Math.min(length, PIECE.length()));
    }

    @Override
    public synchronized int available() {
      return pauses < emptyUntil ? 0 : super.available();
    }
  }

  /** Counts the lines of each block. */
  private final class Counting implements ReadAhead.Exchange {
    @Override
    public Block takeFree() {
      return new Block(Block.BYTES);
    }

    @Override
    public void give(Block block) {
      given.add(block.count());
    }

    @Override
    public void end(@Nullable Throwable failure) {
      assertThat(failure).isNull();
    }
  }

  private void read(boolean mayBlock) {
    PipePause pause = new PipePause(() -> now += tickNanos, nanos -> pauses++);
    List<LineInput> inputs = List.of(new TestInputs.Input("x", new Pipe(), mayBlock));
    LineFormat format = LineFormat.plain((byte) '\n');
    new ReadAhead(inputs, format, new Block(Block.BYTES), new Counting(), pause).run();
  }

  @Test
  void aPipeThatIsEmptyForAMomentFillsABlock() {
    tickNanos = 1;
    read(true);
    assertThat(given).containsExactly(2, 2 * PIECES - 2); // the first is due
  }

  @Test
  void aBlockThatIsDueIsPassedOn() {
    tickNanos = PipePause.LATENCY_NANOS;
    read(true);
    assertThat(given).hasSize(PIECES).containsOnly(2);
    assertThat(pauses).isZero();
  }

  @Test
  void aFileAlwaysFillsABlock() {
    tickNanos = PipePause.LATENCY_NANOS;
    read(false);
    assertThat(given).containsExactly(2 * PIECES);
    assertThat(pauses).isZero();
  }
}
