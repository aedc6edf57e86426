/** Words of bits: where the bits of a key are, how they are set, tested, counted and locked. */
package dev.tamis.internal.bits;
