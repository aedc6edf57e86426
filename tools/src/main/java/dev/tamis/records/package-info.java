/**
 * Records of JSON as they are in a file: where their members are, and keys made of these. Start at
 * {@link dev.tamis.records.JsonKey}. Needs jackson-core, which is an optional dependency.
 */
@NullMarked
package dev.tamis.records;

import org.jspecify.annotations.NullMarked;
