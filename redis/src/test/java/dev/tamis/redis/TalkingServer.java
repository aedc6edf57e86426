package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** A program that replies the same to whatever it is sent, once a connection is set up. */
final class TalkingServer implements AutoCloseable {

  private final ServerSocket listening;
  private final String reply;

  TalkingServer(String reply) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.reply = reply;
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "talking server");
    thread.setDaemon(true);
    thread.start();
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + listening.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        start(() -> talk(client));
      }
    } catch (IOException e) {
      // the end of the test
    }
  }

  private void talk(Socket client) {
    byte[] buffer = new byte[1 << 16];
    try (client) {
      InputStream in = client.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        String request = new String(buffer, 0, count, ISO_8859_1);
        String answer = request.contains("GETRANGE") ? reply : handshake(request);
        client.getOutputStream().write(answer.getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      // the end of the connection
    }
  }

  /** Returns what a server of an older version replies to a client that introduces itself. */
  private static String handshake(String request) {
    int commands = request.split("\\*\\d+\r\n\\$", -1).length - 1;
    return request.contains("PING")
        ? "+PONG\r\n".repeat(commands)
        : "-ERR unknown command\r\n".repeat(commands);
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
