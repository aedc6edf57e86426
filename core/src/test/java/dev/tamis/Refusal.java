package dev.tamis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that a call is refused, by which exception, and in which words. */
public final class Refusal {
  private Refusal() {}

  /** Asserts an {@link IllegalArgumentException} whose message contains the parts. */
  public static void refuses(ThrowingCallable call, String... parts) {
    refuses(IllegalArgumentException.class, call, parts);
  }

  /** Asserts an exception of {@code type} whose message contains the parts. */
  public static void refuses(
      Class<? extends Throwable> type, ThrowingCallable call, String... parts) {
    var refusal = assertThatThrownBy(call).isInstanceOf(type);
    for (String part : parts) {
      refusal.hasMessageContaining(part);
    }
  }

  /** Asserts an {@link IllegalArgumentException} with exactly this message. */
  public static void refusesSaying(String message, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
