package dev.tamis.tools.guard.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A table of PostgreSQL, whose server the test starts: Linux on x86-64. */
@Tag("thorough")
class PostgresStoreTest extends JdbcStoreContract {

  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException {
    Assumptions.assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "there are binaries for Linux on x86-64 alone");
    server = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected DataSource dataSource() {
    return server.getPostgresDatabase();
  }

  @Override
  protected String sync() {
    return "CHECKPOINT";
  }
}
