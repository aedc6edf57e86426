/** A table of a database as a guard's store: {@link dev.tamis.tools.guard.jdbc.JdbcStore}. */
@NullMarked
package dev.tamis.tools.guard.jdbc;

import org.jspecify.annotations.NullMarked;
