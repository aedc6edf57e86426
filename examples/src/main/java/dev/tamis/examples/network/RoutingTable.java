package dev.tamis.examples.network;

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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Query routing (row B7): finds the links of a node that may lead to a key, nearest first.
 *
 * <p>Each link has one filter per distance (attenuated filters): the neighbour's keys, those of its
 * neighbours, and so on. A node advertises over a link its own keys at distance 1 and, one hop
 * farther, the union of what the other links advertised (split horizon). Every node needs the same
 * settings, with room for the keys of all nodes at one distance.
 *
 * <p>An update is the whole table as bytes, so a lost one is repaired by the next. Bytes of another
 * size, hash or format are rejected and change nothing. Until an update arrives, keys that moved
 * are missed, whatever the fpp. Neighbours are trusted. Thread-safe behind one lock.
 *
 * @see <a href="https://doi.org/10.1109/INFCOM.2002.1019375">Rhea, Kubiatowicz 2002, Probabilistic
 *     location and routing</a>
 */
final class RoutingTable<L, T> {

  /**
   * A link worth querying.
   *
   * @param hops the smallest distance, at least 1, at which the key may be
   */
  record Route<L>(L link, int hops) {}

  /** The filters learned over a link, nearest hop first, and the bytes last sent over it. */
  private static final class Neighbour<T> {
    List<BloomFilter<T>> learned = List.of();
    byte[] sent = {};
  }

  private final KeyHasher<? super T> hasher;
  private final int hops;
  private final CountingBloomFilter<T> local;
  private final BloomFilter<T> nothing;
  private final Map<L, Neighbour<T>> neighbours = new LinkedHashMap<>();

  /** Creates a table; {@code expectedKeys} and {@code fpp} are those of each filter. */
  RoutingTable(KeyHasher<? super T> hasher, int hops, long expectedKeys, double fpp) {
    this.hasher = hasher;
    this.hops = hops;
    this.local = CountingBloomFilter.create(hasher, expectedKeys, fpp);
    this.nothing = local.toBloomFilter();
  }

  /** Adds a link; forgets what was learned over it before. */
  synchronized void connect(L link) {
    neighbours.put(link, new Neighbour<>());
  }

  synchronized void disconnect(L link) {
    neighbours.remove(link);
  }

  /** Records that this node has {@code key}. */
  synchronized void publish(T key) {
    boolean unused = local.put(key);
  }

  /** Reverts one {@link #publish}. */
  synchronized void withdraw(T key) {
    boolean unused = local.remove(key);
  }

  /** Returns the links that may lead to {@code key}, nearest first, then as connected. */
  synchronized List<Route<L>> linksFor(T key) {
    List<Route<L>> routes = new ArrayList<>();
    neighbours.forEach(
        (link, neighbour) -> {
          for (int i = 0; i < neighbour.learned.size(); i++) {
            if (neighbour.learned.get(i).mightContain(key)) {
              routes.add(new Route<>(link, i + 1));
              break;
            }
          }
        });
    routes.sort(Comparator.comparingInt(Route::hops));
    return routes;
  }

  /** Returns the table to send over {@code link}; empty if it is the one last returned. */
  synchronized Optional<byte[]> updateFor(L link) {
    Neighbour<T> neighbour = neighbour(link);
    byte[] update = advertised(neighbour);
    if (Arrays.equals(update, neighbour.sent)) {
      return Optional.empty();
    }
    neighbour.sent = update;
    return Optional.of(update);
  }

  /**
   * Learns the table that a neighbour sent.
   *
   * @param update untrusted bytes
   * @throws FormatException if they are not such a table; nothing has changed then
   */
  synchronized void receive(L link, byte[] update) throws FormatException {
    Neighbour<T> neighbour = neighbour(link);
    long bytes = hops * nothing.serializedSize();
    if (update.length != bytes) {
      throw new FormatException("routing table", 0, "bytes", bytes, update.length);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(update);
    List<BloomFilter<T>> learned = new ArrayList<>();
    try {
      for (int hop = 0; hop < hops; hop++) {
        BloomFilter<T> filter = BloomFilter.readFrom(in, hasher, update.length);
        Optional<String> difference = nothing.incompatibility(filter);
        if (difference.isPresent()) {
          throw new FormatException("routing table", 0, "parameters", difference.get());
        }
        learned.add(filter);
      }
    } catch (FormatException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    neighbour.learned = learned;
  }

  private byte[] advertised(Neighbour<T> to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      local.toBloomFilter().writeTo(out);
      for (int hop = 1; hop < hops; hop++) {
        BloomFilter<T> union = nothing.copy();
        for (Neighbour<T> from : neighbours.values()) {
          if (from != to && !from.learned.isEmpty()) {
            union.putAll(from.learned.get(hop - 1));
          }
        }
        union.writeTo(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    return out.toByteArray();
  }

  int hops() {
    return hops;
  }

  private Neighbour<T> neighbour(L link) {
    Neighbour<T> neighbour = neighbours.get(link);
    if (neighbour == null) {
      throw new IllegalArgumentException("no such link: " + link + "; connect it first");
    }
    return neighbour;
  }
}
