package dev.tamis.tools.guard.jdbc;

import static java.util.Objects.requireNonNull;

import dev.tamis.tools.guard.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A table of a database as a store, by the SQL that its user writes.
 *
 * <pre>{@code
 * JdbcStore<String, String> pages =
 *     JdbcStore.builder(dataSource, String.class, String.class)
 *         .select("SELECT body FROM page WHERE url = ?")
 *         .insert("INSERT INTO page (url, body) VALUES (?, ?)")
 *         .update("UPDATE page SET body = ? WHERE url = ?")
 *         .delete("DELETE FROM page WHERE url = ?")
 *         .keys("SELECT url FROM page")
 *         .build();
 * pages.put("a", "text of a");
 * }</pre>
 *
 * <p>The key's column must be a primary key or unique. Keys and values are bound as parameters,
 * never put into the text. Every call takes a connection from the data source, which should be a
 * pool with connections in auto-commit mode. Errors of the database are {@link StoreException}s.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public final class JdbcStore<K, V> implements Store<K, V> {

  /** How often a put is tried while others insert and delete the same key. */
  private static final int MAX_TRIES = 10;

  /** Rows fetched at a time when all keys are read: enough that the way there does not count. */
  private static final int FETCHED_ROWS = 10_000;

  /** The SQL states of constraints that are violated, by the standard. */
  private static final String VIOLATION = "23";

  private final DataSource dataSource;
  private final Class<K> keyType;
  private final Class<V> valueType;
  private final Sql sql;

  JdbcStore(DataSource dataSource, Class<K> keyType, Class<V> valueType, Sql sql) {
    this.dataSource = dataSource;
    this.keyType = keyType;
    this.valueType = valueType;
    this.sql = sql;
  }

  /**
   * Starts a store.
   *
   * @param dataSource gives connections
   * @param keyType what the key's column is read as
   * @param valueType what the value's column is read as
   */
  public static <K, V> JdbcStoreBuilder<K, V> builder(
      DataSource dataSource, Class<K> keyType, Class<V> valueType) {
    return new JdbcStoreBuilder<>(
        requireNonNull(dataSource, "dataSource"),
        requireNonNull(keyType, "keyType"),
        requireNonNull(valueType, "valueType"));
  }

  /** Returns the value of {@code key}, or null if there is no row, or its value is NULL. */
  @Override
  public @Nullable V get(K key) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(sql.select())) {
      return value(select, key);
    } catch (SQLException e) {
      throw new StoreException(sql.select(), e);
    }
  }

  /** Asks for one key after the other through one connection. */
  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    return with(
        sql.select(),
        select -> {
          Map<K, V> found = new HashMap<>();
          for (K key : keys) {
            V value = value(select, key);
            if (value != null) {
              found.put(key, value);
            }
          }
          return found;
        });
  }

  private @Nullable V value(PreparedStatement select, K key) throws SQLException {
    select.setObject(1, key);
    try (ResultSet rows = select.executeQuery()) {
      return rows.next() ? rows.getObject(1, valueType) : null;
    }
  }

  /** Updates the row of {@code key}, or inserts one if there is none. */
  @Override
  public boolean put(K key, V value) {
    for (int tried = 1; ; tried++) {
      if (execute(sql.update(), value, key) > 0) {
        return false;
      }
      try {
        execute(sql.insert(), key, value);
        return true;
      } catch (StoreException e) {
        // somebody inserted the key since the update; otherwise the row breaks another rule
        if (tried == MAX_TRIES || !isViolation(e)) {
          throw e;
        }
      }
    }
  }

  private static boolean isViolation(StoreException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && cause.getSQLState().startsWith(VIOLATION);
  }

  @Override
  public boolean remove(K key) {
    return execute(sql.delete(), key) > 0;
  }

  @Override
  public void sync() {
    if (sql.sync() != null) {
      with(sql.sync(), PreparedStatement::execute);
    }
  }

  /**
   * Opens a stream of all keys, which are fetched as they are read. It holds a connection until it
   * is closed.
   */
  public Stream<K> keys() {
    return JdbcKeys.open(dataSource, sql.keys(), keyType, FETCHED_ROWS);
  }

  private int execute(String text, Object... parameters) {
    return with(
        text,
        statement -> {
          for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
          }
          return statement.executeUpdate();
        });
  }

  private <R> R with(String text, Work<R> work) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(text)) {
      return work.apply(statement);
    } catch (SQLException e) {
      throw new StoreException(text, e);
    }
  }

  /** Something done with a statement. */
  private interface Work<R> {
    R apply(PreparedStatement statement) throws SQLException;
  }

  /**
   * The SQL of a {@link JdbcStore}.
   *
   * @param select value by key
   * @param insert key, then value
   * @param update value, then key
   * @param delete by key
   * @param keys all keys
   * @param sync makes what was written last; null if nothing has to be done for that
   */
  record Sql(
      String select,
      String insert,
      String update,
      String delete,
      String keys,
      @Nullable String sync) {}
}
