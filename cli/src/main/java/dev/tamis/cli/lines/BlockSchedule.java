package dev.tamis.cli.lines;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.ParallelPuts;
import java.io.Flushable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the next step of a block to a thread of {@link ParallelLines}: workers prepare, admit,
 * put (once per owner) and finish it, as {@link ParallelPuts} requires; the writer takes them in
 * order.
 */
final class BlockSchedule implements ReadAhead.Exchange {

  /*
   * Blocks are numbered in input order and kept in a ring of slots. One lock guards their progress and
   * publishes their contents between threads.
   *
   * Each worker takes the step that brings a block nearest to its end, for any owner, so all cores are
   * busy whichever step takes longest. While one worker keeps up with the input, the others sleep and
   * leave the cores to the process that writes it.
   *
   * When a step fails, its block and all later ones stop; the writer throws the error in its place.
   */

  /** Blocks in flight if one worker keeps up: its own, and the next. */
  private static final int FEW_BLOCKS = 2;

  private final boolean wanted;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final Condition work = lock.newCondition(); // for the first worker
  private final Condition help = lock.newCondition();
  private final Condition done = lock.newCondition();
  private final Deque<Block> free = new ArrayDeque<>();
  private final int blockBytes;

  /** Blocks allocated so far; a short input needs few. */
  private int blocks = 1; // the one that the reader begins with

  private final Slot[] slots;

  private long given;

  private long taken;

  private long admitted;
  private boolean admitting;

  /** Whether the next block cannot be admitted before another is finished. */
  private boolean full;

  /** Blocks put per owner, and whether a worker is putting for it. */
  private final long[] put;

  private final boolean[] putting;

  private long finished;
  private long written;
  private boolean ended;
  private @Nullable Throwable failure;

  private long failedAt = Long.MAX_VALUE;

  /** Starts with no block; {@code mostBlocks} includes the reader's first. */
  BlockSchedule(ParallelPuts puts, int mostBlocks, int blockBytes, boolean wanted) {
    this.wanted = wanted;
    this.put = new long[puts.owners()];
    this.putting = new boolean[puts.owners()];
    this.slots = new Slot[mostBlocks];
    this.blockBytes = blockBytes;
    for (int i = 0; i < mostBlocks; i++) {
      slots[i] = new Slot(puts.newBatch());
    }
  }

  private Slot slot(long block) {
    return slots[(int) (block % slots.length)];
  }

  @Override
  public Block takeFree() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (free.isEmpty() && blocks == slots.length) {
        freed.await();
      }
      if (free.isEmpty()) {
        blocks++;
        return new Block(blockBytes);
      }
      return free.remove();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void give(Block block) {
    lock.lock();
    try {
      slot(given).begin(block, put.length);
      given++;
      wake();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end(@Nullable Throwable failure) {
    lock.lock();
    try {
      ended = true;
      if (failure != null) {
        fail(given, failure);
      }
      wake();
      done.signal();
    } finally {
      lock.unlock();
    }
  }

  private void fail(long block, Throwable thrown) {
    if (block < failedAt) {
      failedAt = block;
      failure = thrown;
      done.signal();
    }
  }

  /** Runs steps until all blocks are finished; a helper only while the first worker is late. */
  void work(LineHash hashing, boolean isHelper) {
    Line line = new Line();
    lock.lock();
    try {
      while (!(ended && finished == given)) {
        if ((isHelper && isKeptUpWith()) || !step(hashing, line)) {
          (isHelper ? help : work).await();
        }
      }
    } catch (InterruptedException e) {
      // closed
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    work.signal();
    if (!isKeptUpWith()) {
      help.signalAll();
    }
  }

  private boolean isKeptUpWith() {
    return !ended && given - finished <= FEW_BLOCKS;
  }

  /** Runs the next step, if any; called with the lock held, which is released during the step. */
  private boolean step(LineHash hashing, Line line) {
    for (int owner = 0; owner < put.length; owner++) {
      if (!putting[owner] && put[owner] < Math.min(admitted, failedAt)) {
        put(owner);
        return true;
      }
    }
    if (!admitting && !full && admitted < Math.min(taken, failedAt) && slot(admitted).prepared) {
      admit();
      return true;
    }
    if (taken < Math.min(given, failedAt)) {
      prepare(hashing, line);
      return true;
    }
    return false;
  }

  private void prepare(LineHash hashing, Line line) {
    long number = taken++;
    Slot slot = slot(number);
    Block block = slot.block();
    slot.prepared =
        unlocked(
            number,
            () -> {
              block.hash(hashing, line);
              slot.batch.prepare(block.hashes(), block.packHashes());
            });
    wake();
  }

  private void admit() {
    Slot slot = slot(admitted);
    long before = finished;
    admitting = true;
    boolean unused = unlocked(admitted, () -> slot.admitted = slot.batch.admit());
    admitting = false;
    full = !slot.admitted && finished == before; // else there is room again
    admitted += slot.admitted ? 1 : 0;
    wake();
  }

  private void put(int owner) {
    Slot slot = slot(put[owner]);
    putting[owner] = true;
    boolean isPut = unlocked(put[owner], () -> slot.batch.put(owner));
    putting[owner] = false;
    if (!isPut) {
      return;
    }
    long number = put[owner]++;
    slot.ownersLeft--;
    wake();
    if (slot.ownersLeft == 0 && unlocked(number, () -> slot.finish(wanted))) {
      slot.finished = true;
      finished++;
      full = false;
      wake();
      if (number == written) {
        done.signal();
      }
    }
  }

  /** Runs a step with the lock released; false if it failed. */
  private boolean unlocked(long block, Runnable step) {
    Throwable thrown = null;
    lock.unlock();
    try {
      step.run();
    } catch (Throwable e) { // the writer throws it
      thrown = e;
    } finally {
      lock.lock();
    }
    if (thrown != null) {
      fail(block, thrown);
    }
    return thrown == null;
  }

  /** Waits for the next block to be written, null after the last; flushes {@code beforeWaiting}. */
  @Nullable Slot next(Flushable beforeWaiting) throws IOException {
    lock.lock();
    try {
      if (!isDecided()) {
        lock.unlock();
        try {
          beforeWaiting.flush();
        } finally {
          lock.lock();
        }
      }
      while (!isDecided()) {
        done.await();
      }
      if (written < given && slot(written).finished) {
        return slot(written);
      }
      if (written == failedAt) {
        ReadAhead.rethrow(failure);
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for lines");
    } finally {
      lock.unlock();
    }
  }

  private boolean isDecided() {
    return written == failedAt || (written < given ? slot(written).finished : ended);
  }

  void release() {
    lock.lock();
    try {
      free.add(slot(written).block());
      written++;
      freed.signal();
    } finally {
      lock.unlock();
    }
  }

  static final class Slot {
    private final ParallelPuts.Batch batch;
    private @Nullable Block block;
    private boolean prepared;
    private boolean admitted;
    private int ownersLeft;
    private boolean finished;
    private int newLines;

    private Slot(ParallelPuts.Batch batch) {
      this.batch = batch;
    }

    private void begin(Block block, int owners) {
      this.block = block;
      prepared = false;
      admitted = false;
      ownersLeft = owners;
      finished = false;
    }

    private void finish(boolean wanted) {
      newLines = batch.finish();
      block().keep(batch.isNew(), wanted);
    }

    Block block() {
      return requireNonNull(block);
    }

    int newLines() {
      return newLines;
    }
  }
}
