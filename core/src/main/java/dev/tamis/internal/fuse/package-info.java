/** Binary fuse tables: their slots, their construction by peeling, and lookups in place. */
package dev.tamis.internal.fuse;
