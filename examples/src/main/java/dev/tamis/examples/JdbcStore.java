package dev.tamis.examples;

import dev.tamis.tools.guard.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A table of a database as the store behind a guard (row B6), to be copied and adapted. */
public final class JdbcStore<K, V> implements Store<K, V> {

  private static final int MAX_TRIES = 10;

  /** The SQL states of violated constraints start with this. */
  private static final String VIOLATION = "23";

  private final DataSource dataSource;
  private final Table table;
  private final Class<K> keyType;
  private final Class<V> valueType;

  /**
   * The names of a table and its columns.
   *
   * @param sync makes commits durable where the database delays that: CHECKPOINT SYNC for H2
   */
  public record Table(String name, String key, String value, @Nullable String sync) {}

  /** Creates a store over a pool of connections in auto-commit mode. */
  public JdbcStore(DataSource dataSource, Table table, Class<K> keyType, Class<V> valueType) {
    this.dataSource = dataSource;
    this.table = table;
    this.keyType = keyType;
    this.valueType = valueType;
  }

  @Override
  public @Nullable V get(K key) {
    String sql = "SELECT " + table.value + " FROM " + table.name + " WHERE " + table.key + " = ?";
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, key);
      ResultSet rows = select.executeQuery();
      return rows.next() ? rows.getObject(1, valueType) : null;
    } catch (SQLException e) {
      throw rejected(sql, e);
    }
  }

  /** Updates the row of {@code key}, or inserts one if there is none. */
  @Override
  public boolean put(K key, V value) {
    for (int tried = 1; ; tried++) {
      String set =
          "UPDATE " + table.name + " SET " + table.value + " = ? WHERE " + table.key + " = ?";
      if (update(set, value, key) > 0) {
        return false;
      }
      try {
        String columns = " (" + table.key + ", " + table.value + ")";
        update("INSERT INTO " + table.name + columns + " VALUES (?, ?)", key, value);
        return true;
      } catch (IllegalStateException e) { // another thread inserted the key since the update
        String state = e.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
        if (tried == MAX_TRIES || state == null || !state.startsWith(VIOLATION)) {
          throw e;
        }
      }
    }
  }

  @Override
  public boolean remove(K key) {
    return update("DELETE FROM " + table.name + " WHERE " + table.key + " = ?", key) > 0;
  }

  @Override
  public void sync() {
    if (table.sync != null) {
      update(table.sync);
    }
  }

  /** Opens a stream of all keys, fetched as they are read; holds a connection until closed. */
  public Stream<K> keys() {
    try {
      Connection connection = dataSource.getConnection();
      try {
        connection.setAutoCommit(false); // or PostgreSQL's driver holds all rows in memory
        PreparedStatement select =
            connection.prepareStatement("SELECT " + table.key + " FROM " + table.name);
        select.setFetchSize(10_000);
        ResultSet rows = select.executeQuery();
        var keys =
            new Spliterators.AbstractSpliterator<K>(Long.MAX_VALUE, Spliterator.NONNULL) {
              @Override
              public boolean tryAdvance(Consumer<? super K> action) {
                try {
                  if (!rows.next()) {
                    return false;
                  }
                  action.accept(rows.getObject(1, keyType));
                  return true;
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              }
            };
        return StreamSupport.stream(keys, false).onClose(() -> close(connection));
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(Connection connection) {
    try (connection) {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int update(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw rejected(sql, e);
    }
  }

  private static IllegalStateException rejected(String sql, SQLException e) {
    return new IllegalStateException("the database rejected \"" + sql + "\"", e);
  }
}
