/** The command {@code bench/peers}: runs the comparison with the peers and writes its tables. */
@NullMarked
package dev.tamis.bench.report;

import org.jspecify.annotations.NullMarked;
