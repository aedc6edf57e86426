/** How many keys a filter has, and two have in common, from set bits: docs/math.md. */
import { LAYOUTS, LINE_BITS } from '../core/placement.js';

/** @typedef {import('../core/placement.js').Shape} Shape */

/**
 * @typedef {object} Estimate
 * @property {number} value
 * @property {number} low
 * @property {number} high
 */

/** The quantile of the normal distribution for 95 %. */
export const QUANTILE = 1.959963984540054;

/**
 * @typedef {object} Cells what one key does to the cells of a filter
 * @property {number} blocks
 * @property {number} cells of a block
 * @property {number} wordCells among which a throw chooses
 * @property {number} picks blocks that a key throws into
 * @property {number} hit chance that a key fills a given cell of a block it picks
 * @property {number} sameWord excess chance that two cells of one word both stay empty
 * @property {number} otherWord the same for two cells of different words
 */

/**
 * @param {number} blocks
 * @param {number} cells
 * @param {number} wordCells
 * @param {number} picks
 * @param {number} throwsPerWord
 * @returns {Cells}
 */
export function words(blocks, cells, wordCells, picks, throwsPerWord) {
  const hit = -Math.expm1(throwsPerWord * Math.log1p(-1 / wordCells));
  const either = -Math.expm1(throwsPerWord * Math.log1p(-2 / wordCells));
  return { blocks, cells, wordCells, picks, hit, sameWord: 2 * hit - either, otherWord: hit * hit };
}

/**
 * @param {Shape} shape
 * @returns {Cells}
 */
export function cellsOf({ layout, bits, hashes }) {
  const { linesPerKey, wordBits, hashStep } = LAYOUTS[layout];
  if (linesPerKey > 0) {
    return words(bits / LINE_BITS, LINE_BITS, wordBits, linesPerKey, hashes / hashStep);
  }
  return layout === 'partitioned'
    ? words(1, bits, bits / hashes, 1, 1)
    : words(1, bits, bits, 1, hashes);
}

/** @param {Cells} cells */
function logEmptyPerKey({ picks, hit, blocks }) {
  return Math.log1p((-picks * hit) / blocks);
}

/**
 * Returns the expected number of set bits with a number of distinct keys.
 * @param {Shape} shape
 * @param {number} keys
 */
export function expectedOnes(shape, keys) {
  return shape.bits * -Math.expm1(keys * logEmptyPerKey(cellsOf(shape)));
}

/**
 * Estimates the number of distinct keys from the set bits, with its 95 % interval.
 * @param {Shape} shape
 * @param {number} ones
 * @returns {Estimate}
 */
export function keysFromOnes(shape, ones) {
  return keysInCells(cellsOf(shape), ones);
}

/**
 * Estimates the number of distinct keys in any cells.
 * @param {Cells} cells
 * @param {number} ones
 * @returns {Estimate}
 */
export function keysInCells(cells, ones) {
  const bits = cells.blocks * cells.cells;
  const perKey = logEmptyPerKey(cells);
  if (ones === bits) {
    const infinite = Number.POSITIVE_INFINITY;
    return { value: infinite, low: Math.log1p(-(ones - 1) / bits) / perKey, high: infinite };
  }
  const keys = ones === 0 ? 0 : Math.log1p(-ones / bits) / perKey;
  const load = (cells.picks * keys) / cells.blocks;
  const error = standardError(cells, (excess) => Math.expm1(load * excess), cells.picks * keys);
  return wholeAround(keys, QUANTILE * error);
}

/**
 * @param {number} value
 * @param {number} margin
 * @returns {Estimate}
 */
function wholeAround(value, margin) {
  return { value, low: Math.floor(Math.max(0, value - margin)), high: Math.ceil(value + margin) };
}

/**
 * @param {Cells} cells
 * @param {(excess: number) => number} covariance
 * @param {number} fixedThrows
 */
function standardError(cells, covariance, fixedThrows) {
  const perPick = cells.cells * cells.hit;
  const sum =
    cells.cells * covariance(cells.hit) +
    cells.cells * (cells.wordCells - 1) * covariance(cells.sameWord) +
    cells.cells * (cells.cells - cells.wordCells) * covariance(cells.otherWord);
  const variance = (cells.blocks * sum) / (perPick * perPick) - fixedThrows;
  return Math.sqrt(Math.max(0, variance)) / cells.picks;
}

