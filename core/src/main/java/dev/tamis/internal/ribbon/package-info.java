/** Bumped ribbon retrieval: layers, elimination, thresholds and solutions. */
package dev.tamis.internal.ribbon;
