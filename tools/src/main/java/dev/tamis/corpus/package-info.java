/**
 * De-duplication and decontamination of texts by documents, paragraphs and n-grams.
 *
 * <p>{@link dev.tamis.corpus.UnitRule} says how the keys of a unit are made of its text, {@link
 * dev.tamis.corpus.TextUnits} finds units and their keys, {@link dev.tamis.corpus.UnitFilter}
 * decides them against a filter, by an {@link dev.tamis.corpus.Overlap}.
 */
@NullMarked
package dev.tamis.corpus;

import org.jspecify.annotations.NullMarked;
