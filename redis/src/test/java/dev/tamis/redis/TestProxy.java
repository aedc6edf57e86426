package dev.tamis.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy in front of a server, whose connections a test silences. */
final class TestProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final int target;
  private final List<Pipe> pipes = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile long delayMillis;

  TestProxy(TestServer server) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = server.port();
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + listening.getLocalPort());
  }

  /** Returns how many connections there have been. */
  int connections() {
    return accepted.get();
  }

  /** Lets nothing through the connections that there are, in either direction, and closes none. */
  void silenceConnections() {
    pipes.forEach(pipe -> pipe.silent = true);
  }

  /** Closes the connections that there are. */
  void cutConnections() {
    pipes.forEach(Pipe::close);
  }

  /** Delays every reply from now on. */
  void delayReplies(long millis) {
    delayMillis = millis;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        accepted.incrementAndGet();
        Pipe pipe = new Pipe(client, new Socket(InetAddress.getLoopbackAddress(), target));
        pipes.add(pipe);
        start(() -> pipe.copy(client, pipe.server, false));
        start(() -> pipe.copy(pipe.server, client, true));
      }
    } catch (IOException e) {
      pipes.forEach(Pipe::close); // the end of the test
    }
  }

  private final class Pipe {
    private final Socket client;
    private final Socket server;
    private volatile boolean silent;

    Pipe(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void copy(Socket from, Socket to, boolean isReply) {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          Thread.sleep(isReply ? delayMillis : 0);
          if (!silent) {
            out.write(buffer, 0, count);
          }
        }
      } catch (IOException | InterruptedException e) {
        // the end of the connection
      }
      close();
    }

    void close() {
      try {
        client.close();
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    pipes.forEach(Pipe::close);
  }
}
