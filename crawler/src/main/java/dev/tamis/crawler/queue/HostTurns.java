package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * Entries of hosts that take turns: each host's in the order in which they came, one visit of a
 * host at a time, and a delay between the end of one and the next.
 */
final class HostTurns implements Waiting {

  /*
   * A host that has entries and is not being visited has one turn, whose key is in the host's
   * record. Turns lie in the order in which they are due; hosts that are due together come in the
   * order in which they began to wait, so nobody is passed twice. A host without entries keeps its
   * record: when it may be visited next, and how many were accepted, must not be forgotten.
   */

  private static final Host UNKNOWN = new Host(0, 0, 0, 0, false);

  private final MVMap<Place, Entry> entries;
  private final MVMap<String, Host> hosts;
  private final MVMap<Turn, String> turns;
  private final long delayNanos;
  private final Counts counts;
  private long quietUntilNanos;

  HostTurns(MVStore store, long delayNanos, Counts counts) {
    this.delayNanos = delayNanos;
    this.counts = counts;
    entries =
        store.openMap(
            "waiting",
            new MVMap.Builder<Place, Entry>()
                .keyType(StoredType.PLACE)
                .valueType(StoredType.ENTRY));
    hosts =
        store.openMap(
            "hosts",
            new MVMap.Builder<String, Host>().keyType(StoredType.TEXT).valueType(StoredType.HOST));
    turns =
        store.openMap(
            "turns",
            new MVMap.Builder<Turn, String>().keyType(StoredType.TURN).valueType(StoredType.TEXT));
  }

  @Override
  public void add(Entry entry, boolean isNew, long nowNanos) {
    entries.put(new Place(entry.host(), entry.sequence()), entry);
    Host host = host(entry.host());
    Host more = (isNew ? host.withOneMore() : host).withWaiting(host.waiting() + 1);
    // a host that begins to wait now comes behind those that have been due for a while
    update(entry.host(), host, host.hasTurn() ? more : more.notBefore(nowNanos, host.order()));
  }

  @Override
  public Optional<Entry> due(long nowNanos) {
    Turn turn = turns.firstKey();
    boolean waits = turn == null || Math.max(turn.dueNanos(), quietUntilNanos) > nowNanos;
    return waits ? Optional.empty() : first();
  }

  @Override
  public Optional<Entry> first() {
    Turn turn = turns.firstKey();
    if (turn == null) {
      return Optional.empty();
    }
    String host = requireNonNull(turns.get(turn), "a turn has a host");
    Place place = entries.ceilingKey(new Place(host, 0));
    return Optional.of(requireNonNull(entries.get(place), "a host that has a turn has an entry"));
  }

  @Override
  public OptionalLong firstDueNanos() {
    Turn turn = turns.firstKey();
    return turn == null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(turn.dueNanos(), quietUntilNanos));
  }

  @Override
  public Optional<Entry> remove(String name, long sequence) {
    @Nullable Entry entry = entries.remove(new Place(name, sequence));
    if (entry != null) {
      Host host = host(name);
      update(name, host, host.withWaiting(host.waiting() - 1));
    }
    return Optional.ofNullable(entry);
  }

  @Override
  public void begin(String name) {
    Host host = host(name);
    update(name, host, host.withBusy(true));
  }

  @Override
  public void end(String name, long nowNanos) {
    Host host = host(name);
    update(name, host, host.withBusy(false).notBefore(nowNanos + delayNanos, ++counts.lastTurn));
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
    return entries.sizeAsLong();
  }

  @Override
  public long hosts() {
    return hosts.sizeAsLong();
  }

  private Host host(String name) {
    Host host = hosts.get(name);
    return host != null ? host : UNKNOWN;
  }

  /** Replaces a host's record and moves its turn accordingly. */
  private void update(String name, Host before, Host after) {
    Host changed = after;
    if (!before.hasTurn() && after.hasTurn()) {
      changed = after.withOrder(++counts.lastTurn);
    }
    boolean stays = before.hasTurn() && changed.hasTurn() && before.turn().equals(changed.turn());
    if (before.hasTurn() && !stays) {
      turns.remove(before.turn());
    }
    if (changed.hasTurn() && !stays) {
      turns.put(changed.turn(), name);
    }
    hosts.put(name, changed);
  }

  /** Where an entry lies: behind all of its host with a lower sequence. */
  record Place(String host, long sequence) {}

  /** When a host may be visited, and its place among those that may be then. */
  record Turn(long dueNanos, long order) {}

  /**
   * What is known of a host.
   *
   * @param accepted entries that were ever accepted
   * @param waiting entries that wait
   * @param dueNanos when it may be visited next
   * @param order its place among hosts that are due together
   * @param busy whether it is being visited
   */
  record Host(long accepted, long waiting, long dueNanos, long order, boolean busy) {

    boolean hasTurn() {
      return waiting > 0 && !busy;
    }

    Turn turn() {
      return new Turn(dueNanos, order);
    }

    Host withOneMore() {
      return new Host(accepted + 1, waiting, dueNanos, order, busy);
    }

    Host withWaiting(long newWaiting) {
      return new Host(accepted, newWaiting, dueNanos, order, busy);
    }

    Host withBusy(boolean newBusy) {
      return new Host(accepted, waiting, dueNanos, order, newBusy);
    }

    Host withOrder(long newOrder) {
      return new Host(accepted, waiting, dueNanos, newOrder, busy);
    }

    Host notBefore(long nanos, long newOrder) {
      return new Host(accepted, waiting, Math.max(dueNanos, nanos), newOrder, busy);
    }
  }
}
