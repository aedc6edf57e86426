package dev.tamis.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;

/** A real Redis server for tests, empty before each of a class that registers it. */
public final class RedisProcess implements AutoCloseable, BeforeEachCallback, AfterAllCallback {

  private final RedisServer server;
  private final int port;

  /** Starts one, with these lines of configuration. */
  public RedisProcess(String... settings) {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      var builder = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"");
      for (String setting : settings) {
        builder.setting(setting);
      }
      server = builder.build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its port on the loopback interface. */
  public int port() {
    return port;
  }

  /** Returns the URL of a filter there. */
  public String url(String name) {
    return "redis://127.0.0.1:" + port + "/" + name;
  }

  /** Sends a command of one word and waits for the reply. */
  public String send(String command) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(
          socket.getInputStream().readNBytes("+OK".length()), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    send("FLUSHALL"); // which one with a password refuses
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
