/**
 * Where filters are, in files or on a Redis server, and how they are opened, described and merged.
 */
@NullMarked
package dev.tamis.cli.place;

import org.jspecify.annotations.NullMarked;
