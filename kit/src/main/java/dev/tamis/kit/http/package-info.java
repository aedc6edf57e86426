/** What the tools that ask servers share. */
@NullMarked
package dev.tamis.kit.http;

import org.jspecify.annotations.NullMarked;
