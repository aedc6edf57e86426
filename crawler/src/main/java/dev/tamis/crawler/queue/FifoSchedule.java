package dev.tamis.crawler.queue;

import java.util.Optional;
import java.util.OptionalLong;

/** First in, first out, regardless of host. */
final class FifoSchedule implements Schedule {

  private final StoredMap<Long, QueuedUrl> pending;

  FifoSchedule(QueueStore store) {
    pending = store.map("pending", StoredType.NUMBER, StoredType.QUEUED_URL);
  }

  @Override
  public void add(QueuedUrl url, boolean isNew, long nowNanos) {
    pending.put(url.sequence(), url);
  }

  @Override
  public Optional<QueuedUrl> due(long nowNanos) {
    return first();
  }

  @Override
  public Optional<QueuedUrl> first() {
    return pending.firstKey().flatMap(pending::get);
  }

  @Override
  public OptionalLong firstDueNanos() {
    return pending.firstKey().isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
  }

  @Override
  public Optional<QueuedUrl> remove(String host, long sequence) {
    return pending.remove(sequence);
  }

  @Override
  public long size() {
    return pending.size();
  }
}
