package dev.tamis.redis;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The slots of a cluster, of which each key has one: the CRC-16/XMODEM of the key, mod 16,384. */
final class ClusterSlot {

  static final int SLOTS = 16_384;

  private static final int POLYNOMIAL = 0x1021;

  /** A line of {@code CLUSTER NODES}: ID, address, flags, master, times, state, first slots. */
  private static final Pattern MASTER =
      Pattern.compile("\\S+ \\S+ (?:\\S+,)?master(?:,\\S+)? \\S+ \\S+ \\S+ \\S+ \\S+ (\\d{1,5}).*");

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

  /** Returns a key in a slot. */
  static byte[] keyIn(int slot) {
    for (long i = 0; ; i++) { // some 16,384 of them, and 16 times as many at most
      byte[] key = CommandTokens.of(i);
      if (of(key) == slot) {
        return key;
      }
    }
  }

  /** Returns the first slot of a master; empty for other nodes, and for a master without slots. */
  static OptionalInt firstOfMaster(String node) {
    Matcher matcher = MASTER.matcher(node.strip());
    int slot = matcher.matches() ? Integer.parseInt(matcher.group(1)) : SLOTS;
    return slot < SLOTS ? OptionalInt.of(slot) : OptionalInt.empty();
  }
}
