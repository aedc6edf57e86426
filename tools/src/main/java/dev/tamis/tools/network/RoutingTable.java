package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says which links of a node are worth asking for a key, nearest first.
 *
 * <p>Choose it where nodes hold keys that come and go slowly, and queries would else flood every
 * link. Not where keys change faster than updates travel: what a table does not know yet is a false
 * miss, which no fpp bounds; {@link #guesses} counts them.
 *
 * <pre>{@code
 * RoutingTable<String, String> table =
 *     RoutingTable.<String, String>builder(KeyHasher.text())
 *         .expectedKeys(50_000).fpp(0.01).hops(2).build();
 * table.connect("north");
 * table.publish("song.ogg");
 * table.updateFor("north").ifPresent(bytes -> send("north", bytes)); // now and then
 * table.receive("north", bytesFromNorth);
 * for (Route<String> route : table.linksFor("other.ogg")) {
 *   ask(route.link());
 * }
 * }</pre>
 *
 * <p><b>Attenuated filters.</b> Each link has a filter for each distance, 1 to {@code hops}: the
 * neighbour's keys, those of its neighbours, and so on. What is told onward over a link is this
 * node's keys at distance 1 and the union of what the other links taught, one further away. What
 * one link taught is never told back to it (split horizon); round a cycle it may still return, at
 * its longer distance, as filters do not say whose a key is. All nodes need the same settings; far
 * filters hold the keys of many nodes, and expectedKeys must allow for them.
 *
 * <p><b>Updates</b> are bytes for a transport that keeps their order: a reset with the whole table
 * first, then patches with the words that changed. Updates are numbered and a patch carries the
 * checksum of the table it makes, so a lost one is noticed and {@link Receipt#RESET_NEEDED}. Bytes
 * that are no update are refused and change nothing. Who sends them is believed: a neighbour that
 * claims every key gets every query, which {@link #guesses(Object)} shows.
 *
 * <p>Safe for any number of threads, one after the other behind one lock. Memory for each link is
 * twice the filters: as taught, and as sent.
 *
 * @param <L> the type of a link's identity, with equals and hashCode
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1109/INFCOM.2002.1019375">Rhea, Kubiatowicz 2002, Probabilistic
 *     location and routing</a>
 */
public final class RoutingTable<L, T> {

  private final KeyHasher<? super T> hasher;
  private final int hops;
  private final CountingBloomFilter<T> local;
  private final BloomFilter<T> nothing;
  private final Map<L, Neighbour<T>> neighbours = new LinkedHashMap<>();

  RoutingTable(KeyHasher<? super T> hasher, CountingBloomFilter<T> local, int hops) {
    this.hasher = hasher;
    this.hops = hops;
    this.local = local;
    this.nothing = local.toBloomFilter();
  }

  /** Starts a table of keys that {@code hasher} tells apart. */
  public static <L, T> RoutingTableBuilder<L, T> builder(KeyHasher<? super T> hasher) {
    return new RoutingTableBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Adds a link, over which nothing has passed; starts it anew if it is there. */
  public synchronized void connect(L link) {
    neighbours.put(requireNonNull(link, "link"), new Neighbour<>());
  }

  /** Forgets a link and what it taught; returns whether it was there. */
  public synchronized boolean disconnect(L link) {
    return neighbours.remove(link) != null;
  }

  /** Notes that this node has {@code key}; once more, if it has it already. */
  public synchronized void publish(T key) {
    boolean unused = local.put(key);
  }

  /**
   * Notes that this node has {@code key} no more, once for each time it was published.
   *
   * @return false if it was certainly never published
   */
  public synchronized boolean withdraw(T key) {
    return local.remove(key);
  }

  /** Returns the links that may lead to {@code key}, nearest first, else as connected. */
  public synchronized List<Route<L>> linksFor(T key) {
    long hash = local.hashOf(key);
    List<Route<L>> routes = new ArrayList<>();
    neighbours.forEach(
        (link, neighbour) -> {
          for (int i = 0; i < neighbour.taught.size(); i++) {
            if (neighbour.taught.get(i).mightContainHash(hash)) {
              routes.add(new Route<>(link, i + 1));
              break;
            }
          }
        });
    routes.sort(Comparator.comparingInt(Route::hops)); // stable, so links stay in their order
    return routes;
  }

  /**
   * Returns the bytes that bring the neighbour up to date: a reset at first and where a patch would
   * be longer, a patch else; nothing if nothing changed. They must be sent, or asked for again by
   * {@link #resetFor}.
   */
  public synchronized Optional<byte[]> updateFor(L link) {
    Neighbour<T> neighbour = neighbour(link);
    List<byte[]> frames = frames(advertised(neighbour));
    if (neighbour.sent.isEmpty()) {
      return Optional.of(reset(neighbour, frames));
    }
    if (same(frames, neighbour.sent)) {
      return Optional.empty();
    }
    byte[] patch = TableUpdate.patch(neighbour.sentSequence + 1, neighbour.sent, frames);
    if (patch.length > hops * frames.get(0).length) {
      return Optional.of(reset(neighbour, frames));
    }
    neighbour.sent = frames;
    neighbour.sentSequence++;
    return Optional.of(patch);
  }

  /** Returns the bytes of the whole table, for a neighbour that asked for it. */
  public synchronized byte[] resetFor(L link) {
    Neighbour<T> neighbour = neighbour(link);
    return reset(neighbour, frames(advertised(neighbour)));
  }

  private static byte[] reset(Neighbour<?> neighbour, List<byte[]> frames) {
    neighbour.sent = frames;
    return TableUpdate.reset(++neighbour.sentSequence, frames);
  }

  /**
   * Takes an update that came over a link.
   *
   * @param update the bytes, from outside and not trusted
   * @throws FormatException if they are not an update of such a table; nothing has changed then
   */
  public synchronized Receipt receive(L link, byte[] update) throws FormatException {
    Neighbour<T> neighbour = neighbour(link);
    TableUpdate read = TableUpdate.read(update, hops, frameBytes());
    return switch (read.kind()) {
      case RESET -> {
        neighbour.taught = filters(read.frames(hops, frameBytes()));
        neighbour.taughtSequence = read.sequence();
        neighbour.current = true;
        yield Receipt.APPLIED;
      }
      case PATCH -> patch(neighbour, read);
    };
  }

  private Receipt patch(Neighbour<T> neighbour, TableUpdate update) throws FormatException {
    long ahead = update.sequence() - neighbour.taughtSequence;
    if (neighbour.current && ahead <= 0) {
      return Receipt.REPEATED;
    }
    List<byte[]> frames = frames(neighbour.taught);
    if (!neighbour.current || ahead != 1 || !update.patch(frames)) {
      neighbour.current = false;
      return Receipt.RESET_NEEDED;
    }
    neighbour.taught = filters(frames);
    neighbour.taughtSequence = update.sequence();
    return Receipt.APPLIED;
  }

  /** Notes for {@link #guesses} whether a link that was asked led to the key. */
  public synchronized void confirmAsked(L link, boolean hadIt) {
    neighbour(link).guesses.hit(hadIt);
  }

  /** Notes for {@link #guesses} whether a link that was not asked would have led to the key. */
  public synchronized void confirmSkipped(L link, boolean hadIt) {
    neighbour(link).guesses.miss(hadIt);
  }

  /** Returns what was confirmed of one link. */
  public synchronized GuessTable guesses(L link) {
    return neighbour(link).guesses.table();
  }

  /** Returns what was confirmed of all links that are there. A false hit is a wasted query. */
  public synchronized GuessTable guesses() {
    return neighbours.values().stream()
        .map(neighbour -> neighbour.guesses.table())
        .reduce(GuessTable.EMPTY, GuessTable::plus);
  }

  /** Returns what is known of a link. Costs a pass over its filters. */
  public synchronized LinkState state(L link) {
    return neighbour(link).state();
  }

  /** Returns the links, as connected. */
  public synchronized List<L> links() {
    return List.copyOf(neighbours.keySet());
  }

  /** Returns how far away the keys of the farthest filter are. */
  public int hops() {
    return hops;
  }

  /** What is told to a neighbour: own keys, and what the others taught, one hop further away. */
  private List<BloomFilter<T>> advertised(Neighbour<T> to) {
    List<BloomFilter<T>> table = new ArrayList<>();
    table.add(local.toBloomFilter());
    for (int hop = 1; hop < hops; hop++) {
      BloomFilter<T> union = nothing.copy();
      for (Neighbour<T> from : neighbours.values()) {
        if (from != to && !from.taught.isEmpty()) {
          union.putAll(from.taught.get(hop - 1));
        }
      }
      table.add(union);
    }
    return table;
  }

  private List<BloomFilter<T>> filters(Collection<byte[]> frames) throws FormatException {
    List<BloomFilter<T>> filters = new ArrayList<>();
    for (byte[] frame : frames) {
      try {
        filters.add(filter(frame));
      } catch (FormatException e) {
        throw e.within(
            TableUpdate.WHAT, "filter " + (filters.size() + 1), TableUpdate.HEADER_BYTES);
      }
    }
    return List.copyOf(filters);
  }

  private BloomFilter<T> filter(byte[] frame) throws FormatException {
    BloomFilter<T> filter;
    try {
      filter = BloomFilter.readFrom(new ByteArrayInputStream(frame), hasher, frame.length);
    } catch (FormatException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    Optional<String> difference = nothing.incompatibility(filter);
    if (difference.isPresent()) {
      throw new FormatException("filter", 0, "parameters", difference.get());
    }
    return filter;
  }

  private List<byte[]> frames(List<BloomFilter<T>> filters) {
    List<byte[]> frames = new ArrayList<>();
    for (BloomFilter<T> filter : filters) {
      ByteArrayOutputStream frame = new ByteArrayOutputStream(frameBytes());
      try {
        filter.writeTo(frame);
      } catch (IOException e) {
        throw new UncheckedIOException("an array cannot fail", e);
      }
      frames.add(frame.toByteArray());
    }
    return frames;
  }

  private static boolean same(List<byte[]> frames, List<byte[]> others) {
    for (int i = 0; i < frames.size(); i++) {
      if (!Arrays.equals(frames.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private int frameBytes() {
    return (int) nothing.serializedSize();
  }

  private Neighbour<T> neighbour(L link) {
    Neighbour<T> neighbour = neighbours.get(link);
    if (neighbour == null) {
      throw new IllegalArgumentException("no such link: " + link + "; connect it first");
    }
    return neighbour;
  }
}
