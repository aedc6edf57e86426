package dev.tamis.crawler.crawl;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which addresses a crawl may connect to: public ones, and those that its starts spell out.
 *
 * <p>A start such as {@code http://127.0.0.1/} or {@code http://localhost/} admits that address
 * under that name. Any other name admits nothing, whatever it resolves to.
 */
final class AddressPolicy {

  /*
   * What the registries of special-purpose addresses do not call globally reachable, and multicast
   * [1, 2]. IPv6 outside 2000::/3 is unassigned. An address of NAT64 is as public
   * as the IPv4 address in it, to which the network translates it; IPv4-mapped addresses are IPv4
   * addresses in Java already.
   *
   * [1] https://www.iana.org/assignments/iana-ipv4-special-registry
   * [2] https://www.iana.org/assignments/iana-ipv6-special-registry
   */

  private static final List<Block> NOT_PUBLIC =
      blocks(
          """
          0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 \
          192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 \
          203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20\
          """);

  private static final List<Block> ASSIGNED = blocks("0.0.0.0/0 2000::/3");
  private static final Block NAT64 = Block.of("64:ff9b::/96");
  private static final int IPV4_BYTES = 4;

  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+\\]");
  private static final String LOCALHOST = "localhost";

  private final boolean allowPrivate;
  private final Set<String> spelledOut;

  /** Permits what the URLs of the starts spell out, or all addresses. */
  AddressPolicy(Collection<String> starts, boolean allowPrivate) {
    this.allowPrivate = allowPrivate;
    spelledOut =
        starts.stream()
            .map(start -> URI.create(start).getHost())
            .flatMap(AddressPolicy::spelledOut)
            .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<String> spelledOut(String host) {
    if (LITERAL.matcher(host).matches()) {
      return Stream.of(literal(host).getHostAddress());
    }
    return host.equals(LOCALHOST) ? Stream.of(host) : Stream.empty();
  }

  /** Returns whether a crawl may connect to this address, under the host name that is in it. */
  boolean permits(InetSocketAddress target) {
    InetAddress address = target.getAddress();
    if (allowPrivate || isPublic(address)) {
      return true;
    }
    String host = target.getHostString(); // the address itself if it has no name
    return spelledOut.contains(host)
        && (host.equals(address.getHostAddress()) || address.isLoopbackAddress());
  }

  /** Returns whether an address is globally reachable unicast. */
  static boolean isPublic(InetAddress address) {
    if (NAT64.contains(address)) {
      byte[] bytes = address.getAddress();
      return isPublic(ip(Arrays.copyOfRange(bytes, bytes.length - IPV4_BYTES, bytes.length)));
    }
    return ASSIGNED.stream().anyMatch(block -> block.contains(address))
        && NOT_PUBLIC.stream().noneMatch(block -> block.contains(address));
  }

  private static InetAddress literal(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("host must be an address, got " + host, e);
    }
  }

  private static InetAddress ip(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("an IPv4 address has four bytes", e);
    }
  }

  private static List<Block> blocks(String blocks) {
    return Stream.of(blocks.split(" ", -1)).map(Block::of).toList();
  }

  /** A block of IP addresses: those that begin with the same bits. */
  private record Block(InetAddress start, int bits) {

    /** Returns the block in the notation {@code address/bits}. */
    static Block of(String block) {
      int slash = block.indexOf('/');
      return new Block(
          literal(block.substring(0, slash)), Integer.parseInt(block.substring(slash + 1)));
    }

    boolean contains(InetAddress address) {
      byte[] mine = start.getAddress();
      byte[] other = address.getAddress();
      if (mine.length != other.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> i % Byte.SIZE;
        if (((mine[i / Byte.SIZE] ^ other[i / Byte.SIZE]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }
}
