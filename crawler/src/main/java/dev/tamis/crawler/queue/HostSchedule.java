package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

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

  private final MVMap<Position, QueuedUrl> pending;
  private final MVMap<String, Host> hosts;
  private final MVMap<Slot, String> slots;
  private final long delayNanos;
  private final Counts counts;
  private long quietUntilNanos;

  HostSchedule(MVStore store, long delayNanos, Counts counts) {
    this.delayNanos = delayNanos;
    this.counts = counts;
    pending =
        store.openMap(
            "pending",
            new MVMap.Builder<Position, QueuedUrl>()
                .keyType(StoredType.POSITION)
                .valueType(StoredType.QUEUED_URL));
    hosts =
        store.openMap(
            "hosts",
            new MVMap.Builder<String, Host>().keyType(StoredType.TEXT).valueType(StoredType.HOST));
    slots =
        store.openMap(
            "slots",
            new MVMap.Builder<Slot, String>().keyType(StoredType.SLOT).valueType(StoredType.TEXT));
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
    Slot slot = slots.firstKey();
    boolean waits = slot == null || Math.max(slot.dueNanos(), quietUntilNanos) > nowNanos;
    return waits ? Optional.empty() : first();
  }

  @Override
  public Optional<QueuedUrl> first() {
    Slot slot = slots.firstKey();
    if (slot == null) {
      return Optional.empty();
    }
    String host = requireNonNull(slots.get(slot), "a slot has a host");
    Position position = pending.ceilingKey(new Position(host, 0));
    return Optional.of(requireNonNull(pending.get(position), "a ready host has a pending URL"));
  }

  @Override
  public OptionalLong firstDueNanos() {
    Slot slot = slots.firstKey();
    return slot == null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(slot.dueNanos(), quietUntilNanos));
  }

  @Override
  public Optional<QueuedUrl> remove(String name, long sequence) {
    @Nullable QueuedUrl url = pending.remove(new Position(name, sequence));
    if (url != null) {
      Host host = host(name);
      update(name, host, host.withPending(host.pending() - 1));
    }
    return Optional.ofNullable(url);
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
    return pending.sizeAsLong();
  }

  @Override
  public long hosts() {
    return hosts.sizeAsLong();
  }

  private Host host(String name) {
    Host host = hosts.get(name);
    return host != null ? host : UNKNOWN;
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
