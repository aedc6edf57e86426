package dev.tamis.cli.lines;

import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reader thread: reads and splits input a few blocks ahead of the workers, and passes a block
 * on when it is full, or has lines and no more came after a {@linkplain PipePause pause}.
 */
final class ReadAhead implements Runnable {

  private final List<? extends LineInput> inputs;
  private final LineFormat format;
  private final LineFormat.LineEnds lineEnds;
  private final Exchange exchange;
  private final PipePause pause;
  private Block block;

  ReadAhead(
      List<? extends LineInput> inputs,
      LineFormat format,
      Block first,
      Exchange exchange,
      PipePause pause) {
    this.inputs = inputs;
    this.format = format;
    this.lineEnds = format.ends();
    this.block = first;
    this.exchange = exchange;
    this.pause = pause;
  }

  @Override
  public void run() {
    Throwable failure = null;
    try {
      for (LineInput input : inputs) {
        try (InputStream in = input.open()) {
          read(in, input);
        }
      }
    } catch (InterruptedException e) {
      // closed, so the outcome does not matter
    } catch (Throwable e) { // rethrown by the thread that uses the lines
      failure = e;
    }
    try {
      if (block.count() > 0) {
        exchange.give(block);
      }
    } catch (Throwable e) { // it may be what failed before
      failure = failure == null ? e : failure;
    }
    exchange.end(failure);
  }

  private void read(InputStream in, LineInput input) throws IOException, InterruptedException {
    String name = input.name();
    boolean mayBlock = input.mayBlock();
    try {
      block.beginInput(name);
      do {
        block.split(lineEnds);
        if (block.isFull() || (mayBlock && block.count() > 0 && !pause.bringsMore(in))) {
          passOn();
        }
      } while (block.read(in));
      lineEnds.endInput();
      block.endLine(format.delimiter());
      block.split(lineEnds);
    } catch (Block.LineTooLongException e) {
      long number = block.number(block.count());
      throw FileErrors.named(name, "line " + number + " " + e.getMessage(), e);
    } catch (LineFormat.LineEnds.BadLineException e) {
      long number = block.number(block.count());
      throw FileErrors.named(name, "record " + number + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw FileErrors.named(name, String.valueOf(e.getMessage()), e);
    }
  }

  /** Throws the failure that was passed to {@link Exchange#end}, if any. */
  static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof UncheckedIOException e) {
      throw e.getCause();
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  private void passOn() throws InterruptedException {
    Block next = exchange.takeFree();
    next.startWithRestOf(block);
    exchange.give(block);
    block = next;
    pause.restart();
  }

  /** Where the reader delivers full blocks and gets free ones. */
  interface Exchange {

    /** Waits for a block that is no longer needed. */
    Block takeFree() throws InterruptedException;

    void give(Block block);

    /** Ends the input; {@code failure} is what ended it too early, if anything. */
    void end(@Nullable Throwable failure);
  }
}
