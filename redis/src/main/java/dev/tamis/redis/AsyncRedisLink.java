package dev.tamis.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A link that sends commands without a thread that waits for the replies. */
public interface AsyncRedisLink extends RedisLink {

  /**
   * Sends as {@link #send} does, but returns immediately. The stage is completed by a thread of the
   * client library, which must not be blocked.
   *
   * @return the replies; the stage fails as {@link #send} throws, only if the link is closed
   */
  CompletionStage<List<Reply>> sendAsync(List<Command> commands);

  /** Resends read-only commands after a reply was missing. */
  default CompletionStage<List<Reply>> sendAgainAsync(List<Command> commands) {
    return sendAsync(commands);
  }
}
