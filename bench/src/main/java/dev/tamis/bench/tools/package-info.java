/** Measurements of the tools in kit, each a program that prints a table in Markdown. */
@org.jspecify.annotations.NullMarked
package dev.tamis.bench.tools;
