package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "redis://host, host, 6379, -, -, 0, false",
        "redis://host:, host, 6379, -, -, 0, false",
        "rediss://host/, host, 6379, -, -, 0, true",
        "REDISS://host:1, host, 1, -, -, 0, true",
        "redis://my_redis_1:65535/7, my_redis_1, 65535, -, -, 7, false",
        "redis://10.0.0.1:7000/999999999, 10.0.0.1, 7000, -, -, 999999999, false",
        "redis://[::1]:7000, [::1], 7000, -, -, 0, false",
        "redis://:secret@host, host, 6379, -, secret, 0, false",
        "redis://me:a%40b%2Fc%3Ad@host, host, 6379, me, a@b/c:d, 0, false",
        "redis://me:one:two@host, host, 6379, me, one:two, 0, false",
        "redis://me:@host, host, 6379, me, '', 0, false",
      })
  void everyPartIsFound(
      String uri,
      String host,
      int port,
      String user,
      String password,
      int database,
      boolean isTls) {
    assertThat(ServerAddress.of(URI.create(uri)))
        .isEqualTo(new ServerAddress(host, port, user, password, database, isTls));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://host",
        "host",
        "redis:host",
        "redis:///0",
        "redis://:0",
        "redis://host:0",
        "redis://host:65536",
        "redis://host:100000",
        "redis://host:port",
        "redis://host/name",
        "redis://host/1/2",
        "redis://host/1000000000",
        "redis://host?db=1",
        "redis://host#1",
        "redis://me@host",
        "redis://one:two:three",
      })
  void anythingElseIsRefusedWithTheExpectedForm(String uri) {
    assertThatThrownBy(() -> ServerAddress.of(URI.create(uri)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("server: ")
        .hasMessageContaining("redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]");
  }

  @Test
  void neitherMessagesNorItsTextContainThePassword() {
    assertThat(ServerAddress.of(URI.create("redis://me:secret@host/1"))).hasToString("host:6379");
    assertThatThrownBy(() -> ServerAddress.of(URI.create("redis://me:secret@host:0")))
        .hasMessageNotContaining("secret");
  }
}
