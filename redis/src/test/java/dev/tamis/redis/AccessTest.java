package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that require a password, allow some commands only, or speak TLS. */
@Timeout(60)
class AccessTest {

  private static final String SECRET = "not-in-any-message";

  @TempDir private static Path directory;

  /** Those that docs/redis.md names. */
  private static final List<String> COMMANDS =
      List.of(
          "BITFIELD",
          "BITFIELD_RO",
          "GETRANGE",
          "SETRANGE",
          "BITCOUNT",
          "BITOP",
          "RENAME",
          "UNLINK",
          "PEXPIRE",
          "EVAL");

  /** Those that a cluster needs in addition. */
  private static final List<String> OF_CLUSTERS =
      List.of("ASKING", "CLUSTER|SLOTS", "CLUSTER|NODES", "INFO");

  private static URI withUser(TestServer server, String user) {
    return URI.create("redis://" + user + "@127.0.0.1:" + server.port());
  }

  private static RedisBloomFilterBuilder<Long> builder(RedisLink link, String name) {
    return TestFilters.builder(link, name, 1_000, 0.01).shardBytes(512);
  }

  @ParameterizedTest
  @EnumSource
  void aPasswordIsNeededAndInNoMessage(LinkKind kind) {
    try (TestServer server = TestServer.withOptions()) {
      server.command("CONFIG", "SET", "requirepass", SECRET);
      try (RedisLink link = kind.to(withUser(server, ":" + SECRET))) {
        assertThat(builder(link, "visited").create().put(1L)).isTrue();
      }
      refuses(RedisFilterException.class, () -> openAndClose(kind, server.uri()), "NOAUTH");
      assertThatThrownBy(() -> openAndClose(kind, withUser(server, ":wrong" + SECRET)))
          .isInstanceOf(RedisFilterException.class)
          .hasMessageMatching(
              ".*(WRONGPASS|Connection closed prematurely).*") // by Lettuce at times
          .hasMessageNotContaining(SECRET);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNotThereOrRefusesIsNotReportedWithThePassword(LinkKind kind) {
    try (TestServer server = TestServer.withOptions()) {
      for (String address : List.of("127.0.0.1:1", "127.0.0.1:" + server.port())) {
        URI uri = URI.create("redis://me:" + SECRET + "@" + address);
        assertThatThrownBy(() -> openAndClose(kind, uri))
            .isInstanceOf(RedisFilterException.class)
            .extracting(AccessTest::trace)
            .asString()
            .contains("\tat ")
            .doesNotContain(SECRET);
      }
    }
  }

  private static String trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }

  private static void openAndClose(LinkKind kind, URI uri) {
    try (RedisLink link = kind.to(uri)) {
      TestFilters.open(link, "visited");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theCommandsInTheManualAreEnough(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions()) {
      List<String> rules = new ArrayList<>(List.of("SETUSER", "worker", "on", ">" + SECRET));
      rules.addAll(List.of("resetkeys", "~visited:*", "-@all"));
      COMMANDS.forEach(command -> rules.add("+" + command));
      server.command("ACL", rules.toArray(new String[0]));
      try (RedisLink link = kind.to(withUser(server, "worker:" + SECRET))) {
        RedisBloomFilter<Long> filter = builder(link, "visited").create();
        BloomFilter<Long> local = TestFilters.like(filter);
        local.put(1L);
        filter.putAll(local);
        assertThat(filter.put(1L)).isFalse();
        assertThat(filter.put(2L)).isTrue();
        assertThat(filter.mightContain(3L)).isFalse();
        filter.expireAfter(Duration.ofHours(1));
        builder(link, "visited").createOrReplace(local);
        assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
        assertThat(RedisBloomFilter.delete(link, "visited")).isTrue();
        refuses(RedisRefusedException.class, () -> builder(link, "other").create(), "NOPERM");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theCommandsInTheManualAreEnoughInACluster(LinkKind kind) {
    String name = TestServer.newName();
    List<String> rules = new ArrayList<>(List.of("~" + name + ":*", "-@all"));
    Stream.concat(COMMANDS.stream(), OF_CLUSTERS.stream()).forEach(one -> rules.add("+" + one));
    Set<URI> servers = TestCluster.withUser(name, rules.toArray(new String[0]));
    try (RedisLink link = kind.toCluster(servers)) {
      RedisBloomFilter<Long> filter = builder(link, name).create();
      BloomFilter<Long> local = TestFilters.like(filter);
      local.put(1L);
      filter.putAll(local);
      try (MovingSlot slot = MovingSlot.of(Shards.keyOf(name, 0))) {
        slot.begin();
        slot.moveKeys(Shards.keyOf(name, 0));
        for (long key = 2; key < 100; key++) {
          assertThat(filter.put(key)).isEqualTo(local.put(key));
          assertThat(filter.mightContain(key)).isTrue();
        }
        slot.end();
      }
      assertThat(filter.put(1L)).isFalse();
      assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateIsTrustedThroughTheTrustStoreOfTheJvmOnly(LinkKind kind) throws Exception {
    Path store = directory.resolve("trust.p12");
    if (!Files.exists(store)) {
      makeCertificate(store);
      writePem(store, directory);
    }
    int port = TestServer.freePort();
    URI uri = URI.create("rediss://127.0.0.1:" + port);
    try (TestServer server =
        TestServer.withOptions(
            "--tls-port", "" + port,
            "--tls-cert-file", directory.resolve("cert.pem").toString(),
            "--tls-key-file", directory.resolve("key.pem").toString(),
            "--tls-ca-cert-file", directory.resolve("cert.pem").toString(),
            "--tls-auth-clients", "no")) {
      String printed =
          run(
              ProcessHandle.current().info().command().orElse("java"),
              "-XX:TieredStopAtLevel=1",
              "-Djavax.net.ssl.trustStore=" + store,
              "-Djavax.net.ssl.trustStorePassword=" + SECRET,
              "-cp",
              System.getProperty("java.class.path"),
              TlsProcess.class.getName(),
              kind.name(),
              uri.toString());
      assertThat(printed).isEqualTo("true false true");
      assertThat(server.command("EXISTS", Shards.keyOf(kind.name(), 0)))
          .isEqualTo(new Reply.Whole(1));
      refuses(RedisUnavailableException.class, () -> openAndClose(kind, uri), "certification path");
    }
  }

  /** Makes a key, and a certificate that the same store trusts. */
  private static void makeCertificate(Path store) throws Exception {
    Path file = store.resolveSibling("cert.der");
    List<String> make = List.of("-genkeypair", "-keyalg", "EC", "-alias", "redis");
    List<String> naming = List.of("-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1");
    keytool(store, Stream.concat(make.stream(), naming.stream()).toList());
    keytool(store, List.of("-exportcert", "-alias", "redis", "-file", file.toString()));
    keytool(store, List.of("-importcert", "-noprompt", "-alias", "ca", "-file", file.toString()));
  }

  private static void keytool(Path store, List<String> what) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(what);
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", SECRET));
    command.addAll(List.of("-keystore", store.toString()));
    run(command.toArray(new String[0]));
  }

  /** Writes the key and its certificate as the server reads them. */
  private static void writePem(Path store, Path directory) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, SECRET.toCharArray());
    }
    Key key = keys.getKey("redis", SECRET.toCharArray());
    byte[] certificate = keys.getCertificate("redis").getEncoded();
    Files.writeString(directory.resolve("key.pem"), pem("PRIVATE KEY", key.getEncoded()));
    Files.writeString(directory.resolve("cert.pem"), pem("CERTIFICATE", certificate));
  }

  private static String pem(String what, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  /** A process that trusts the test's certificate, as a user's would that is started so. */
  static final class TlsProcess {

    private TlsProcess() {}

    /** Takes the kind of link and the address, and prints what a filter there answers. */
    public static void main(String[] arguments) throws IOException {
      try (RedisLink link = LinkKind.valueOf(arguments[0]).to(URI.create(arguments[1]))) {
        RedisBloomFilter<Long> filter =
            TestFilters.builder(link, arguments[0], 1_000, 0.01).create();
        String answers = filter.put(1L) + " " + filter.put(1L) + " " + filter.mightContain(1L);
        new FileOutputStream(FileDescriptor.out).write(CommandTokens.of(answers));
      }
    }
  }
}
