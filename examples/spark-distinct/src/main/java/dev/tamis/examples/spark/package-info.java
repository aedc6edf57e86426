/** The distinct lines of a text file by Spark. */
@org.jspecify.annotations.NullMarked
package dev.tamis.examples.spark;
