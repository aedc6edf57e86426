package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrawlSiteTest {

  @TempDir Path folder;

  @Test
  void listsThePagesBelowAUrlAndNothingTheSecondTime() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/docs/",
        exchange -> {
          byte[] page = "<a href=a#top>x</a><a href=b>y</a><a href=/up>z</a>".getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/docs/";
      assertThat(crawl(url).lines())
          .containsExactly(
              "page " + url, "page " + url + "a", "page " + url + "b", "3 pages, 0 still in line");
      assertThat(crawl(url)).isEqualToIgnoringNewLines("3 pages, 0 still in line");
    } finally {
      server.stop(0);
    }
  }

  private String crawl(String url) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    CrawlSite.run(url, folder, Duration.ZERO, new PrintStream(printed, true, UTF_8));
    return printed.toString(UTF_8);
  }
}
