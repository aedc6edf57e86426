/** Figures of filters for Micrometer, which the application provides. */
@NullMarked
package dev.tamis.tools.metrics;

import org.jspecify.annotations.NullMarked;
