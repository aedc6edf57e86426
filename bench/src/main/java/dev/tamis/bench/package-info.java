/**
 * Measurements of core compared with its peers, and races that test its contracts; never published.
 */
@NullMarked
package dev.tamis.bench;

import org.jspecify.annotations.NullMarked;
