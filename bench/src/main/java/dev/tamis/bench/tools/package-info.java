/** What the tools of kit cost, beside plainer ways to the same end. */
@NullMarked
package dev.tamis.bench.tools;

import org.jspecify.annotations.NullMarked;
