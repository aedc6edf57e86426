package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.QueueState.Counts;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Round robin over hosts: each host's URLs are first in, first out, one visit of a host at a time,
 * with a delay between the end of a visit and the next.
 */
final class HostSchedule implements Schedule {

  /*
   * A host that has pending URLs and is not being visited has one slot, whose key is in the host's
   * record. Slots are ordered by due time; hosts due at the same time, by when they became ready, so
   * no host is overtaken twice. A host without pending URLs keeps its record, which says when it may
   * be visited next and how many URLs were accepted.
   */

  private static final Host UNKNOWN = new Host(0, 0, 0, 0, false);

  private final StoredMap<Position, QueuedUrl> pending;
  private final StoredMap<String, Host> hosts;
  private final StoredMap<Slot, String> slots;
  private final long delayNanos;
  private final Counts counts;
  private long quietUntilNanos;

  HostSchedule(QueueStore store, long delayNanos, Counts counts) {
    this.delayNanos = delayNanos;
    this.counts = counts;
    pending = store.map("pending", StoredType.POSITION, StoredType.QUEUED_URL);
    hosts = store.map("hosts", StoredType.TEXT, StoredType.HOST);
    slots = store.map("slots", StoredType.SLOT, StoredType.TEXT);
  }

  @Override
  public void add(QueuedUrl url, boolean isNew, long nowNanos) {
    pending.put(new Position(url.host(), url.sequence()), url);
    Host host = host(url.host());
    Host more = (isNew ? host.withOneMore() : host).withPending(host.pending() + 1);
    // a host that becomes ready now comes behind those that have been due for a while
    update(url.host(), host, host.isReady() ? more : more.notBefore(nowNanos, host.order()));
  }

  @Override
  public Optional<QueuedUrl> due(long nowNanos) {
    return slots
        .firstKey()
        .filter(slot -> Math.max(slot.dueNanos(), quietUntilNanos) <= nowNanos)
        .map(this::urlAt);
  }

  @Override
  public Optional<QueuedUrl> first() {
    return slots.firstKey().map(this::urlAt);
  }

  private QueuedUrl urlAt(Slot slot) {
    return slots
        .get(slot)
        .flatMap(
            host ->
                pending
                    .ceilingKey(new Position(host, 0))
                    .filter(position -> position.host().equals(host)))
        .flatMap(pending::get)
        .orElseThrow(() -> QueueStore.damage("a host is due that has no pending URL"));
  }

  @Override
  public OptionalLong firstDueNanos() {
    return slots
        .firstKey()
        .map(slot -> OptionalLong.of(Math.max(slot.dueNanos(), quietUntilNanos)))
        .orElse(OptionalLong.empty());
  }

  @Override
  public Optional<QueuedUrl> remove(String name, long sequence) {
    Optional<QueuedUrl> url = pending.remove(new Position(name, sequence));
    if (url.isPresent()) {
      Host host = host(name);
      update(name, host, host.withPending(host.pending() - 1));
    }
    return url;
  }

  @Override
  public void begin(String name) {
    Host host = host(name);
    update(name, host, host.withBusy(true));
  }

  @Override
  public void end(String name, long nowNanos) {
    Host host = host(name);
    update(name, host, host.withBusy(false).notBefore(nowNanos + delayNanos, ++counts.lastOrder));
  }

  @Override
  public void pause(String name, long untilNanos) {
    Host host = host(name);
    update(name, host, host.notBefore(untilNanos, host.order()));
  }

  @Override
  public void pauseAll(long nowNanos) {
    quietUntilNanos = nowNanos + delayNanos;
  }

  @Override
  public long accepted(String name) {
    return host(name).accepted();
  }

  @Override
  public long size() {
    return pending.size();
  }

  @Override
  public long hosts() {
    return hosts.size();
  }

  private Host host(String name) {
    return hosts.get(name).orElse(UNKNOWN);
  }

  /** Replaces a host's record and moves its slot accordingly. */
  private void update(String name, Host before, Host after) {
    Host changed = after;
    if (!before.isReady() && after.isReady()) {
      changed = after.withOrder(++counts.lastOrder);
    }
    boolean stays = before.isReady() && changed.isReady() && before.slot().equals(changed.slot());
    if (before.isReady() && !stays) {
      slots.remove(before.slot());
    }
    if (changed.isReady() && !stays) {
      slots.put(changed.slot(), name);
    }
    hosts.put(name, changed);
  }

  /** Where a pending URL is stored: by host, then by sequence. */
  record Position(String host, long sequence) {}

  /** When a host may be visited, and its order among those due at the same time. */
  record Slot(long dueNanos, long order) {}

  /**
   * What is known of a host.
   *
   * @param accepted URLs accepted so far
   * @param pending URLs pending
   * @param dueNanos when it may be visited next
   * @param order its order among hosts due at the same time
   * @param busy whether it is being visited
   */
  record Host(long accepted, long pending, long dueNanos, long order, boolean busy) {

    boolean isReady() {
      return pending > 0 && !busy;
    }

    Slot slot() {
      return new Slot(dueNanos, order);
    }

    Host withOneMore() {
      return new Host(accepted + 1, pending, dueNanos, order, busy);
    }

    Host withPending(long newPending) {
      return new Host(accepted, newPending, dueNanos, order, busy);
    }

    Host withBusy(boolean newBusy) {
      return new Host(accepted, pending, dueNanos, order, newBusy);
    }

    Host withOrder(long newOrder) {
      return new Host(accepted, pending, dueNanos, newOrder, busy);
    }

    Host notBefore(long nanos, long newOrder) {
      return new Host(accepted, pending, Math.max(dueNanos, nanos), newOrder, busy);
    }
  }
}
