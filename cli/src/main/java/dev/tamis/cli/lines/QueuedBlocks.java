package dev.tamis.cli.lines;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Passes blocks from the thread that reads to the one that uses the lines, and hashes them before.
 *
 * <p>The blocks go round in a ring of two queues: full ones to {@link #ready}, and back to {@link
 * #free} when they are used up. When none is free the reading thread waits, so memory is bounded.
 */
final class QueuedBlocks implements BlockExchange {

  /** Comes after all lines. */
  static final Block END = new Block(0);

  /** One that is read into, one on the way, and one in use. */
  private static final int BLOCKS = 3;

  private final ToLongFunction<Line> hashing;
  private final Line line = new Line();
  private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
  private final BlockingQueue<Block> ready = new ArrayBlockingQueue<>(BLOCKS + 1);
  private @Nullable Throwable failure;

  /**
   * Prepares the ring, but for the block that is read into first.
   *
   * @param blockBytes how large a block is
   */
  QueuedBlocks(ToLongFunction<Line> hashing, int blockBytes) {
    this.hashing = hashing;
    for (int i = 1; i < BLOCKS; i++) {
      free.add(new Block(blockBytes));
    }
  }

  @Override
  public Block takeFree() throws InterruptedException {
    return free.take();
  }

  @Override
  public void give(Block block) {
    block.hash(hashing, line);
    ready.add(block);
  }

  @Override
  public void end(@Nullable Throwable failure) {
    this.failure = failure;
    ready.add(END);
  }

  /** Returns where blocks of lines come from, the last one of which is {@link #END}. */
  BlockingQueue<Block> ready() {
    return ready;
  }

  /** Returns where blocks go to when they are used up. */
  BlockingQueue<Block> free() {
    return free;
  }

  /** Returns what ended the reading too early; valid after {@link #END}. */
  @Nullable Throwable failure() {
    return failure;
  }
}
