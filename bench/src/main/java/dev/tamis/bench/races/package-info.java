/** The promises of concurrent mode, each as a race for jcstress. */
@NullMarked
package dev.tamis.bench.races;

import org.jspecify.annotations.NullMarked;
