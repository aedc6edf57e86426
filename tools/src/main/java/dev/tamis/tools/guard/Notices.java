package dev.tamis.tools.guard;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends notices to the log and to the listener. */
final class Notices {

  private static final System.Logger LOG = System.getLogger("dev.tamis.tools.guard");

  private final String name;
  private final Consumer<? super GuardNotice> listener;

  Notices(String name, Consumer<? super GuardNotice> listener) {
    this.name = name;
    this.listener = listener;
  }

  void send(GuardNotice.Kind kind, GuardState state, String message) {
    send(kind, state, message, null);
  }

  void send(GuardNotice.Kind kind, GuardState state, String message, @Nullable Throwable cause) {
    String line = "Store guard \"" + name + "\" is " + state + ": " + message;
    if (cause == null) {
      LOG.log(kind.level(), line);
    } else {
      LOG.log(kind.level(), line, cause);
    }
    try {
      listener.accept(new GuardNotice(kind, state, message, Optional.ofNullable(cause)));
    } catch (RuntimeException e) {
      // a broken listener must not stop a put half way
      LOG.log(
          System.Logger.Level.WARNING, "The listener of store guard \"" + name + "\" failed", e);
    }
  }
}
