/** What the tools that ask servers share. */
@NullMarked
package dev.tamis.tools.http;

import org.jspecify.annotations.NullMarked;
