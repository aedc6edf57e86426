package dev.tamis.tools.guard.jdbc;

import java.sql.SQLException;

/** A database failed to execute a statement of a {@link JdbcStore}. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  StoreException(String statement, SQLException cause) {
    super("the database refused \"" + statement + "\": " + cause.getMessage(), cause);
  }
}
