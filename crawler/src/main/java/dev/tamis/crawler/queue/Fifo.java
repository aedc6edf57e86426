package dev.tamis.crawler.queue;

import java.util.Optional;
import java.util.OptionalLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** Entries in the order in which they came, whatever their hosts. */
final class Fifo implements Waiting {

  private final MVMap<Long, Entry> entries;

  Fifo(MVStore store) {
    entries =
        store.openMap(
            "waiting",
            new MVMap.Builder<Long, Entry>()
                .keyType(StoredType.NUMBER)
                .valueType(StoredType.ENTRY));
  }

  @Override
  public void add(Entry entry, boolean isNew, long nowNanos) {
    entries.put(entry.sequence(), entry);
  }

  @Override
  public Optional<Entry> due(long nowNanos) {
    return first();
  }

  @Override
  public Optional<Entry> first() {
    return Optional.ofNullable(entries.firstKey()).map(entries::get);
  }

  @Override
  public OptionalLong firstDueNanos() {
    return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
  }

  @Override
  public Optional<Entry> remove(String host, long sequence) {
    return Optional.ofNullable(entries.remove(sequence));
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
    return entries.sizeAsLong();
  }

  @Override
  public long hosts() {
    return 0;
  }
}
