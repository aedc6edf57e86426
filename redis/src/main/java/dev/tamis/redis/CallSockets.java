package dev.tamis.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.SSLSocketWrapper;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens connections for Jedis with one deadline for everything that a call does: the timeouts of
 * Jedis and of TLS apply to each read, so a server that sends a byte now and then never meets them.
 */
final class CallSockets {

  /** Bytes that the buffers of two machines take, so that writing them does not block. */
  private static final int NEVER_BLOCKING = 1 << 15;

  private final Duration timeout;
  private final ThreadLocal<@Nullable Long> deadline = new ThreadLocal<>();

  CallSockets(Duration timeout) {
    this.timeout = timeout;
  }

  /** Starts a call of this thread. */
  void begin() {
    deadline.set(System.nanoTime() + timeout.toNanos());
  }

  void end() {
    deadline.remove();
  }

  long nanosLeft() {
    Long end = deadline.get(); // null when a pool closes connections between calls
    return end == null ? timeout.toNanos() : end - System.nanoTime();
  }

  private int millisLeft() throws SocketTimeoutException {
    long left = nanosLeft();
    if (left <= 0) {
      throw new SocketTimeoutException("within " + timeout.toMillis() + " ms");
    }
    return (int) Math.min(Integer.MAX_VALUE, NANOSECONDS.toMillis(left) + 1);
  }

  /** Runs a task of Jedis over its own sockets, and leaves it to itself when the call ends. */
  <T> T within(Callable<T> task) {
    FutureTask<T> result = new FutureTask<>(task);
    Thread thread = new Thread(result, "tamis-redis-cluster");
    thread.setDaemon(true);
    thread.start();
    try {
      return result.get(Math.max(0, nanosLeft()), NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException known
          ? known
          : new JedisConnectionException("the reply is not one of a Redis server", e.getCause());
    } catch (TimeoutException e) {
      throw new JedisConnectionException("within " + timeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JedisConnectionException("interrupted", e);
    }
  }

  /** Returns the factory of the connections to one server. */
  JedisSocketFactory to(HostAndPort server, boolean isTls) {
    return () -> {
      JedisConnectionException failure =
          new JedisConnectionException("Failed to connect to " + server + ".");
      try {
        InetAddress[] addresses = InetAddress.getAllByName(server.getHost());
        for (int i = 0; i < addresses.length; i++) {
          try {
            InetSocketAddress address = new InetSocketAddress(addresses[i], server.getPort());
            return open(address, millisLeft() / (addresses.length - i), isTls ? server : null);
          } catch (IOException e) {
            failure.addSuppressed(e);
          }
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    };
  }

  private Socket open(InetSocketAddress address, int millis, @Nullable HostAndPort tlsName)
      throws IOException {
    CallSocket socket = new CallSocket(tlsName == null);
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.setSoLinger(true, 0); // so that closing never waits
      socket.connect(address, Math.max(1, millis));
      return tlsName == null ? socket : new TlsSocket(tls(socket, tlsName), socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static SSLSocket tls(Socket socket, HostAndPort server) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket tls =
        (SSLSocket) factory.createSocket(socket, server.getHost(), server.getPort(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must name the host
    tls.setSSLParameters(parameters);
    return tls;
  }

  private static InputStream bounded(InputStream in) {
    ReplyBounds bounds = new ReplyBounds();
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        if (count > 0) {
          bounds.check(ByteBuffer.wrap(bytes, offset, count));
        }
        return count;
      }
    };
  }

  /** A TLS socket over a {@link CallSocket}. */
  private static final class TlsSocket extends SSLSocketWrapper {

    TlsSocket(SSLSocket tls, Socket underlying) throws IOException {
      super(tls, underlying);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return bounded(super.getInputStream());
    }
  }

  /** A socket whose reads and writes end at the deadline of the thread's call. */
  private final class CallSocket extends Socket {

    private final boolean hasReplies;
    private int unanswered; // bytes written since the last read

    CallSocket(boolean hasReplies) {
      this.hasReplies = hasReplies;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      InputStream in =
          new FilterInputStream(super.getInputStream()) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
              setSoTimeout(millisLeft());
              unanswered = 0;
              return super.read(bytes, offset, length);
            }
          };
      return hasReplies ? bounded(in) : in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          int millis = millisLeft();
          unanswered += length;
          if (unanswered <= NEVER_BLOCKING) {
            out.write(bytes, offset, length);
          } else {
            writeWithin(millis, bytes, offset, length);
          }
        }

        /** Closes the socket when it is time, since writes have no timeout. */
        private void writeWithin(int millis, byte[] bytes, int offset, int length)
            throws IOException {
          CompletableFuture<Void> written = new CompletableFuture<>();
          CompletableFuture<Void> unused =
              written.orTimeout(millis, MILLISECONDS).whenComplete((done, late) -> closeIf(late));
          try {
            out.write(bytes, offset, length);
          } finally {
            written.complete(null);
          }
        }
      };
    }

    private void closeIf(@Nullable Throwable late) {
      try {
        if (late != null) {
          close();
        }
      } catch (IOException e) {
        late.addSuppressed(e);
      }
    }
  }
}
