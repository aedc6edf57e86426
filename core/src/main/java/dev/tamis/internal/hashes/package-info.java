/** Sets of 64-bit hashes known beforehand: collected, partitioned, sorted, without duplicates. */
package dev.tamis.internal.hashes;
