package dev.tamis.cli.lines;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of some inputs in order, as bytes. A line ends with a delimiter or its input, and
 * is limited by memory alone.
 *
 * <pre>{@code
 * for (int count = reader.next(); count > 0; count = reader.next()) {
 *   for (int i = 0; i < reader.keyed(); i++) {
 *     use(reader.line(reader.keyedLine(i)), reader.hashes()[i]);
 *   }
 * }
 * }</pre>
 *
 * <p>Another thread reads, splits and hashes a few {@linkplain Block blocks} ahead; its failures
 * are thrown here after the lines before them. For one thread.
 */
public final class LineReader implements Closeable {

  /** Lines per batch: enough for a filter in memory to prefetch all of them in parallel. */
  public static final int MAX_LINES = 32;

  private final QueuedBlocks blocks;
  private final Thread thread;
  private final Flushable beforeWaiting;
  private final Line line = new Line();
  private final long[] hashes;
  private final int[] keyedLines;
  private @Nullable Block block;
  private int first;
  private int count;
  private int keyed;
  private long lines;

  /** Reads {@code inputs}; {@code hashing} runs on another thread, a long wait flushes first. */
  public LineReader(
      List<? extends LineInput> inputs, byte delimiter, LineHash hashing, Flushable beforeWaiting) {
    this(inputs, LineFormat.plain(delimiter), MAX_LINES, hashing, beforeWaiting);
  }

  public LineReader(
      List<? extends LineInput> inputs,
      LineFormat format,
      int mostLines,
      LineHash hashing,
      Flushable beforeWaiting) {
    this(inputs, format, mostLines, hashing, beforeWaiting, Block.BYTES, new PipePause());
  }

  LineReader(
      List<? extends LineInput> inputs,
      LineFormat format,
      int mostLines,
      LineHash hashing,
      Flushable beforeWaiting,
      int blockBytes,
      PipePause pause) {
    this.blocks = new QueuedBlocks(hashing, blockBytes);
    this.thread =
        new Thread(
            new ReadAhead(inputs, format, new Block(blockBytes), blocks, pause), "tamis-reader");
    this.thread.setDaemon(true);
    this.beforeWaiting = beforeWaiting;
    this.hashes = new long[mostLines];
    this.keyedLines = new int[mostLines];
  }

  /** Moves to the next lines that are available, and returns how many; 0 at the end. */
  public int next() throws IOException {
    first += count;
    count = 0;
    if (block == null || first == block.count()) {
      first = 0;
      block = nextBlock();
    }
    count = Math.min(hashes.length, block.count() - first);
    if (block.isKeyed()) {
      System.arraycopy(block.hashes(), first, hashes, 0, count);
      keyed = count;
    } else {
      keyed = 0;
      for (int i = 0; i < count; i++) {
        if (block.fate(first + i) == LineHash.Fate.KEYED) {
          hashes[keyed] = block.hashes()[first + i];
          keyedLines[keyed++] = i;
        }
      }
    }
    lines += count;
    return count;
  }

  private Block nextBlock() throws IOException {
    if (block == QueuedBlocks.END) {
      return block;
    }
    if (block == null) {
      thread.start();
    } else {
      blocks.free().add(block);
    }
    block = QueuedBlocks.END; // if anything fails below, there are no more lines
    Block next = blocks.ready().poll();
    if (next == null) {
      beforeWaiting.flush();
      next = await();
    }
    if (next == QueuedBlocks.END) {
      ReadAhead.rethrow(blocks.failure());
    }
    return next;
  }

  private Block await() throws InterruptedIOException {
    try {
      return blocks.ready().take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for lines");
    }
  }

  /** Returns one of the lines that {@link #next} moved to, always in the same object. */
  public Line line(int index) {
    return lines(index, index + 1);
  }

  /** Returns adjacent lines as one with delimiters in it, in the object of {@link #line}. */
  Line lines(int from, int to) {
    Block given = requireNonNull(block, "call next first");
    int start = given.start(first + from);
    line.set(given.bytes(), start, given.end(first + to - 1) - start);
    return line;
  }

  /** Returns how many of the lines that {@link #next} moved to have a key. */
  public int keyed() {
    return keyed;
  }

  /** Returns the index of the line that has a key; those without are not counted. */
  public int keyedLine(int index) {
    return keyed == count ? index : keyedLines[index];
  }

  /**
   * Moves the marks of lines with a key to the indexes of these lines; those of lines without
   * become {@code keyless}, those of other parts {@code otherParts}.
   */
  public void spread(boolean[] marks, boolean keyless, boolean otherParts) {
    if (keyed == count) {
      return;
    }
    Block given = requireNonNull(block, "call next first");
    int key = keyed;
    for (int i = count - 1; i >= 0; i--) {
      marks[i] =
          switch (given.fate(first + i)) {
            case KEYED -> marks[--key];
            case KEYLESS -> keyless;
            case OTHER_PART -> otherParts;
          };
    }
  }

  /** Returns the hashes of the lines that {@link #next} moved to and have a key; read-only. */
  public long[] hashes() {
    return hashes;
  }

  public long lines() {
    return lines;
  }

  /** Stops reading; the input is closed after a read that is under way, which is not awaited. */
  @Override
  public void close() {
    thread.interrupt();
  }

  /** Hashes blocks and passes them to the user of the lines, and back when they are used up. */
  private static final class QueuedBlocks implements ReadAhead.Exchange {

    /** Marks the end of all lines. */
    static final Block END = new Block(0);

    /** One that is read into, one on the way, and one in use. */
    private static final int BLOCKS = 3;

    private final LineHash hashing;
    private final Line line = new Line();
    private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
    private final BlockingQueue<Block> ready = new ArrayBlockingQueue<>(BLOCKS + 1);
    private @Nullable Throwable failure;

    QueuedBlocks(LineHash hashing, int blockBytes) {
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

    BlockingQueue<Block> ready() {
      return ready;
    }

    BlockingQueue<Block> free() {
      return free;
    }

    @Nullable Throwable failure() {
      return failure;
    }
  }
}
