package dev.tamis.crawler.crawl;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A block of IP addresses: those that begin with the same bits. */
record AddressBlock(InetAddress start, int bits) {

  /** Returns the block in the notation {@code address/bits}. */
  static AddressBlock of(String block) {
    int slash = block.indexOf('/');
    try {
      return new AddressBlock(
          InetAddress.getByName(block.substring(0, slash)),
          Integer.parseInt(block.substring(slash + 1)));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("block must be address/bits, got " + block, e);
    }
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
