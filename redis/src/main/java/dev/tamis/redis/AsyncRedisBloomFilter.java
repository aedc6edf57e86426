package dev.tamis.redis;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The puts and lookups of a {@link RedisBloomFilter} as stages, for callers that must not block.
 *
 * <pre>{@code
 * LettuceLink link = LettuceLink.to(URI.create("redis://localhost"), Duration.ofSeconds(1));
 * RedisBloomFilter<String> seen = RedisBloomFilter.open(link, "visited", KeyHasher.text());
 * AsyncRedisBloomFilter<String> async = AsyncRedisBloomFilter.over(seen, link, 10_000);
 * async.put(url).thenAccept(isNew -> ...);
 * }</pre>
 *
 * <p>Results and exceptions are those of the filter, which may be used at the same time; an
 * exception is the cause of the stage's failure. No method throws it, or blocks. A stage is
 * completed by a thread of Lettuce, which must not be blocked: continue with {@code thenApplyAsync}
 * where that may happen. Only if the filter was replaced or lost, a thread of the common pool waits
 * for the server.
 *
 * <p><b>Back-pressure.</b> Keys in flight are limited. A call beyond the limit sends nothing and
 * fails with a {@link RejectedExecutionException}: wait for an earlier stage, then call again. A
 * bulk call has one batch of 256 keys in flight at a time, however many it was given.
 *
 * <p>Cancelling a stage has no effect on the server.
 *
 * @param <T> the type of key
 */
public final class AsyncRedisBloomFilter<T> {

  private final RedisBloomFilter<T> filter;
  private final AsyncRedisLink link;
  private final KeyBatches batches;
  private final int maxInFlight;
  private final Semaphore room;

  private AsyncRedisBloomFilter(RedisBloomFilter<T> filter, AsyncRedisLink link, int maxInFlight) {
    this.filter = filter;
    this.link = link;
    this.batches = filter.batches();
    this.maxInFlight = maxInFlight;
    this.room = new Semaphore(maxInFlight);
  }

  /**
   * Returns a view of a filter.
   *
   * @param link the one that the filter was created or opened with
   * @param maxInFlight maximum of keys that were sent and whose replies have not arrived; at least
   *     256
   */
  public static <T> AsyncRedisBloomFilter<T> over(
      RedisBloomFilter<T> filter, AsyncRedisLink link, int maxInFlight) {
    if (!filter.isOver(link)) {
      throw new IllegalArgumentException(
          "link: must be that of filter " + filter.name() + ", got another one");
    }
    if (maxInFlight < Server.BATCH) {
      throw new IllegalArgumentException(
          "maxInFlight: must be at least " + Server.BATCH + ", got " + maxInFlight);
    }
    return new AsyncRedisBloomFilter<>(filter, link, maxInFlight);
  }

  /**
   * Puts a key, as {@link RedisBloomFilter#put} does.
   *
   * @throws NullPointerException if {@code key} is null
   */
  public CompletionStage<Boolean> put(T key) {
    return putHash(filter.hashOf(key));
  }

  /** Puts the key with this hash, as {@link RedisBloomFilter#putHash} does. */
  public CompletionStage<Boolean> putHash(long hash) {
    boolean[] isNew = new boolean[1];
    return putHashes(new long[] {hash}, 1, isNew).thenApply(done -> isNew[0]);
  }

