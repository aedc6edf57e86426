/** What the tools of the kit cost: programs that print tables. */
@org.jspecify.annotations.NullMarked
package dev.tamis.bench.tools;
