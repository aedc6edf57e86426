/** The table of fingerprints behind the cuckoo filter. */
package dev.tamis.internal.cuckoo;
