package dev.tamis.crawler.crawl;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Makes sockets that connect to permitted addresses only.
 *
 * <p>The check is at the connection itself: what is checked is what is connected to, however the
 * host was resolved, and however often.
 */
final class CheckedSockets extends SocketFactory {

  private final AddressPolicy policy;

  CheckedSockets(AddressPolicy policy) {
    this.policy = policy;
  }

  @Override
  public Socket createSocket() {
    return new CheckedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(0));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(0));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  private Socket connected(InetSocketAddress target, InetSocketAddress local) throws IOException {
    Socket socket = createSocket();
    try {
      socket.bind(local);
      socket.connect(target);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private final class CheckedSocket extends Socket {
    @Override
    public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
      if (!(endpoint instanceof InetSocketAddress target) || target.isUnresolved()) {
        throw new IOException("address must be resolved, got " + endpoint);
      }
      if (!policy.permits(target)) {
        throw new RefusedException(target);
      }
      super.connect(endpoint, timeoutMillis);
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
      connect(endpoint, 0);
    }
  }

  /** A crawl may not connect to an address. */
  static final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedException(InetSocketAddress target) {
      super(
          "address "
              + target.getAddress().getHostAddress()
              + " is not public; allow private addresses to request it");
    }
  }
}
