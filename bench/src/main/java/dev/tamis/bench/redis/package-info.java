/**
 * Measurements of the filter in Redis compared with Redisson's, as a program that prints tables.
 */
@org.jspecify.annotations.NullMarked
package dev.tamis.bench.redis;
