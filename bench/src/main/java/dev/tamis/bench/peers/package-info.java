/** Tamis and its peers side by side: one adapter for each, and what is measured with them. */
@NullMarked
package dev.tamis.bench.peers;

import org.jspecify.annotations.NullMarked;
