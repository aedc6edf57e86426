package dev.tamis.tools.guard;

import org.jspecify.annotations.Nullable;

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
record JdbcSql(
    String select,
    String insert,
    String update,
    String delete,
    String keys,
    @Nullable String sync) {}
