/** Fills a filter with random keys and counts its false positives, chunk by chunk. */
import { positions } from './core/placement.js';
import { draw, RESULT } from './core/u64.js';
import { onesBetween } from './format/shapes.js';
import { fppOf } from './sizing/bloom.js';
import { expectedOnes, QUANTILE } from './sizing/counts.js';

/** @typedef {import('./core/placement.js').Shape} Shape */

/** The keys between two reports. */
const CHUNK = 1 << 16;

/**
 * @typedef {object} Measured
 * @property {Shape} shape
 * @property {'filling' | 'querying' | 'done'} phase
 * @property {number} keys put so far
 * @property {number} queries of keys that were not put
 * @property {number} falsePositives
 * @property {number} fpp measured
 * @property {number} low of its interval of 95 %
 * @property {number} high
 * @property {number} predicted
 * @property {number} ones
 * @property {number} expectedOnes
 */

/**
 * Measures one shape; yields after each chunk.
 *
 * The keys are random 64-bit hashes, which is what XXH3 makes of any distinct keys. Those put and
 * those queried come from two generators, whose numbers do not meet in practice.
 *
 * @param {Shape} shape
 * @param {number} keys
 * @param {number} queries
 * @param {number} seed 0 to 2^32 - 1
 * @returns {Generator<Measured>}
 */
export function* measure(shape, keys, queries, seed) {
  const words = new Int32Array(2 * Math.ceil(shape.bits / 64));
  const found = new Float64Array(shape.hashes);
  const predicted = fppOf(shape, keys);
  const expected = expectedOnes(shape, keys);
  /** @type {Measured} */
  const state = {
    shape,
    phase: 'filling',
    keys: 0,
    queries: 0,
    falsePositives: 0,
    fpp: 0,
    low: 0,
    high: 1,
    predicted,
    ones: 0,
    expectedOnes: expected,
  };
  for (let i = 0; i < keys; i++) {
    draw(seed, 1, i);
    positions(shape, RESULT[0], RESULT[1], found);
    for (let j = 0; j < found.length; j++) {
      const bit = found[j];
      words[Math.floor(bit / 32)] |= 1 << (bit % 32);
    }
    state.keys = i + 1;
    if (state.keys % CHUNK === 0) {
      yield state;
    }
  }
  state.ones = onesBetween((word) => words[word], 0, words.length);
  state.phase = 'querying';
  for (let i = 0; i < queries; i++) {
    draw(seed, 2, i);
    positions(shape, RESULT[0], RESULT[1], found);
    let set = true;
    for (let j = 0; j < found.length && set; j++) {
      const bit = found[j];
      set = ((words[Math.floor(bit / 32)] >>> (bit % 32)) & 1) !== 0;
    }
    state.falsePositives += set ? 1 : 0;
    state.queries = i + 1;
    if (state.queries % CHUNK === 0) {
      Object.assign(state, interval(state.falsePositives, state.queries));
      yield state;
    }
  }
  Object.assign(state, interval(state.falsePositives, state.queries), { phase: 'done' });
  yield state;
}

/**
 * Returns a share with its score interval of 95 % (Wilson 1927).
 * @param {number} hits
 * @param {number} tries at least 1
 */
export function interval(hits, tries) {
  const z2 = QUANTILE * QUANTILE;
  const share = hits / tries;
  const centre = (share + z2 / (2 * tries)) / (1 + z2 / tries);
  const margin =
    (QUANTILE / (1 + z2 / tries)) *
    Math.sqrt((share * (1 - share)) / tries + z2 / (4 * tries * tries));
  return {
    fpp: share,
    low: hits === 0 ? 0 : centre - margin,
    high: hits === tries ? 1 : centre + margin,
  };
}
