/**
 * Filters for data sets that exceed one machine, on Apache Spark: built by tasks and merged,
 * queried from SQL, and de-duplication that shuffles hashes in place of rows.
 *
 * <p>{@link dev.tamis.spark.TamisSpark} is where to begin. Hashes and bytes are those of core, so a
 * filter that Spark built is the same file as one that the command line built of the same keys.
 */
@org.jspecify.annotations.NullMarked
package dev.tamis.spark;
