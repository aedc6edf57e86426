package dev.tamis.cli.lines;

import dev.tamis.filter.ParallelPuts;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Reads lines, puts them into a filter and writes the new ones, or the others, on several threads.
 *
 * <p>One reads, workers hash and put, the caller writes. The result does not depend on their
 * number.
 */
public final class ParallelLines implements Closeable {

  /** Beyond one for each worker: one that is read into, one on the way, and one that is written. */
  private static final int MORE_BLOCKS = 3;

  /** Large enough that handing over is cheap; of a quarter of this it took a sixth of the time. */
  private static final int BLOCK_BYTES = 1 << 20;

  /** Workers among whom a block of the usual size can be divided; more get larger ones. */
  private static final int FEW_WORKERS = 8;

  private final BlockSchedule schedule;
  private final List<Thread> threads = new ArrayList<>();
  private volatile long lines;
  private long newLines;
  private long writtenLines;

  /** Prepares to read; {@code hashing} makes a hash of lines for each worker. */
  public ParallelLines(
      List<? extends LineInput> inputs,
      LineFormat format,
      Supplier<LineHash> hashing,
      ParallelPuts puts,
      int workers,
      boolean wanted) {
    this(
        inputs,
        format,
        hashing,
        puts,
        workers,
        wanted,
        workers <= FEW_WORKERS ? BLOCK_BYTES : 2 * BLOCK_BYTES);
  }

  ParallelLines(
      List<? extends LineInput> inputs,
      LineFormat format,
      Supplier<LineHash> hashing,
      ParallelPuts puts,
      int workers,
      boolean wanted,
      int blockBytes) {
    this.schedule = new BlockSchedule(puts, workers + MORE_BLOCKS, blockBytes, wanted);
    ReadAhead reader =
        new ReadAhead(inputs, format, new Block(blockBytes), schedule, new PipePause());
    threads.add(new Thread(reader, "tamis-reader"));
    for (int i = 1; i <= workers; i++) {
      LineHash own = hashing.get();
      boolean isHelper = i > 1;
      threads.add(new Thread(() -> schedule.work(own, isHelper), "tamis-worker-" + i));
    }
    threads.forEach(thread -> thread.setDaemon(true));
  }

  /** Reads to the end and writes; {@code whenWritten} takes the number of new lines so far. */
  public void writeTo(OutputStream out, LongConsumer whenWritten) throws IOException {
    threads.forEach(Thread::start);
    long read = 0;
    for (var slot = schedule.next(out); slot != null; slot = schedule.next(out)) {
      Block block = slot.block();
      out.write(block.bytes(), 0, block.keptBytes());
      writtenLines += block.kept();
      newLines += slot.newLines();
      read += block.count();
      lines = read;
      schedule.release();
      whenWritten.accept(newLines);
    }
    out.flush();
  }

  /** Returns the number of lines read so far; any thread may call this. */
  public long lines() {
    return lines;
  }

  public long newLines() {
    return newLines;
  }

  public long writtenLines() {
    return writtenLines;
  }

  /** Stops reading; the input is closed after a read that is under way, which is not awaited. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}
