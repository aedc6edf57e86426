/** One runnable program for each tool, to start from. */
@org.jspecify.annotations.NullMarked
package dev.tamis.examples;
