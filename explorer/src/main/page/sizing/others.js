/** Sizes of the filters that are not one Bloom filter: cuckoo, windowed, scalable, fuse, ribbon. */
import { MAX_BITS } from '../core/placement.js';
import { layoutFor, solve } from './bloom.js';
import {
  exactFpp,
  roundedFpp,
  requireFpp,
  SizingError,
  sharedHashFpp,
  withSharedHashes,
} from './numbers.js';

/** @typedef {import('./bloom.js').Sizing} Sizing */
/** @typedef {import('../core/placement.js').LayoutName} LayoutName */

// Cuckoo

const CUCKOO_LOAD = 0.95;
const CUCKOO_SLOTS = 4;

/**
 * @param {number} fingerprintBits
 * @param {number} met fingerprints that a query meets
 */
function cuckooFpp(fingerprintBits, met) {
  return -Math.expm1(met * Math.log1p(-1 / (2 ** fingerprintBits - 1)));
}

/**
 * Returns the smallest cuckoo filter for a number of keys at this fpp or better.
 * @param {number} keys
 * @param {number} fpp
 */
export function cuckoo(keys, fpp) {
  requireFpp(fpp);
  let bits = 4 + [32, 2 ** 20, 2 ** 27].filter((upTo) => keys > upTo).length;
  const met = 2 * CUCKOO_SLOTS * CUCKOO_LOAD;
  while (cuckooFpp(bits, met) > fpp) {
    if (bits === 32) {
      throw new SizingError(
        `fpp must be at least ${roundedFpp(cuckooFpp(32, met))}, what fingerprints of 32 bits ` +
          `can have, got ${exactFpp(fpp)}`,
      );
    }
    bits++;
  }
  const full = keys / CUCKOO_LOAD;
  const slots = keys <= 7 ? full : Math.max(full, 1.02 * keys + 2.5 * Math.sqrt(keys) + 24);
  const buckets = 2 * Math.ceil(slots / (2 * CUCKOO_SLOTS));
  if (buckets > Math.floor(Math.floor(MAX_BITS / CUCKOO_SLOTS) / bits)) {
    throw tooManyKeys(keys, fpp);
  }
  return { fingerprintBits: bits, buckets, bits: buckets * CUCKOO_SLOTS * bits };
}

/**
 * @param {number} keys
 * @param {number} fpp
 */
function tooManyKeys(keys, fpp) {
  return new SizingError(
    `${keys} keys at fpp ${exactFpp(fpp)} need more than the ${MAX_BITS} bits that a filter ` +
      'can have; split the keys over several filters',
  );
}

// Scalable

const TIGHTENING = 0.85;

/** The keys of the first stage unless another number is given. */
const INITIAL_KEYS = 1000;

/**
 * Returns the first stage of a scalable filter.
 * @param {number} initialKeys
 * @param {number} fpp of all stages together
 * @param {LayoutName | null} [layout] null for the one that fits
 * @returns {Sizing}
 */
export function firstStage(initialKeys, fpp, layout = null) {
  requireFpp(fpp);
  const first = fpp * (1 - TIGHTENING);
  try {
    return solve({ keys: initialKeys, fpp: first, layout: layout ?? stageLayout(first) });
  } catch (e) {
    const why = e instanceof SizingError ? e.message : String(e);
    throw new SizingError(
      `a filter that grows from ${initialKeys} keys with an fpp of ${exactFpp(fpp)} needs a ` +
        `first stage of ${roundedFpp(first)}, which cannot be: ${why}`,
    );
  }
}

/** @param {number} first fpp of the first stage */
function stageLayout(first) {
  return first >= 2e-3 ? layoutFor(first) : 'split-pair';
}

/**
 * Returns the stage after a full one.
 * @param {Sizing} full
 */
export function nextStage(full) {
  return solve({
    keys: full.expectedKeys * 2,
    fpp: full.fpp * TIGHTENING,
    layout: full.shape.layout,
  });
}

/**
 * Returns the bits of a scalable filter that began small and has grown to `keys` keys.
 * @param {number} keys
 * @param {number} fpp
 */
export function scalableBits(keys, fpp) {
  let stage = firstStage(INITIAL_KEYS, fpp);
  let bits = stage.shape.bits;
  for (let left = keys - INITIAL_KEYS; left > 0; left -= stage.expectedKeys) {
    stage = nextStage(stage);
    bits += stage.shape.bits;
  }
  return bits;
}

// Windowed

const MAX_WINDOW_HASHES = 64;
const MAX_GENERATIONS = 1024;
const SLACK = 0.1;

/** The chance that a random key has its bit in k slices in a row, slice by slice. */
class SliceRuns {
  /** @param {number} hashes k */
  constructor(hashes) {
    this.byRun = new Float64Array(hashes);
    this.byRun[0] = 1;
    this.sum = 0;
  }

