package dev.tamis.tools.digest;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes a body up to a limit, and ends the connection at the first byte past it. */
final class LimitedBody implements BodySubscriber<LimitedBody.Content> {

  private final int maxBytes;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final CompletableFuture<Content> content = new CompletableFuture<>();
  private @Nullable Subscription subscription;

  /** Takes at most {@code maxBytes} bytes, at least 0. */
  LimitedBody(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<Content> getBody() {
    return content;
  }

  @Override
  public void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
    newSubscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (content.isDone()) {
      return; // what was under way when the limit was passed
    }
    for (ByteBuffer buffer : buffers) {
      int room = Math.min(buffer.remaining(), maxBytes - taken.size());
      byte[] bytes = new byte[room];
      buffer.get(bytes);
      taken.write(bytes, 0, room);
      if (buffer.hasRemaining()) {
        if (subscription != null) {
          subscription.cancel();
        }
        content.complete(new Content(taken.toByteArray(), false));
        return;
      }
    }
  }

  @Override
  public void onError(Throwable thrown) {
    content.completeExceptionally(thrown);
  }

  @Override
  public void onComplete() {
    content.complete(new Content(taken.toByteArray(), true));
  }

  /**
   * What was taken.
   *
   * @param bytes the first bytes of the body, at most the limit
   * @param whole whether that is all
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Content(byte[] bytes, boolean whole) {}
}