/**
 * @typedef {object} Overlap
 * @property {Estimate} first
 * @property {Estimate} second
 * @property {Estimate} union
 * @property {Estimate} intersection
 * @property {Estimate | null} jaccard null for two empty filters, or if the union is full
 */

/**
 * Returns what two filters with the same cells and seed have in common.
 * @param {Cells} cells
 * @param {number} firstOnes
 * @param {number} secondOnes
 * @param {number} unionOnes
 * @returns {Overlap}
 */
export function overlap(cells, firstOnes, secondOnes, unionOnes) {
  const first = keysInCells(cells, firstOnes);
  const second = keysInCells(cells, secondOnes);
  const union = keysInCells(cells, unionOnes);
  const most = Math.min(first.high, second.high);
  if (!Number.isFinite(union.high)) {
    const least = Math.min(first.value, second.value);
    return {
      first,
      second,
      union,
      intersection: { value: least, low: 0, high: most },
      jaccard: null,
    };
  }
  const both = Math.max(0, first.value + second.value - union.value);
  const parts = {
    onlyFirst: Math.max(0, first.value - both),
    onlySecond: Math.max(0, second.value - both),
    both,
  };
  const value = Math.min(both, most);
  const around = wholeAround(value, QUANTILE * partsError(cells, parts, 1));
  const high = Math.max(value, Math.min(most, around.high));
  return {
    first,
    second,
    union,
    intersection: { value, low: around.low, high },
    jaccard: jaccard(cells, parts),
  };
}

/** @typedef {{onlyFirst: number, onlySecond: number, both: number}} Parts */

/**
 * Returns the standard error of |first| + |second| − r·|union|.
 * @param {Cells} cells
 * @param {Parts} parts
 * @param {number} r
 */
function partsError(cells, parts, r) {
  const scale = cells.picks / cells.blocks;
  const only = (1 - r) * (1 - r);
  const twice = (2 - r) * (2 - r);
  return standardError(
    cells,
    (excess) => {
      const a = Math.expm1(parts.onlyFirst * scale * excess);
      const b = Math.expm1(parts.onlySecond * scale * excess);
      const c = Math.expm1(parts.both * scale * excess);
      return only * (a + b) * (1 + c) + twice * c + r * r * a * b * (1 + c);
    },
    cells.picks * (only * (parts.onlyFirst + parts.onlySecond) + twice * parts.both),
  );
}

/**
 * @param {Cells} cells
 * @param {Parts} parts
 * @returns {Estimate | null}
 */
function jaccard(cells, { onlyFirst, onlySecond, both }) {
  const union = onlyFirst + onlySecond + both;
  if (union === 0) {
    return null;
  }
  const only = onlyFirst + onlySecond;
  const ofFirst = only === 0 ? 0.5 : onlyFirst / only;
  /** @param {number} share */
  const reach = (share) => {
    const left = (1 - share) * union;
    const parts = {
      onlyFirst: ofFirst * left,
      onlySecond: (1 - ofFirst) * left,
      both: share * union,
    };
    return (QUANTILE * partsError(cells, parts, 1 + share)) / union;
  };
  const value = both / union;
  return {
    value,
    low: Math.max(0, scoreEnd(value, 0, reach) - 1 / union),
    high: Math.min(1, scoreEnd(value, 1, reach) + 1 / union),
  };
}

/**
 * Returns the last share on the way to a limit that reaches back to the value.
 * @param {number} value
 * @param {number} limit
 * @param {(share: number) => number} reach
 */
function scoreEnd(value, limit, reach) {
  if (Math.abs(limit - value) <= reach(limit)) {
    return limit;
  }
  let inside = value;
  let out = limit;
  for (let i = 0; i < 50; i++) {
    const middle = (inside + out) / 2;
    if (Math.abs(middle - value) <= reach(middle)) {
      inside = middle;
    } else {
      out = middle;
    }
  }
  return out;
}