  /** @param {number} fill share of the bits of one more slice that are set */
  extend(fill) {
    const { byRun } = this;
    const last = byRun.length - 1;
    this.sum += byRun[last] * fill;
    let ended = 0;
    for (let run = last; run > 0; run--) {
      ended += byRun[run];
      byRun[run] = byRun[run - 1] * fill;
    }
    byRun[0] = (ended + byRun[0]) * (1 - fill);
  }

  get reached() {
    return Math.min(1, this.sum);
  }
}

/**
 * @param {number} hashes
 * @param {number} slices
 * @param {number} load
 */
function worstPhase(hashes, slices, load) {
  const runs = new SliceRuns(hashes);
  for (let age = 0; age < slices; age++) {
    runs.extend(-Math.expm1(-load * Math.min(age + 1, hashes)));
  }
  return runs;
}

/**
 * Returns the chance of k successes in a row for slices of these fills, the youngest first.
 * @param {number} hashes
 * @param {Iterable<number>} fills
 */
export function windowFpp(hashes, fills) {
  const runs = new SliceRuns(hashes);
  for (const fill of fills) {
    runs.extend(fill);
  }
  return runs.reached;
}

/** @type {Map<string, number[]>} by fpp: the search over generations does not depend on the rest */
const HALF_FULL = new Map();

/**
 * Returns a table of `reached` for k half-full slices by generations, as far as needed.
 * @param {number} k
 * @param {number} l
 */
function halfFullReached(k, l) {
  const name = String(k);
  let reached = HALF_FULL.get(name);
  if (!reached) {
    reached = [];
    const runs = worstPhase(k, k, Math.LN2 / k);
    for (let i = 0; i <= MAX_GENERATIONS; i++) {
      reached.push(runs.reached);
      runs.extend(0.5);
    }
    HALF_FULL.set(name, reached);
  }
  return reached[l];
}

/**
 * Returns the smallest windowed filter for a window of `keys` puts.
 * @param {number} keys of the window
 * @param {number} fpp
 */
export function windowed(keys, fpp) {
  requireFpp(fpp);
  /** @param {number} l */
  const generationKeys = (l) => Math.floor((keys - 1) / l) + 1;
  /** @param {number} k @param {number} l */
  const cost = (k, l) => (k === 0 ? Number.POSITIVE_INFINITY : k * (k + l) * generationKeys(l));
  const hashes = fewestHashes(keys, fpp, generationKeys, cost);
  let fewest = Number.POSITIVE_INFINITY;
  for (let l = 1; l < hashes.length; l++) {
    fewest = Math.min(fewest, cost(hashes[l], l));
  }
  for (let l = 1; l < hashes.length; l++) {
    if (fewest < Number.POSITIVE_INFINITY && cost(hashes[l], l) <= 1.05 * fewest) {
      const k = hashes[l];
      const sliceBits = fewestSliceBits(k, l, generationKeys(l), keys, fpp);
      const bits = (k + l) * sliceBits;
      return { hashes: k, generations: l, sliceBits, generationKeys: generationKeys(l), bits };
    }
  }
  throw impossibleWindow(keys, fpp);
}

/**
 * @param {number} keys
 * @param {number} fpp
 * @param {(l: number) => number} generationKeys
 * @param {(k: number, l: number) => number} cost
 */
function fewestHashes(keys, fpp, generationKeys, cost) {
  /** @param {number} l */
  const keepsSlack = (l) =>
    l === keys || (l >= 1 / SLACK - 1e-9 && (l + 1) * generationKeys(l) - keys <= SLACK * keys);
  /** @type {number[]} */
  const hashes = new Array(MAX_GENERATIONS + 1).fill(0);
  let fewest = Number.POSITIVE_INFINITY;
  let k = 1;
  for (let l = 1; l <= MAX_GENERATIONS && k * keys <= fewest; l++) {
    if (!keepsSlack(l)) {
      continue;
    }
    while (k < MAX_WINDOW_HASHES && halfFullReached(k, l) > fpp) {
      k++;
    }
    if (halfFullReached(k, l) > fpp) {
      break;
    }
    hashes[l] = k;
    fewest = Math.min(fewest, cost(k, l));
  }
  return hashes;
}

/**
 * @param {number} k
 * @param {number} l
 * @param {number} generationKeys
 * @param {number} keys
 * @param {number} fpp
 */
function fewestSliceBits(k, l, generationKeys, keys, fpp) {
  /** @param {number} words */
  const worst = (words) => worstWindowFpp(k, l, words * 64, generationKeys);
  let enough = Math.floor(Math.floor(MAX_BITS / (k + l)) / 64);
  if (worst(enough) > fpp) {
    throw impossibleWindow(keys, fpp);
  }
  let tooFew = 0;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (worst(middle) > fpp) {
      tooFew = middle;
    } else {
      enough = middle;
    }
  }
  return enough * 64;
}

