/**
 * Where bits lie and how they are set: the code that runs for every key. Used by core only, not
 * exported.
 */
package dev.tamis.internal;
