package dev.tamis.cli.lines;

import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of a {@link LineReader} does: it reads, splits and hashes lines, a few blocks
 * ahead of who uses them.
 *
 * <p>The blocks go round in a ring of two queues: from {@link #free} to here, full to {@link
 * #ready}, and back when they are used up. When none is free this thread waits, so memory is
 * bounded; as it holds one itself, there must be two. A block is passed on when it is full, or when
 * it has lines and the input has nothing more to be read at once. The last one passed on is {@link
 * #END}, however the reading ended: at the end of the inputs, with an error, which {@link #failure}
 * returns then, or because it was interrupted.
 */
final class ReadAhead implements Runnable {

  /** Comes after all lines. */
  static final Block END = new Block(0);

  /** One that is read into, one on the way, and one in use. */
  private static final int BLOCKS = 3;

  private final List<? extends LineInput> inputs;
  private final LineFormat format;
  private final LineEnds lineEnds;
  private final ToLongFunction<Line> hashing;
  private final Line line = new Line();
  private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
  private final BlockingQueue<Block> ready = new ArrayBlockingQueue<>(BLOCKS + 1);
  private Block block;
  private long linesBefore;
  private @Nullable Throwable failure;

  /**
   * Prepares to read.
   *
   * @param blockBytes how large a block is
   */
  ReadAhead(
      List<? extends LineInput> inputs,
      LineFormat format,
      ToLongFunction<Line> hashing,
      int blockBytes) {
    this.inputs = inputs;
    this.format = format;
    this.lineEnds = format.ends();
    this.hashing = hashing;
    this.block = new Block(blockBytes);
    for (int i = 1; i < BLOCKS; i++) {
      free.add(new Block(blockBytes));
    }
  }

  /** Returns where blocks of lines come from. */
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

  @Override
  public void run() {
    try {
      for (LineInput input : inputs) {
        try (InputStream in = input.open()) {
          read(in, input.name());
        }
      }
    } catch (InterruptedException e) {
      // the reader was closed; nobody waits for the outcome
    } catch (Throwable e) { // rethrown by the thread that uses the lines
      failure = e;
    } finally {
      if (block.count() > 0) {
        ready.add(block);
      }
      ready.add(END);
    }
  }

  private void read(InputStream in, String name) throws IOException, InterruptedException {
    try {
      do {
        block.split(lineEnds, hashing, line);
        if (block.isFull() || (block.count() > 0 && in.available() == 0)) {
          passOn();
        }
      } while (block.read(in));
      lineEnds.endInput();
      block.endLine(format.delimiter());
      block.split(lineEnds, hashing, line);
    } catch (Block.LineTooLongException e) {
      long number = linesBefore + block.count() + 1;
      throw FileErrors.named(name, "line " + number + " is longer than a line can be", e);
    } catch (LineEnds.BadLineException e) {
      long number = linesBefore + block.count() + 1;
      throw FileErrors.named(name, "record " + number + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw FileErrors.named(name, String.valueOf(e.getMessage()), e);
    }
  }

  private void passOn() throws InterruptedException {
    Block next = free.take();
    next.startWithRestOf(block);
    linesBefore += block.count();
    ready.add(block);
    block = next;
  }
}
