package dev.tamis.tools.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of H2, in a file. */
class JdbcStoreTest extends JdbcStoreContract {

  @TempDir Path directory;

  @SuppressWarnings("NullAway.Init") // made when the contract asks for it
  private JdbcConnectionPool pool;

  @Override
  protected DataSource dataSource() {
    pool = JdbcConnectionPool.create("jdbc:h2:" + directory.resolve("pages"), "", "");
    return pool;
  }

  @Override
  protected String sync() {
    return "CHECKPOINT SYNC";
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  @Test
  void everyStatementIsNeeded() {
    JdbcStoreBuilder<String, String> settings = JdbcStore.builder(pool, String.class, String.class);
    assertThatThrownBy(() -> settings.select(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("select");
    assertThatThrownBy(settings::build).hasMessageContaining("call select(sql) first");
    assertThatThrownBy(settings.select("x")::build).hasMessageContaining("call insert(sql) first");
    assertThatThrownBy(settings.insert("x")::build).hasMessageContaining("call update(sql) first");
    assertThatThrownBy(settings.update("x")::build).hasMessageContaining("call delete(sql) first");
    assertThatThrownBy(settings.delete("x")::build).hasMessageContaining("call keys(sql) first");
  }
}
