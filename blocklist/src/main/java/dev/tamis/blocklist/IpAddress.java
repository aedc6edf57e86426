package dev.tamis.blocklist;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address. What IPv6 maps of IPv4, {@code ::ffff:192.0.2.1}, is the IPv4 address.
 *
 * @param isV6 whether it has 128 bits, and not 32
 * @param high the upper 64 bits of IPv6, 0 for IPv4
 * @param low the lower 64 bits of IPv6, or the 32 bits of IPv4
 */
record IpAddress(boolean isV6, long high, long low) {

  static final int V4_BITS = 32;
  static final int V6_BITS = 128;

  /** How many bits of a mapped address precede those of IPv4. */
  static final int MAPPED_BITS = V6_BITS - V4_BITS;

  private static final long GROUP_MASK = 0xFFFFL;
  private static final int GROUPS = 8;
  private static final int GROUP_BITS = 16;
  private static final int HEX = 16;
  private static final int MAX_GROUP_DIGITS = 4;

  /** Four decimal numbers without leading zeros, which some programs read as octal. */
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");

  /** Reads an address, empty if it is none in the usual notations of RFC 4291. */
  static Optional<IpAddress> parse(String text) {
    return parseAsWritten(text).map(IpAddress::unmapped);
  }

  /** Reads an address, and leaves a mapped one as it is. */
  static Optional<IpAddress> parseAsWritten(String text) {
    if (text.indexOf(':') >= 0) {
      return ofV6(text);
    }
    return isV4(text) ? Optional.of(ofV4(text)) : Optional.empty();
  }

  /** Returns whether a text is an IPv4 address of four decimal numbers. */
  static boolean isV4(String text) {
    return !text.isEmpty() && text.charAt(text.length() - 1) <= '9' && V4.matcher(text).matches();
  }

  private static IpAddress ofV4(String text) {
    long bits = 0;
    for (int start = 0, end; start <= text.length(); start = end + 1) {
      end = text.indexOf('.', start);
      end = end < 0 ? text.length() : end;
      bits = (bits << Byte.SIZE) | Integer.parseInt(text, start, end, 10);
    }
    return new IpAddress(false, 0, bits);
  }

  private static Optional<IpAddress> ofV6(String text) {
    int lastColon = text.lastIndexOf(':');
    String last = text.substring(lastColon + 1);
    if (last.indexOf('.') >= 0) {
      return isV4(last)
          ? ofV6(text.substring(0, lastColon + 1) + hexGroups(ofV4(last).low))
          : Optional.empty();
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return ofGroups(text, "", GROUPS, GROUPS);
    }
    return ofGroups(text.substring(0, gap), text.substring(gap + 2), 0, GROUPS - 1);
  }

  private static String hexGroups(long v4) {
    return Long.toHexString(v4 >>> GROUP_BITS) + ":" + Long.toHexString(v4 & GROUP_MASK);
  }

  /** Reads the groups before and after a gap, so many of them in all. */
  private static Optional<IpAddress> ofGroups(String left, String right, int least, int most) {
    String[] before = left.isEmpty() ? new String[0] : left.split(":", -1);
    String[] after = right.isEmpty() ? new String[0] : right.split(":", -1);
    int count = before.length + after.length;
    if (count < least || count > most) {
      return Optional.empty();
    }
    long[] halves = new long[2];
    for (int i = 0; i < count; i++) {
      String group = i < before.length ? before[i] : after[i - before.length];
      if (!isGroup(group)) {
        return Optional.empty();
      }
      int place = i < before.length ? i : GROUPS - count + i;
      int half = place / (GROUPS / 2);
      int shift = (GROUPS / 2 - 1 - place % (GROUPS / 2)) * GROUP_BITS;
      halves[half] |= Long.parseLong(group, HEX) << shift;
    }
    return Optional.of(new IpAddress(true, halves[0], halves[1]));
  }

  private static boolean isGroup(String group) {
    return !group.isEmpty()
        && group.length() <= MAX_GROUP_DIGITS
        && group.chars().allMatch(c -> c < 0x80 && Character.digit(c, HEX) >= 0);
  }

  private IpAddress unmapped() {
    return isMapped() ? new IpAddress(false, 0, low & 0xFFFF_FFFFL) : this;
  }

  /** Returns whether this is IPv6 that stands for IPv4. */
  boolean isMapped() {
    return isV6 && high == 0 && low >>> V4_BITS == GROUP_MASK;
  }

  /** Returns how many bits it has. */
  int bits() {
    return isV6 ? V6_BITS : V4_BITS;
  }

  /** Returns the address with zeros in place of all but its first {@code prefixBits}. */
  IpAddress masked(int prefixBits) {
    return isV6
        ? new IpAddress(
            true, high & mask(prefixBits), low & mask(Math.max(0, prefixBits - Long.SIZE)))
        : new IpAddress(false, 0, low & mask(prefixBits + V4_BITS));
  }

  private static long mask(int ones) {
    return ones == 0 ? 0 : ones >= Long.SIZE ? -1 : -1L << (Long.SIZE - ones);
  }

  /** Returns the address as RFC 5952 has it, without brackets. */
  @Override
  public String toString() {
    return isV6 ? v6Text() : v4Text();
  }

  private String v4Text() {
    return (low >>> 24)
        + "."
        + ((low >>> 16) & 0xFF)
        + "."
        + ((low >>> 8) & 0xFF)
        + "."
        + (low & 0xFF);
  }

  private String v6Text() {
    int gapStart = -1;
    int gapLength = 1; // of a single zero no gap is made
    for (int i = 0; i < GROUPS; i++) {
      int length = 0;
      while (i + length < GROUPS && group(i + length) == 0) {
        length++;
      }
      if (length > gapLength) {
        gapStart = i;
        gapLength = length;
      }
      i += length;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
      } else {
        text.append(i == 0 || (gapStart >= 0 && i == gapStart + gapLength) ? "" : ":")
            .append(Long.toHexString(group(i)));
      }
    }
    return text.toString();
  }

  private long group(int place) {
    long half = place < GROUPS / 2 ? high : low;
    return (half >>> ((GROUPS / 2 - 1 - place % (GROUPS / 2)) * GROUP_BITS)) & GROUP_MASK;
  }
}
