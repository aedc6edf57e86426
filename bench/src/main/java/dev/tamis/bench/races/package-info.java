/** The promises of thread-safe filters, each as a race for jcstress. */
@NullMarked
package dev.tamis.bench.races;

import org.jspecify.annotations.NullMarked;
