package dev.tamis.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a command. */
public sealed interface Reply {

  /** An integer. */
  record Whole(long value) implements Reply {}

  /** A list of integers. */
  record Numbers(List<Long> values) implements Reply {}

  /**
   * A string of bytes, or the line of text that stands for success; null where there is none.
   *
   * @param value shared, not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  record Bytes(byte @Nullable [] value) implements Reply {}

  /**
   * The server's refusal. The command has changed nothing.
   *
   * @param message the server's own words, which begin with a code such as OOM or READONLY
   */
  record Refusal(String message) implements Reply {}

  /**
   * No reply at all.
   *
   * @param mayHaveRun whether the command may have reached the server
   * @param cause what the client says
   */
  record Missing(boolean mayHaveRun, Exception cause) implements Reply {}
}
