/** Filters in files or on a Redis server: how they are opened, described and merged. */
@NullMarked
package dev.tamis.cli.place;

import org.jspecify.annotations.NullMarked;
