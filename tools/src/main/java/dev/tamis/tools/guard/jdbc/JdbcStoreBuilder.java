package dev.tamis.tools.guard.jdbc;

import dev.tamis.tools.guard.Store;
import dev.tamis.tools.guard.jdbc.JdbcStore.Sql;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link JdbcStore}: all but {@link #sync} are required.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public final class JdbcStoreBuilder<K, V> {

  private final DataSource dataSource;
  private final Class<K> keyType;
  private final Class<V> valueType;
  private @Nullable String select;
  private @Nullable String insert;
  private @Nullable String update;
  private @Nullable String delete;
  private @Nullable String keys;
  private @Nullable String sync;

  JdbcStoreBuilder(DataSource dataSource, Class<K> keyType, Class<V> valueType) {
    this.dataSource = dataSource;
    this.keyType = keyType;
    this.valueType = valueType;
  }

  /** Sets the query that gives the value; its one parameter is the key. */
  public JdbcStoreBuilder<K, V> select(String sql) {
    this.select = notBlank("select", sql);
    return this;
  }

  /** Sets what adds a row; its parameters are the key, then the value. */
  public JdbcStoreBuilder<K, V> insert(String sql) {
    this.insert = notBlank("insert", sql);
    return this;
  }

  /** Sets what changes a row; its parameters are the value, then the key. */
  public JdbcStoreBuilder<K, V> update(String sql) {
    this.update = notBlank("update", sql);
    return this;
  }

  /** Sets what removes a row; its one parameter is the key. */
  public JdbcStoreBuilder<K, V> delete(String sql) {
    this.delete = notBlank("delete", sql);
    return this;
  }

  /** Sets the query that gives all keys; it has no parameters. */
  public JdbcStoreBuilder<K, V> keys(String sql) {
    this.keys = notBlank("keys", sql);
    return this;
  }

  /**
   * Sets what makes committed rows last, for databases that write them later: {@code CHECKPOINT
   * SYNC} for H2. See {@link Store#sync}.
   */
  public JdbcStoreBuilder<K, V> sync(String sql) {
    this.sync = notBlank("sync", sql);
    return this;
  }

  /**
   * Builds the store; the database is not asked yet.
   *
   * @throws IllegalStateException if a statement is missing
   */
  public JdbcStore<K, V> build() {
    return new JdbcStore<>(
        dataSource,
        keyType,
        valueType,
        new Sql(
            required("select", select),
            required("insert", insert),
            required("update", update),
            required("delete", delete),
            required("keys", keys),
            sync));
  }

  private static String notBlank(String name, String sql) {
    if (sql.isBlank()) {
      throw new IllegalArgumentException("the SQL of " + name + " must not be blank");
    }
    return sql;
  }

  private static String required(String name, @Nullable String sql) {
    if (sql == null) {
      throw new IllegalStateException("call " + name + "(sql) first");
    }
    return sql;
  }
}
