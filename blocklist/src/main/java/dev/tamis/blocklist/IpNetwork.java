package dev.tamis.blocklist;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network of IP addresses in CIDR notation, such as {@code 192.0.2.0/24}.
 *
 * @param address the first address
 * @param prefixBits how many bits of it all addresses of the network have
 */
record IpNetwork(IpAddress address, int prefixBits) {

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
  static IpNetwork parse(String text) {
    Matcher cidr = CIDR.matcher(text);
    Optional<IpAddress> written = written(cidr);
    if (written.isEmpty()) {
      throw refused(text, "a network such as 192.0.2.0/24 or 2001:db8::/32");
    }
    IpAddress address = written.get();
    String digits = cidr.group(PREFIX_GROUP);
    int maxBits = text.indexOf(':') < 0 ? IpAddress.V4_BITS : IpAddress.V6_BITS;
    int mappedBits = maxBits - address.bits();
    int prefixBits = Integer.parseInt(digits) - mappedBits;
    if (prefixBits < 0
        || prefixBits > address.bits()
        || (digits.length() > 1 && digits.startsWith("0"))) {
      throw refused(
          text, "a prefix length of " + mappedBits + " to " + maxBits + " without leading zeros");
    }
    IpNetwork network = new IpNetwork(address.masked(prefixBits), prefixBits);
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
