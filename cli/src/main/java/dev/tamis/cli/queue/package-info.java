/** The commands over a queue of URLs: {@code tamis queue} and {@code tamis crawl}. */
@NullMarked
package dev.tamis.cli.queue;

import org.jspecify.annotations.NullMarked;
