package dev.tamis.crawler.queue;

import java.util.Optional;
import java.util.OptionalLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** First in, first out, regardless of host. */
final class FifoSchedule implements Schedule {

  private final MVMap<Long, QueuedUrl> pending;

  FifoSchedule(MVStore store) {
    pending =
        store.openMap(
            "pending",
            new MVMap.Builder<Long, QueuedUrl>()
                .keyType(StoredType.NUMBER)
                .valueType(StoredType.QUEUED_URL));
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
    return Optional.ofNullable(pending.firstKey()).map(pending::get);
  }

  @Override
  public OptionalLong firstDueNanos() {
    return pending.isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
  }

  @Override
  public Optional<QueuedUrl> remove(String host, long sequence) {
    return Optional.ofNullable(pending.remove(sequence));
  }

  @Override
  public void begin(String host) {}

  @Override
  public void end(String host, long nowNanos) {}

  @Override
  public void pause(String host, long untilNanos) {}

  @Override
  public void pauseAll(long nowNanos) {}

  @Override
  public long accepted(String host) {
    return 0;
  }

  @Override
  public long size() {
    return pending.sizeAsLong();
  }

  @Override
  public long hosts() {
    return 0;
  }
}