  /**
   * Puts several keys, as {@link RedisBloomFilter#putAll} does. Results that are known before a
   * failure are only to be had from {@link #putHashes}.
   *
   * @throws NullPointerException if one of them is null; none is put then
   */
  public CompletionStage<boolean[]> putAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(filter::hashOf).toArray();
    boolean[] isNew = new boolean[hashes.length];
    return putHashes(hashes, hashes.length, isNew).thenApply(done -> isNew);
  }

  /**
   * Puts the keys with these hashes, as {@link RedisBloomFilter#putHashes} does.
   *
   * @param hashes must not be changed until the stage is complete
   * @param isNew receives the results, also those before a failure
   */
  public CompletionStage<Void> putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    return run(
        count,
        Server.BATCH,
        (from, to) -> {
          KeyBatches.Puts puts = batches.new Puts(hashes, from, to);
          return link.sendAsync(puts.commands())
              .thenCompose(
                  replies -> finish(puts.areOrdinary(replies), () -> puts.finish(replies, isNew)));
        });
  }

  /**
   * Queries a key, as {@link RedisBloomFilter#mightContain} does.
   *
   * @throws NullPointerException if {@code key} is null
   */
  public CompletionStage<Boolean> mightContain(T key) {
    return mightContainHash(filter.hashOf(key));
  }

  /** Queries the key with this hash, as {@link RedisBloomFilter#mightContainHash} does. */
  public CompletionStage<Boolean> mightContainHash(long hash) {
    boolean[] answers = new boolean[1];
    return mightContainHashes(new long[] {hash}, 1, answers).thenApply(done -> answers[0]);
  }

  /**
   * Queries several keys, as {@link RedisBloomFilter#mightContainAll} does.
   *
   * @throws NullPointerException if one of them is null
   */
  public CompletionStage<boolean[]> mightContainAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(filter::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    return mightContainHashes(hashes, hashes.length, answers).thenApply(done -> answers);
  }

  /**
   * Queries the keys with these hashes, as {@link RedisBloomFilter#mightContainHashes} does.
   *
   * @param hashes must not be changed until the stage is complete
   * @param answers receives the answers
   */
  public CompletionStage<Void> mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    return run(
        count,
        Server.BATCH / 2,
        (from, to) -> {
          KeyBatches.Queries queries = batches.new Queries(hashes, from, to, true);
          return link.sendAsync(queries.commands())
              .thenCompose(
                  replies ->
                      Server.isToBeRepeated(queries.commands(), replies)
                          ? link.sendAgainAsync(queries.commands())
                          : CompletableFuture.completedFuture(replies))
              .thenCompose(
                  replies ->
                      finish(queries.areOrdinary(replies), () -> queries.finish(replies, answers)));
        });
  }

  /** Interprets replies, in another thread if that may wait for the server. */
  private static CompletionStage<Void> finish(boolean isOrdinary, Runnable finish) {
    if (!isOrdinary) {
      return CompletableFuture.runAsync(finish);
    }
    finish.run();
    return CompletableFuture.completedFuture(null);
  }

  /** Sends the keys from one index up to another, exclusive. */
  @FunctionalInterface
  private interface Batch {
    CompletionStage<Void> send(int from, int to);
  }

  private CompletionStage<Void> run(int count, int most, Batch batch) {
    int together = Math.min(count, most);
    if (!room.tryAcquire(together)) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(
              "filter "
                  + filter.name()
                  + ": keys in flight: must be at most "
                  + maxInFlight
                  + "; wait for an earlier call"));
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    sendFrom(0, count, together, batch, done);
    return done;
  }

  private void sendFrom(
      int from, int count, int together, Batch batch, CompletableFuture<Void> done) {
    if (from == count) {
      end(together, done, null);
      return;
    }
    int to = Math.min(count, from + together);
    CompletionStage<Void> sending;
    try {
      sending = batch.send(from, to);
    } catch (RuntimeException e) { // the filter is lost, or the link closed
      end(together, done, e);
      return;
    }
    CompletionStage<Void> unused =
        sending.whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                sendFrom(to, count, together, batch, done);
              } else {
                end(together, done, failure);
              }
            });
  }

  /** Releases the permits before the caller is notified and may call again. */
  private void end(int together, CompletableFuture<Void> done, @Nullable Throwable failure) {
    room.release(together);
    if (failure == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(
          failure instanceof CompletionException wrapped && wrapped.getCause() != null
              ? wrapped.getCause()
              : failure);
    }
  }
}
