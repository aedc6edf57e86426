package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tamis.format.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the filters on a server, or on all masters of a cluster, without {@code KEYS}.
 *
 * <p>{@code SCAN} reads the names of all keys, a thousand at a time, so that other clients are
 * served in between. It takes time in proportion to all keys of the server, not only to filters.
 */
public final class RedisFilterList {

  private static final byte[] KEYS_AT_ONCE = CommandTokens.of(1_000);

  private RedisFilterList() {}

  /**
   * A filter, by the header of its first shard.
   *
   * @param name by which the filter is opened
   * @param kind {@link Kind#BLOOM}, or {@link Kind#WINDOWED_BLOOM} for a {@link
   *     RedisWindowedBloomFilter}
   * @param expectedKeys the distinct keys it was sized for
   * @param fpp the fpp it was sized for
   * @param bits of all generations
   * @param shards how many strings it consists of
   */
  public record Found(
      String name, Kind kind, long expectedKeys, double fpp, long bits, int shards) {}

  /**
   * Returns the names of all plain filters and windows whose first shard has a valid header, sorted
   * by name. Those that are created or deleted meanwhile may be missing.
   *
   * @param link to a server; for a cluster, one that follows its redirections
   * @throws RedisUnavailableException if a server does not reply
   * @throws RedisRefusedException if it refuses, for example because {@code SCAN} is not permitted
   */
  public static List<Found> of(RedisLink link) {
    Server server = new Server(requireNonNull(link, "link"));
    List<Found> found = new ArrayList<>();
    for (byte[] routingKey : routingKeys(server)) {
      for (String key : firstShards(server, routingKey)) {
        found(server, key).ifPresent(found::add);
      }
    }
    found.sort(Comparator.comparing(Found::name).thenComparing(Found::kind));
    return List.copyOf(found);
  }

  /** Returns a key of each master of a cluster, by which commands are sent there. */
  private static List<byte[]> routingKeys(Server server) {
    Command nodes = Command.read("CLUSTER", CommandTokens.ZERO, CommandTokens.of("NODES"));
    Reply reply = server.send(List.of(nodes)).get(0);
    if (reply instanceof Reply.Refusal) {
      return List.of(CommandTokens.ZERO); // it is no cluster, or the link does not need to know
    }
    List<byte[]> keys = new ArrayList<>();
    for (String node : new String(Server.bytes(nodes, reply), UTF_8).split("\n", -1)) {
      ClusterSlot.firstOfMaster(node).ifPresent(slot -> keys.add(ClusterSlot.keyIn(slot)));
    }
    if (keys.isEmpty()) {
      throw Server.unexpected(nodes, "masters with slots", reply);
    }
    return keys;
  }

  /** Returns the keys on one server that are named as first shards are. */
  private static Set<String> firstShards(Server server, byte[] routingKey) {
    Set<String> keys = new LinkedHashSet<>();
    byte[] cursor = CommandTokens.ZERO;
    do {
      Command scan =
          Command.read(
              "SCAN",
              routingKey,
              cursor,
              CommandTokens.of("MATCH"),
              CommandTokens.of("*:{*#0}"),
              CommandTokens.of("COUNT"),
              KEYS_AT_ONCE);
      List<byte[]> page = Server.strings(scan, server.send(List.of(scan)).get(0));
      cursor = page.get(0);
      for (byte[] key : page.subList(1, page.size())) {
        keys.add(new String(key, UTF_8));
      }
    } while (!new String(cursor, UTF_8).equals("0"));
    return keys;
  }

  /** Returns the filter whose first shard is under a key, if it is one. */
  private static Optional<Found> found(Server server, String key) {
    int brace = key.indexOf(":{");
    String stored = key.substring(0, Math.max(0, brace));
    if (brace <= 0 || !Shards.keyOf(stored, 0).equals(key)) {
      return Optional.empty();
    }
    try {
      Header header = Header.parse(new ShardStore(server, stored).firstHeader(), key);
      boolean isWindow = header.rotation() != null;
      if (isWindow && !stored.endsWith(ShardStore.WINDOW)) {
        return Optional.empty(); // renamed by another program: it cannot be opened
      }
      return Optional.of(
          new Found(
              isWindow ? stored.substring(0, stored.length() - ShardStore.WINDOW.length()) : stored,
              isWindow ? Kind.WINDOWED_BLOOM : Kind.BLOOM,
              header.sizing().expectedKeys(),
              header.sizing().fpp(),
              header.sizing().shape().bits() * header.arrays(),
              header.shards()));
    } catch (FilterLostException | FilterMismatchException e) {
      return Optional.empty(); // lost, or of another program
    } catch (RedisRefusedException e) {
      if (e.getMessage() != null && e.getMessage().contains("WRONGTYPE")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The cluster slot of a key: its CRC-16/XMODEM, mod 16,384. */
  static final class ClusterSlot {

    static final int SLOTS = 16_384;

    private static final int POLYNOMIAL = 0x1021;

    /** A line of {@code CLUSTER NODES}: ID, address, flags, master, times, state, first slots. */
    private static final Pattern MASTER =
        Pattern.compile(
            "\\S+ \\S+ (?:\\S+,)?master(?:,\\S+)? \\S+ \\S+ \\S+ \\S+ \\S+ (\\d{1,5}).*");

    private ClusterSlot() {}

    /** Returns the slot of a key without braces. */
    static int of(byte[] key) {
      int crc = 0;
      for (byte next : key) {
        crc ^= (next & 0xff) << Byte.SIZE;
        for (int i = 0; i < Byte.SIZE; i++) {
          crc = (crc & 0x8000) != 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
        }
      }
      return (crc & 0xffff) % SLOTS;
    }

    static byte[] keyIn(int slot) {
      for (long i = 0; ; i++) { // some 16,384 of them, and 16 times as many at most
        byte[] key = CommandTokens.of(i);
        if (of(key) == slot) {
          return key;
        }
      }
    }

    /**
     * Returns the first slot of a master; empty for other nodes, and for a master without slots.
     */
    static OptionalInt firstOfMaster(String node) {
      Matcher matcher = MASTER.matcher(node.strip());
      int slot = matcher.matches() ? Integer.parseInt(matcher.group(1)) : SLOTS;
      return slot < SLOTS ? OptionalInt.of(slot) : OptionalInt.empty();
    }
  }
}