/**
 * Returns the fpp when all generations were full and the youngest is about to end.
 * @param {number} k
 * @param {number} l
 * @param {number} sliceBits
 * @param {number} generationKeys
 */
export function worstWindowFpp(k, l, sliceBits, generationKeys) {
  const load = -generationKeys * Math.log1p(-1 / sliceBits);
  return withSharedHashes(worstPhase(k, k + l, load).reached, generationKeys * (l + 1));
}

/**
 * @param {number} keys
 * @param {number} fpp
 */
function impossibleWindow(keys, fpp) {
  const shared = sharedHashFpp(keys);
  const reason =
    fpp <= shared
      ? `the chance to share a 64-bit hash alone is ${roundedFpp(shared)}`
      : `a filter has at most ${MAX_BITS} bits`;
  return new SizingError(
    `no window of ${keys} keys has an fpp of ${exactFpp(fpp)} or less: ${reason}`,
  );
}

// Binary fuse

/**
 * Returns the bits of a fingerprint for an fpp.
 * @param {number} fpp
 */
export function fuseFingerprintBits(fpp) {
  requireFpp(fpp);
  let bits = 1;
  while (2 ** -bits > fpp) {
    bits++;
  }
  if (bits > 32) {
    throw new SizingError(`fpp must be at least 2^-32 (2.33e-10), got ${exactFpp(fpp)}`);
  }
  return bits;
}

/**
 * Returns the bits of a fuse filter with three slots for a key.
 * @param {number} keys
 * @param {number} fpp
 */
export function fuseBits(keys, fpp) {
  const wanted = 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(keys / 2 ** 21))));
  const shards = Math.min(2 ** 20, wanted);
  const mean = keys / shards;
  const fullest = Math.ceil(mean + Math.sqrt(2 * Math.log(shards) * mean));
  if (fullest > 2 ** 30) {
    throw new SizingError(`keys of a shard must be 0 to ${2 ** 30}, got ${fullest}`);
  }
  const logKeys = Math.log(Math.max(1, fullest));
  const exponent = Math.floor(logKeys / Math.log(3.33) + 2.25);
  const segmentLength = Math.min(2 ** 18, 2 ** Math.max(0, exponent));
  const perKey = Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / logKeys);
  const slots = fullest < 2 ? 0 : Math.round(fullest * perKey);
  const segments = Math.max(3, Math.ceil(slots / segmentLength));
  return shards * segments * segmentLength * fuseFingerprintBits(fpp);
}

// Ribbon

const RIBBON_MAX_KEYS = 2 ** 41;
const KEYS_PER_START = 1.05;
const BUMPED = 0.0481;

/**
 * Predicts the bits of a ribbon filter, all layers included.
 * @param {number} keys
 * @param {number} fpp
 */
export function ribbonBits(keys, fpp) {
  if (keys > RIBBON_MAX_KEYS) {
    throw new SizingError(`keys must be 0 to ${RIBBON_MAX_KEYS}, got ${keys}`);
  }
  const bitsPerSlot = ribbonBitsPerSlot(ribbonColumnsFpp(keys, fpp));
  let bits = 0;
  let left = keys;
  while (left > 0) {
    const blocks = 1 + Math.ceil(left / (KEYS_PER_START * 64));
    bits += blocks * 64 * bitsPerSlot;
    left = blocks > 2 ? Math.floor(BUMPED * left + 0.5) : 0;
  }
  return Math.ceil(bits);
}

/**
 * Returns the fpp that equal hashes leave for the columns.
 * @param {number} keys
 * @param {number} fpp
 */
function ribbonColumnsFpp(keys, fpp) {
  requireFpp(fpp);
  if (fpp < 2 ** -31) {
    throw new SizingError(`fpp must be at least 2^-31, got ${exactFpp(fpp)}`);
  }
  const shared = sharedHashFpp(keys);
  if (fpp - shared < 2 ** -32) {
    throw new SizingError(
      `fpp must be at least ${roundedFpp(2 ** -32 + shared)} for ${keys} keys, of which ` +
        `${roundedFpp(shared)} is the chance to share a 64-bit hash, got ${exactFpp(fpp)}`,
    );
  }
  return fpp - shared;
}

/** @param {number} fpp */
function ribbonBitsPerSlot(fpp) {
  let columns = 1;
  while (columns < 32 && 2 ** -columns > fpp) {
    columns++;
  }
  const narrow = fpp * 2 ** columns - 1;
  return columns - narrow + 2 / 128;
}
