package dev.tamis.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a command. */
public sealed interface Reply {

  /** An integer. */
  record Whole(long value) implements Reply {}

  /** A list of integers. */
  record Numbers(List<Long> values) implements Reply {}

  /**
   * A list of byte strings; the elements of nested lists and maps follow in order.
   *
   * @param values shared, not copied
   */
  record Strings(List<byte[]> values) implements Reply {}

  /**
   * A byte string, or the status line of a success; null for a missing value.
   *
   * @param value shared, not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte @Nullable [] value) implements Reply {}

  /**
   * The server's refusal. The command has changed nothing.
   *
   * @param message the server's message, which begins with a code such as OOM or READONLY
   */
  record Refusal(String message) implements Reply {}

  /**
   * No reply at all.
   *
   * @param mayHaveRun whether the command may have reached the server
   * @param cause the exception of the client library
   */
  record Missing(boolean mayHaveRun, Exception cause) implements Reply {}
}
