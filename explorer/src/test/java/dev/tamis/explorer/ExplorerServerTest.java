package dev.tamis.explorer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplorerServerTest {

  private static final byte[] CONTENT = {0, 1, 2, (byte) 0x89, '\r', '\n'};

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private Path filter;
  private ExplorerServer server;

  @BeforeEach
  void start() throws IOException {
    filter = Files.write(folder.resolve("a b&c=<i>.tamis"), CONTENT);
    server = ExplorerServer.start(filter);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void servesThePageWithItsPolicyOnLoopback() throws Exception {
    HttpResponse<byte[]> response = get("");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(ExplorerPage.load().html());
    assertThat(header(response, "Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'sha256-")
        .doesNotContain("unsafe-inline", "'unsafe-eval'", "http:", "https:", "*")
        .endsWith("; frame-ancestors 'none'");
    assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(response, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(server.url().getHost()).isEqualTo("127.0.0.1");
  }

  @Test
  void servesTheFilterAsBytes() throws Exception {
    HttpResponse<byte[]> response = get("filter");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(CONTENT);
    assertThat(header(response, "Content-Type")).isEqualTo("application/octet-stream");
  }

  @Test
  void namesTheFilterInTheUrlWithoutItsFolder() {
    assertThat(server.url().getRawFragment())
        .isEqualTo("open?served=a+b%26c%3D%3Ci%3E.tamis")
        .doesNotContain(folder.toString());
  }

  @Test
  void hasNoFilterWhereNoneIsGiven() throws Exception {
    try (ExplorerServer alone = ExplorerServer.start()) {
      assertThat(alone.url().getRawFragment()).isNull();
      assertThat(status(alone.url().resolve("filter"), "GET")).isEqualTo(404);
    }
  }

  @Test
  void answersHeadWithoutABody() throws Exception {
    HttpResponse<byte[]> response =
        client.send(request(at("filter"), "HEAD"), BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(header(response, "Content-Length")).isEqualTo(String.valueOf(CONTENT.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"})
  void refusesOtherMethods(String method) throws Exception {
    assertThat(status(at(""), method)).isEqualTo(405);
    assertThat(status(at("filter"), method)).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index.html",
        "filter/",
        "filter/x",
        "./filter",
        "%66ilter",
        "..",
        "../",
        "../filter",
        "%2e%2e/",
        "filter%00",
        "/filter",
        "..%2f..%2fetc%2fpasswd"
      })
  void servesNothingElse(String path) throws Exception {
    String token = at("").getRawPath();
    assertThat(rawStatus("GET " + token + path, host())).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/filter", "//", "/00000000000000000000000000000000/", "/%"})
  void servesNothingWithoutTheToken(String path) throws Exception {
    assertThat(rawStatus("GET " + path, host())).isIn(400, 404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]",
        "127.0.0.1.evil.example"
      })
  void refusesOtherHosts(String host) throws Exception {
    assertThat(rawStatus("GET " + at("").getRawPath(), host)).isEqualTo(403);
    assertThat(rawStatus("GET " + at("filter").getRawPath(), host + ":" + at("").getPort()))
        .isEqualTo(host.equals("127.0.0.1") ? 200 : 403);
  }

  @Test
  void refusesARequestWithoutAHostOrWithTwo() throws Exception {
    String get = "GET " + at("").getRawPath() + " HTTP/1.1\r\n";
    assertThat(raw(get + "Connection: close\r\n\r\n")).isIn(400, 403);
    String hosts = "Host: " + host() + "\r\nHost: evil.example\r\n";
    assertThat(raw(get + hosts + "Connection: close\r\n\r\n")).isEqualTo(403);
  }

  @Test
  @Timeout(60)
  void answersBesideConnectionsThatSendHalfARequest() throws Exception {
    try (ExplorerServer patient = ExplorerServer.open(null, Duration.ofDays(1));
        Stalled stalled = new Stalled(patient.url().getPort(), 32)) {
      assertThat(stalled.sockets).hasSize(32);
      assertThat(status(patient.url(), "GET")).isEqualTo(200);
    }
  }

  /** More than there are threads. */
  @Test
  @Timeout(60)
  void closesConnectionsThatSendHalfARequest() throws Exception {
    try (ExplorerServer hasty = ExplorerServer.open(null, Duration.ofMillis(200));
        Stalled stalled = new Stalled(hasty.url().getPort(), 100)) {
      assertThat(status(hasty.url(), "GET")).isEqualTo(200);
      for (Socket socket : stalled.sockets) {
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  /** Connections on which the first half of a request was sent. */
  private static final class Stalled implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();

    Stalled(int port, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        sockets.add(socket);
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHo".getBytes(US_ASCII));
      }
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void hasAnotherTokenEachTime() throws IOException {
    try (ExplorerServer other = ExplorerServer.start()) {
      assertThat(other.url().getRawPath()).hasSize(34).isNotEqualTo(at("").getRawPath());
    }
  }

  @Test
  void doesNotListenOnOtherAddresses() throws IOException {
    for (InetAddress address : InetAddress.getAllByName(InetAddress.getLocalHost().getHostName())) {
      if (!address.isLoopbackAddress()) {
        int port = at("").getPort();
        assertThat(connects(address, port)).isFalse();
      }
    }
  }

  @Test
  void saysThatAFilterIsGone() throws Exception {
    Files.delete(filter);
    assertThat(get("filter").statusCode()).isEqualTo(404);
  }

  private static boolean connects(InetAddress address, int port) {
    try (Socket socket = new Socket(address, port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private URI at(String resource) {
    URI url = server.url();
    return URI.create("http://" + url.getAuthority() + url.getRawPath() + resource);
  }

  private String host() {
    return server.url().getAuthority();
  }

  private HttpResponse<byte[]> get(String resource) throws Exception {
    return client.send(request(at(resource), "GET"), BodyHandlers.ofByteArray());
  }

  private int status(URI url, String method) throws Exception {
    return client.send(request(url, method), BodyHandlers.discarding()).statusCode();
  }

  private static HttpRequest request(URI url, String method) {
    return HttpRequest.newBuilder(url).method(method, BodyPublishers.noBody()).build();
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Sends a request that no client would normalise first. */
  private int rawStatus(String methodAndPath, String host) throws IOException {
    return raw(methodAndPath + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  private int raw(String request) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), at("").getPort())) {
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return Integer.parseInt(answer.split(" ", 3)[1]);
    }
  }
}
