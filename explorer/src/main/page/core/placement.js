/** Where the bits of a key are in each layout: docs/format.md, "Where the bits of a key are". */
import { draw, goldenMultiple, RESULT, reduce } from './u64.js';

/** The bits of a line, which the blocked layouts keep a key within. */
export const LINE_BITS = 512;

/** The most bits of a filter. */
export const MAX_BITS = 2 ** 44;

/** @typedef {'classic' | 'partitioned' | 'line' | 'split' | 'split-pair'} LayoutName */

/**
 * @typedef {object} LayoutRules the limits that a layout adds
 * @property {number} id in files
 * @property {number} linesPerKey 0 if the layout is not blocked
 * @property {number} wordBits of the words of a line, in each of which a key has as many bits
 * @property {number} minHashes
 * @property {number} maxHashes
 * @property {number} hashStep
 * @property {(hashes: number) => number} granularity number that divides the bits
 * @property {(hashes: number) => number} minBits
 */

/** @type {Record<LayoutName, LayoutRules>} */
export const LAYOUTS = {
  classic: scattered(1, () => ({ unit: 1, least: 64 })),
  partitioned: scattered(2, (k) => ({ unit: k, least: 2 * k })),
  line: blocked(3, 1, LINE_BITS),
  split: blocked(4, 1, 64),
  'split-pair': blocked(6, 2, 64),
};

/** @type {LayoutName[]} */
export const LAYOUT_NAMES = /** @type {LayoutName[]} */ (Object.keys(LAYOUTS));

/** The layouts that the page describes, to choose from. */
export const LISTED_LAYOUTS = /** @type {const} */ (['classic', 'line', 'split', 'split-pair']);

/**
 * @param {number} id
 * @param {(hashes: number) => {unit: number, least: number}} limits
 * @returns {LayoutRules}
 */
function scattered(id, limits) {
  return {
    ...{ id, linesPerKey: 0, wordBits: 0, minHashes: 1, maxHashes: 32, hashStep: 1 },
    granularity: (k) => limits(k).unit,
    minBits: (k) => limits(k).least,
  };
}

/**
 * @param {number} id
 * @param {number} linesPerKey
 * @param {number} wordBits
 * @returns {LayoutRules}
 */
function blocked(id, linesPerKey, wordBits) {
  const hashStep = (linesPerKey * LINE_BITS) / wordBits;
  return {
    ...{ id, linesPerKey, wordBits, minHashes: hashStep, maxHashes: 16 * linesPerKey, hashStep },
    granularity: () => LINE_BITS,
    minBits: () => linesPerKey * LINE_BITS,
  };
}

/**
 * @typedef {object} Shape a layout, its bits and the hashes of a key
 * @property {LayoutName} layout
 * @property {number} bits m
 * @property {number} hashes k
 */

/**
 * Writes the k positions of a hash to `out`.
 * @param {Shape} shape
 * @param {number} high of the hash
 * @param {number} low of the hash
 * @param {Float64Array} out at least k long
 */
export function positions(shape, high, low, out) {
  const { bits, hashes, layout } = shape;
  const { linesPerKey, wordBits } = LAYOUTS[layout];
  if (linesPerKey === 0) {
    const slice = layout === 'partitioned' ? bits / hashes : 0;
    for (let j = 0; j < hashes; j++) {
      draw(high, low, j);
      out[j] = j * slice + reduce(RESULT[0], RESULT[1], slice || bits);
    }
    return;
  }
  const lines = bits / LINE_BITS;
  const perLine = hashes / linesPerKey;
  let line = reduce(high, low, lines);
  for (let number = 0; number < linesPerKey; number++) {
    if (number > 0) {
      line = secondLine(line, lines, high, low);
    }
    const inLine = wordBits === LINE_BITS ? anywhere : inWords;
    inLine(number, LINE_BITS * line, perLine, high, low, number * perLine, out);
  }
}

/**
 * Returns another line than the first, by a draw.
 * @param {number} first
 * @param {number} lines
 * @param {number} high
 * @param {number} low
 */
function secondLine(first, lines, high, low) {
  draw(high, low, 4);
  const other = reduce(RESULT[0], RESULT[1], lines - 1);
  return other >= first ? other + 1 : other;
}

/**
 * @param {number} number 0 for the first line of a key, 1 for the second
 * @param {number} base first bit of the line
 * @param {number} count 8 or 16
 * @param {number} high
 * @param {number} low
 * @param {number} start index of the first position to write
 * @param {Float64Array} out
 */
function inWords(number, base, count, high, low, start, out) {
  goldenMultiple(high, low); // in place of draw 0
  let [dHigh, dLow] = RESULT;
  for (let j = 0; j < count; j++) {
    const word = j % 8;
    const index = 2 * number + (j - word) / 8;
    if (word === 0 && index > 0) {
      draw(high, low, index);
      dHigh = RESULT[0];
      dLow = RESULT[1];
    }
    out[start + j] = base + 64 * word + (shiftRight(dHigh, dLow, 58 - 6 * word) & 63);
  }
}

/**
 * @param {number} _number
 * @param {number} base first bit of the line
 * @param {number} count
 * @param {number} high
 * @param {number} low
 * @param {number} start index of the first position to write
 * @param {Float64Array} out
 */
function anywhere(_number, base, count, high, low, start, out) {
  for (let i = 0; i < count; i++) {
    const field = i % 7;
    if (field === 0) {
      draw(high, low, 1 + i / 7);
    }
    out[start + i] = base + (shiftRight(RESULT[0], RESULT[1], 55 - 9 * field) & 511);
  }
}

/**
 * Returns the low 32 bits of a number that is shifted right.
 * @param {number} high
 * @param {number} low
 * @param {number} by 0 to 63
 */
function shiftRight(high, low, by) {
  if (by >= 32) {
    return high >>> (by - 32);
  }
  return by === 0 ? low : (low >>> by) | (high << (32 - by));
}
