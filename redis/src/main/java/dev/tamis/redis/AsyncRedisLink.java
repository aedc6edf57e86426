package dev.tamis.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A link that sends commands without a thread that waits for the replies. */
public interface AsyncRedisLink extends RedisLink {

  /**
   * Does what {@link #send} does, and returns at once. The stage is completed by a thread of the
   * client library, which must not be blocked.
   *
   * @return the replies; the stage fails as {@link #send} throws, only if the link is closed
   */
  CompletionStage<List<Reply>> sendAsync(List<Command> commands);

  /** Sends commands once more of which a reply was missing; all of them only read. */
  default CompletionStage<List<Reply>> sendAgainAsync(List<Command> commands) {
    return sendAsync(commands);
  }
}
