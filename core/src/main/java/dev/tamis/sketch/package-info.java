/**
 * Sketches: how often a key came, and how many different keys came, in a fixed amount of memory.
 *
 * <p>They are no filters. {@link dev.tamis.sketch.CountMinSketch} answers "how often have I seen
 * this?", never too low; {@link dev.tamis.sketch.DistinctCounter} answers "how many different keys
 * were there?", within an interval. Both hash their keys as filters do, so one hash serves all.
 */
package dev.tamis.sketch;
