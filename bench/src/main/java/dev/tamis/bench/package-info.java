/** Measurements of core beside its peers, and races over its promises; never published. */
@NullMarked
package dev.tamis.bench;

import org.jspecify.annotations.NullMarked;
