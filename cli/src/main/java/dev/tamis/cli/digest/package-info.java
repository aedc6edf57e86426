/** {@code tamis digest}: fetches, shows, queries and makes Squid cache digests. */
@NullMarked
package dev.tamis.cli.digest;

import org.jspecify.annotations.NullMarked;
