/**
 * Sketches: how often a key occurred, and how many distinct keys there were, in a fixed amount of
 * memory.
 *
 * <p>They are not filters. {@link dev.tamis.sketch.CountMinSketch} answers "how often have I seen
 * this?", never too low; {@link dev.tamis.sketch.DistinctCounter} answers "how many distinct keys
 * were there?", within an interval. Both hash their keys as filters do, so one hash can be used for
 * all.
 */
package dev.tamis.sketch;
