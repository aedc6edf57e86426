/** Where the bits of a key are in each layout: docs/format.md, "Where the bits of a key are". */
import { draw, mulHigh32, RESULT, reduce } from './u64.js';

/** The bits of a line, which the blocked layouts keep a key within. */
export const LINE_BITS = 512;

/** The most bits of a filter. */
export const MAX_BITS = 2 ** 44;

/** @typedef {'classic' | 'partitioned' | 'line' | 'split' | 'two-lines' | 'split-pair'} LayoutName */

/**
 * @typedef {object} LayoutRules the limits that a layout adds
 * @property {number} id in files
 * @property {number} minHashes
 * @property {number} maxHashes
 * @property {number} hashStep
 * @property {boolean} blocked
 * @property {(hashes: number) => number} granularity of which the bits are a multiple
 * @property {(hashes: number) => number} minBits
 */

/** @type {Record<LayoutName, LayoutRules>} */
export const LAYOUTS = {
  classic: rules(
    1,
    1,
    32,
    1,
    false,
    () => 1,
    () => 64,
  ),
  partitioned: rules(
    2,
    1,
    32,
    1,
    false,
    (k) => k,
    (k) => 2 * k,
  ),
  line: rules(
    3,
    1,
    16,
    1,
    true,
    () => LINE_BITS,
    () => LINE_BITS,
  ),
  split: rules(
    4,
    8,
    16,
    8,
    true,
    () => LINE_BITS,
    () => LINE_BITS,
  ),
  'two-lines': rules(
    5,
    2,
    32,
    2,
    true,
    () => LINE_BITS,
    () => 2 * LINE_BITS,
  ),
  'split-pair': rules(
    6,
    16,
    32,
    16,
    true,
    () => LINE_BITS,
    () => 2 * LINE_BITS,
  ),
};

/** @type {LayoutName[]} */
export const LAYOUT_NAMES = /** @type {LayoutName[]} */ (Object.keys(LAYOUTS));

/**
 * @param {number} id
 * @param {number} minHashes
 * @param {number} maxHashes
 * @param {number} hashStep
 * @param {boolean} blocked
 * @param {(hashes: number) => number} granularity
 * @param {(hashes: number) => number} minBits
 * @returns {LayoutRules}
 */
function rules(id, minHashes, maxHashes, hashStep, blocked, granularity, minBits) {
  return { id, minHashes, maxHashes, hashStep, blocked, granularity, minBits };
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
  const { bits, hashes } = shape;
  const lines = bits / LINE_BITS;
  switch (shape.layout) {
    case 'classic':
      for (let j = 0; j < hashes; j++) {
        draw(high, low, j);
        out[j] = reduce(RESULT[0], RESULT[1], bits);
      }
      break;
    case 'partitioned': {
      const slice = bits / hashes;
      for (let j = 0; j < hashes; j++) {
        draw(high, low, j);
        out[j] = j * slice + reduce(RESULT[0], RESULT[1], slice);
      }
      break;
    }
    case 'split':
      splitPositions(0, LINE_BITS * reduce(high, low, lines), hashes, high, low, 0, out);
      break;
    case 'line':
      linePositions(0, LINE_BITS * reduce(high, low, lines), hashes, high, low, 0, out);
      break;
    case 'two-lines': {
      const first = reduce(high, low, lines);
      const second = secondLine(first, lines, high, low, 9);
      linePositions(0, LINE_BITS * first, hashes / 2, high, low, 0, out);
      linePositions(1, LINE_BITS * second, hashes / 2, high, low, hashes / 2, out);
      break;
    }
    case 'split-pair': {
      const first = reduce(high, low, lines);
      const second = secondLine(first, lines, high, low, 4);
      splitPositions(0, LINE_BITS * first, hashes / 2, high, low, 0, out);
      splitPositions(1, LINE_BITS * second, hashes / 2, high, low, hashes / 2, out);
      break;
    }
  }
}

/**
 * Returns another line than the first, by a draw.
 * @param {number} first
 * @param {number} lines
 * @param {number} high
 * @param {number} low
 * @param {number} index of the draw
 */
function secondLine(first, lines, high, low, index) {
  draw(high, low, index);
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
function splitPositions(number, base, count, high, low, start, out) {
  // the hash times 9E3779B97F4A7C15, in place of draw 0
  let dHigh = mulHigh32(low, 0x7f4a7c15) + Math.imul(high, 0x7f4a7c15) + Math.imul(low, 0x9e3779b9);
  let dLow = Math.imul(low, 0x7f4a7c15);
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
 * @param {number} number 0 for the first line of a key, 1 for the second
 * @param {number} base first bit of the line
 * @param {number} count
 * @param {number} high
 * @param {number} low
 * @param {number} start index of the first position to write
 * @param {Float64Array} out
 */
function linePositions(number, base, count, high, low, start, out) {
  for (let i = 0; i < count; i++) {
    const field = i % 7;
    if (field === 0) {
      draw(high, low, 1 + 4 * number + i / 7);
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
