package dev.tamis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A web server on the loopback interface. */
public final class Site implements AutoCloseable {

  static {
    // the head and the body of an answer are two packets, and the second would wait for 40 ms
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /**
   * What it answers.
   *
   * @param type the Content-Type, or empty for none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Answer(int status, String type, byte[] body) {

    /** Returns a page of HTML. */
    public static Answer html(int status, String text) {
      return new Answer(status, "text/html", text.getBytes(UTF_8));
    }
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  /** Starts one that answers by the path and the query of a request. */
  public Site(Function<String, Answer> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          Answer answer = answers.apply(exchange.getRequestURI().toString());
          if (!answer.type().isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", answer.type());
          }
          int length = answer.body().length;
          exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
          exchange.getResponseBody().write(answer.body());
          exchange.close();
        });
    server.start();
  }

  /** Returns its port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Returns the URL of a path on it. */
  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
