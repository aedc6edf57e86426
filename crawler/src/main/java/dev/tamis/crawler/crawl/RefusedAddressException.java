package dev.tamis.crawler.crawl;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A crawl may not connect to an address. */
final class RefusedAddressException extends IOException {

  private static final long serialVersionUID = 1;

  RefusedAddressException(InetSocketAddress target) {
    super(
        "address "
            + target.getAddress().getHostAddress()
            + " is not public; allow private addresses to request it");
  }
}
