package dev.tamis.tools.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Squid of the system with a configuration and a folder of its own, for tests that need a real
 * one.
 *
 * <p>It is the one that {@code -Dtamis.squid} or the variable {@code TAMIS_SQUID} names, or one in
 * the PATH or where systems have such programs.
 */
final class Squid implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 60;
  private static final int POLL_MILLIS = 50;

  private final Process process;
  private final Path log;
  private final int port;
  private final HttpClient client;

  private Squid(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
            .build();
  }

  /** Returns the program; ends the test as not run if there is none. */
  static Path program() {
    Optional<Path> named =
        Stream.of("tamis.squid", "TAMIS_SQUID")
            .map(name -> Optional.ofNullable(System.getProperty(name, System.getenv(name))))
            .flatMap(Optional::stream)
            .map(Path::of)
            .findFirst();
    if (named.isPresent()) {
      assertThat(named.get()).isExecutable();
      return named.get();
    }
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Optional<Path> program =
        Stream.concat(
                Stream.of(path.split(File.pathSeparator, -1)),
                Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/local/squid/sbin"))
            .map(folder -> Path.of(folder, "squid"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(program.isPresent(), "no squid is installed");
    return program.get();
  }

  /**
   * Starts one and waits until it takes connections.
   *
   * @param directory an empty folder for all its files
   * @param lines of the configuration, besides those that make it small and quiet
   */
  static Squid start(Path directory, List<String> lines) throws Exception {
    Path program = program();
    int port = freePort();
    // a Squid that root starts becomes another user
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path log = directory.resolve("cache.log");
    Path configuration =
        Files.write(
            directory.resolve("squid.conf"),
            Stream.concat(
                    Stream.of(
                        "http_port 127.0.0.1:" + port,
                        "visible_hostname port-" + port + ".test",
                        "pid_filename none",
                        "access_log none",
                        "cache_store_log none",
                        "netdb_filename none",
                        "cache_log " + log,
                        "coredump_dir " + directory,
                        "cache_mem 8 MB",
                        "shutdown_lifetime 0 seconds",
                        "http_access allow all"),
                    lines.stream())
                .toList());
    Process folders = run(program, configuration, directory, "-z");
    assertThat(folders.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(folders.exitValue()).isZero();
    Squid squid = new Squid(run(program, configuration, directory), log, port);
    squid.awaitPort();
    return squid;
  }

  private static Process run(Path program, Path configuration, Path directory, String... more)
      throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(program.toString(), "-N", "-f", configuration.toString()),
                Stream.of(more))
            .toList();
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("output").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitPort() throws Exception {
    for (int i = 0; i < PATIENCE_SECONDS * 1000 / POLL_MILLIS; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        assertThat(process.isAlive()).as(() -> "it ended: " + logged()).isTrue();
        Thread.sleep(POLL_MILLIS);
      }
    }
    close();
    throw new AssertionError("takes no connections: " + logged());
  }

  private String logged() {
    try {
      return Files.exists(log) ? Files.readString(log) : "no log";
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Returns where it listens. */
  String address() {
    return "http://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  /** Gets a page through it, and returns the body. */
  String get(String url) throws Exception {
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(url).isEqualTo(200);
    return response.body();
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
  }
}
