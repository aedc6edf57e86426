/** Rows of small counters, placed where a Bloom filter has its bits. */
package dev.tamis.internal.counters;
