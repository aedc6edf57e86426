package dev.tamis.tools.guard;

import java.sql.SQLException;

/** Says that a database did not do what a {@link JdbcStore} asked of it. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  StoreException(String statement, SQLException cause) {
    super("the database refused \"" + statement + "\": " + cause.getMessage(), cause);
  }
}
