/** Sizes of the filters that are not one Bloom filter: cuckoo, windowed, scalable, fuse, ribbon. */
import { MAX_BITS } from '../core/placement.js';
import { meanOverLoad } from './blocks.js';
import { layoutFor, solve } from './bloom.js';
import {
  exactFpp,
  firstTrue,
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

/** The generations that a windowed filter has at once: those of a window, and the present one. */
export const GENERATIONS = 8;

/** The cells of a key in a block, one in each of as many rows. */
const WINDOW_ROWS = 8;

const CELLS_PER_ROW = 16;

/** The bits of a block: a byte for each cell. */
export const WINDOW_BLOCK_BITS = WINDOW_ROWS * CELLS_PER_ROW * GENERATIONS;

/** The most blocks that a key has cells in. */
export const MAX_BLOCKS_PER_KEY = 4;

/** How many more bits than the fewest may be taken for fewer blocks of a key. */
const BITS_FOR_SPEED = 1.2;

const LOG_MISSED = Math.log1p(-1 / CELLS_PER_ROW);

/** The least result of the alternating sum that still has four digits. */
const LEAST_SUM = 1e-10;

/**
 * Returns the probability that one generation of `keys` keys has all cells of another key.
 * @param {number} blocksPerKey b
 * @param {number} blocks N, of a section
 * @param {number} keys
 */
function generationFpp(blocksPerKey, blocks, keys) {
  let sum = 1;
  let binomial = 1;
  for (let i = 1; i <= WINDOW_ROWS; i++) {
    binomial *= -(WINDOW_ROWS + 1 - i) / i;
    sum += binomial * Math.exp(keys * Math.log1p(Math.expm1(i * LOG_MISSED) / blocks));
  }
  const hit = (/** @type {number} */ load) => (-Math.expm1(load * LOG_MISSED)) ** WINDOW_ROWS;
  const mean = sum >= LEAST_SUM ? sum : meanOverLoad(keys, 1 / blocks, hit);
  return Math.min(1, mean) ** blocksPerKey;
}

/**
 * Returns the fpp when the window is full and the present generation about to end.
 * @param {number} blocksPerKey
 * @param {number} blocks
 * @param {number} generationKeys
 */
function worstWindowFpp(blocksPerKey, blocks, generationKeys) {
  const hit = generationFpp(blocksPerKey, blocks, generationKeys);
  const fpp = -Math.expm1(GENERATIONS * Math.log1p(-hit));
  return withSharedHashes(fpp, generationKeys * GENERATIONS);
}

/**
 * Returns the most blocks of a section.
 * @param {number} blocksPerKey
 */
export function mostWindowBlocks(blocksPerKey) {
  return Math.floor(MAX_BITS / WINDOW_BLOCK_BITS / blocksPerKey);
}

/**
 * Returns the windowed filter for a window of `keys` puts: the fewest blocks per key that take at
 * most a fifth more bits than the best.
 * @param {number} keys of the window
 * @param {number} fpp
 */
export function windowed(keys, fpp) {
  requireFpp(fpp);
  const generationKeys = Math.floor((keys - 1) / (GENERATIONS - 1)) + 1;
  const blocks = Array.from(
    { length: MAX_BLOCKS_PER_KEY },
    (_, i) => (i + 1) * fewestWindowBlocks(i + 1, generationKeys, fpp),
  );
  const fewest = Math.min(...blocks);
  const perKey = 1 + blocks.findIndex((all) => all <= BITS_FOR_SPEED * fewest);
  if (fewest === Number.POSITIVE_INFINITY) {
    throw impossibleWindow(keys, fpp);
  }
  return { hashes: perKey * WINDOW_ROWS, bits: blocks[perKey - 1] * WINDOW_BLOCK_BITS };
}

/**
 * Returns the fewest blocks of a section; infinitely many if there is no such filter.
 * @param {number} blocksPerKey
 * @param {number} generationKeys
 * @param {number} fpp
 */
function fewestWindowBlocks(blocksPerKey, generationKeys, fpp) {
  const enough = (/** @type {number} */ blocks) =>
    worstWindowFpp(blocksPerKey, blocks, generationKeys) <= fpp;
  const most = mostWindowBlocks(blocksPerKey);
  return enough(most) ? firstTrue(1, most, enough) : Number.POSITIVE_INFINITY;
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
