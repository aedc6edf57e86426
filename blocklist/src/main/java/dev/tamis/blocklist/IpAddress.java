package dev.tamis.blocklist;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
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

  private static final long GROUP_MASK = 0xFFFFL;
  private static final int GROUP_BITS = 16;

  /** Four decimal numbers without leading zeros, which some programs read as octal. */
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");

  /** No zone, and no group of five digits, which the JDK would take. */
  private static final Pattern V6 =
      Pattern.compile("(?:[0-9a-fA-F]{0,4}:){2,8}(?:[0-9a-fA-F]{0,4}|" + V4 + ")");

  /** Two or more groups of zeros. */
  private static final Pattern ZEROS = Pattern.compile("(?::0){2,}");

  /** Parses the notations of RFC 4291; a mapped address is an IPv4 address. */
  static Optional<IpAddress> parse(String text) {
    if (text.indexOf(':') < 0 ? !isV4(text) : !V6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(InetAddress.getByName(text).getAddress());
      return Optional.of(
          bytes.remaining() * Byte.SIZE == V4_BITS
              ? new IpAddress(false, 0, Integer.toUnsignedLong(bytes.getInt()))
              : new IpAddress(true, bytes.getLong(), bytes.getLong()));
    } catch (UnknownHostException e) {
      return Optional.empty(); // too many or too few groups
    }
  }

  /** Returns whether a text is an IPv4 address of four decimal numbers. */
  static boolean isV4(String text) {
    return !text.isEmpty() && text.charAt(text.length() - 1) <= '9' && V4.matcher(text).matches();
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

  private static long mask(int bits) {
    return bits == 0 ? 0 : bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
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
    StringBuilder text = new StringBuilder();
    for (int shift = V6_BITS - GROUP_BITS; shift >= 0; shift -= GROUP_BITS) {
      long group = shift < Long.SIZE ? low >>> shift : high >>> (shift - Long.SIZE);
      text.append(':').append(Long.toHexString(group & GROUP_MASK));
    }
    String gap = "";
    for (Matcher zeros = ZEROS.matcher(text); zeros.find(); ) {
      gap = zeros.group().length() > gap.length() ? zeros.group() : gap;
    }
    if (gap.isEmpty()) {
      return text.substring(1);
    }
    int start = text.indexOf(gap);
    String rest = text.substring(start + gap.length());
    return text.substring(Math.min(1, start), start) + ":" + (rest.isEmpty() ? ":" : rest);
  }

  /**
   * A network of IP addresses in CIDR notation, such as {@code 192.0.2.0/24}.
   *
   * @param address the first address
   * @param prefixBits how many bits of it all addresses of the network have
   */
  record Network(IpAddress address, int prefixBits) {

    private static final Pattern CIDR =
        Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9a-fA-F:.]+))/([0-9]{1,4})");

    private static final int PREFIX_GROUP = 3;

    /** Returns whether a text is meant to be a network, rightly written or not. */
    static boolean isMeant(String text) {
      return written(CIDR.matcher(text)).isPresent();
    }

    /**
     * Reads a network.
     *
     * <p>Bits after the prefix must be zero: of {@code 192.0.2.7/24} it cannot be known whether the
     * address or the length is meant, and the network would block 255 others.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static Network parse(String text) {
      Matcher cidr = CIDR.matcher(text);
      Optional<IpAddress> written = written(cidr);
      if (written.isEmpty()) {
        throw refused(text, "a network such as 192.0.2.0/24 or 2001:db8::/32");
      }
      IpAddress address = written.get();
      String digits = cidr.group(PREFIX_GROUP);
      int maxBits = text.indexOf(':') < 0 ? V4_BITS : V6_BITS;
      int mappedBits = maxBits - address.bits();
      int prefixBits = Integer.parseInt(digits) - mappedBits;
      if (prefixBits < 0
          || prefixBits > address.bits()
          || (digits.length() > 1 && digits.startsWith("0"))) {
        throw refused(
            text, "a prefix length of " + mappedBits + " to " + maxBits + " without leading zeros");
      }
      Network network = new Network(address.masked(prefixBits), prefixBits);
      if (!network.address.equals(address)) {
        throw refused(
            text, "zeros after the prefix: " + network + ", or " + address + " for one address");
      }
      return network;
    }

    private static Optional<IpAddress> written(Matcher cidr) {
      if (!cidr.matches()) {
        return Optional.empty();
      }
      String bracketed = cidr.group(1);
      return IpAddress.parse(bracketed == null ? cidr.group(2) : bracketed);
    }

    private static IllegalArgumentException refused(String text, String expected) {
      return Refusal.of(BadLineReason.NETWORK, text, expected);
    }

    /** Returns whether there is one address in it. */
    boolean isAddress() {
      return prefixBits == address.bits();
    }

    /** Returns the network in CIDR notation. */
    @Override
    public String toString() {
      return address + "/" + prefixBits;
    }
  }
}
