package dev.tamis.cli.lines;

import org.jspecify.annotations.Nullable;

/** Where {@link ReadAhead} leaves the blocks it has filled, and gets others to fill. */
interface BlockExchange {

  /** Waits for a block whose lines nobody needs any more; there are two at least. */
  Block takeFree() throws InterruptedException;

  /** Takes a block with lines, at least one. */
  void give(Block block);

  /** Says that nothing more comes, and what ended the reading too early, if anything did. */
  void end(@Nullable Throwable failure);
}
