/** A server that handles each request once: start at {@link HandleOnce}. */
@NullMarked
package dev.tamis.examples.requests;

import org.jspecify.annotations.NullMarked;
