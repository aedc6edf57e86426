package dev.tamis.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link LettuceLink}, which is replaced once it is closed or has timed out.
 *
 * <p>Lettuce itself reconnects only when it learns that the connection is closed. A peer that is
 * silently gone, behind a firewall or after a power failure, never tells.
 */
final class LettuceConnection {

  private final Supplier<CompletionStage<? extends StatefulConnection<byte[], byte[]>>> opener;
  private @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> current;

  LettuceConnection(
      Supplier<CompletionStage<? extends StatefulConnection<byte[], byte[]>>> opener) {
    this.opener = opener;
  }

  /** Returns the connection, which may be under way; all callers share it. */
  synchronized CompletableFuture<StatefulConnection<byte[], byte[]>> get() {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known = current;
    if (known != null && isUsable(known)) {
      return known;
    }
    if (known != null) {
      closeLater(known, Runnable::run);
    }
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening =
        opener
            .get()
            .<StatefulConnection<byte[], byte[]>>thenApply(open -> open)
            .toCompletableFuture();
    current = opening;
    return opening;
  }

  private static boolean isUsable(CompletableFuture<StatefulConnection<byte[], byte[]>> known) {
    if (!known.isDone()) {
      return true;
    }
    if (known.isCompletedExceptionally()) {
      return false;
    }
    StatefulConnection<byte[], byte[]> open = known.join();
    return open.isOpen() || open instanceof StatefulRedisClusterConnection; // that has several
  }

  /**
   * Replaces a connection that gave no reply, from the next call on.
   *
   * @param later when to close it, so that other callers may still receive their replies
   */
  synchronized void drop(StatefulConnection<byte[], byte[]> silent, Executor later) {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known = current;
    if (known != null && known.isDone() && isUsable(known) && known.join() == silent) {
      current = null;
      closeLater(known, later);
    }
  }

  /**
   * Closes the connection. A client that is shut down first closes the connections to the servers
   * of a cluster twice, and logs a warning.
   */
  synchronized CompletableFuture<Void> close() {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known = current;
    current = null;
    return known == null || !known.isDone() || known.isCompletedExceptionally()
        ? CompletableFuture.completedFuture(null)
        : close(known.join());
  }

  private static void closeLater(
      CompletableFuture<StatefulConnection<byte[], byte[]>> connection, Executor later) {
    CompletableFuture<Void> unused = connection.thenComposeAsync(LettuceConnection::close, later);
  }

  private static CompletableFuture<Void> close(StatefulConnection<byte[], byte[]> open) {
    return open instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()
        ? CompletableFuture.completedFuture(null) // the client was shut down, and would warn
        : open.closeAsync();
  }
}
