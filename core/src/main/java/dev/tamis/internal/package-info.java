/**
 * The code that runs for every key; not exported, except to the bridges and tools of this project.
 *
 * <p>{@link dev.tamis.internal.bits.Placement} determines where the bits of a key are, {@link
 * dev.tamis.internal.bits.Stripes} keeps its writers apart, {@link
 * dev.tamis.internal.counters.Counters} puts a counter where a placement has a bit. Fingerprints
 * are in {@link dev.tamis.internal.bits.PackedSlots}: as a cuckoo table ({@link
 * dev.tamis.internal.cuckoo}), or solved for a set known beforehand ({@link
 * dev.tamis.internal.fuse}, {@link dev.tamis.internal.ribbon}), whose hashes {@link
 * dev.tamis.internal.hashes} collects and sorts.
 */
package dev.tamis.internal;
