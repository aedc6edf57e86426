package dev.tamis.tools.guard.jdbc;

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

/** A column of a query, read as a stream in portions. */
final class JdbcKeys<K> extends Spliterators.AbstractSpliterator<K> {

  private final String sql;
  private final Class<K> type;
  private final Connection connection;
  private final boolean autoCommit;
  private final PreparedStatement statement;
  private final ResultSet rows;

  private JdbcKeys(Connection connection, String sql, Class<K> type, int fetchedRows)
      throws SQLException {
    super(Long.MAX_VALUE, Spliterator.NONNULL);
    this.sql = sql;
    this.type = type;
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    // PostgreSQL's driver holds all rows in memory unless it is within a transaction
    connection.setAutoCommit(false);
    this.statement = connection.prepareStatement(sql);
    statement.setFetchSize(fetchedRows);
    this.rows = statement.executeQuery();
  }

  static <K> Stream<K> open(DataSource dataSource, String sql, Class<K> type, int fetchedRows) {
    try {
      Connection connection = dataSource.getConnection();
      try {
        JdbcKeys<K> keys = new JdbcKeys<>(connection, sql, type, fetchedRows);
        return StreamSupport.stream(keys, false).onClose(keys::close);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new StoreException(sql, e);
    }
  }

  @Override
  public boolean tryAdvance(Consumer<? super K> action) {
    K key;
    try {
      if (!rows.next()) {
        return false;
      }
      key = rows.getObject(1, type);
    } catch (SQLException e) {
      throw new StoreException(sql, e);
    }
    if (key == null) {
      throw new IllegalStateException("a key is NULL in the rows of \"" + sql + "\"");
    }
    action.accept(key);
    return true;
  }

  /** Gives the connection back as it was. */
  private void close() {
    try (connection;
        statement;
        rows) {
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      throw new StoreException(sql, e);
    }
  }
}
