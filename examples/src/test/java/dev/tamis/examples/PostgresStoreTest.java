package dev.tamis.examples;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On PostgreSQL, which the test starts; there are binaries for Linux on x86-64 only. */
@Tag("thorough")
@EnabledOnOs(
    value = OS.LINUX, architectures = "amd64",
    disabledReason = "the bundled PostgreSQL is for this system")
class PostgresStoreTest extends JdbcStoreTest {

  @SuppressWarnings("NullAway.Init") // started when the super class asks for a database
  private EmbeddedPostgres server;

  @Override
  DataSource database() throws IOException {
    server = EmbeddedPostgres.start();
    return server.getPostgresDatabase();
  }

  @Override
  String sync() {
    return "CHECKPOINT";
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }
}
