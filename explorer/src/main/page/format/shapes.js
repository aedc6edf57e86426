/** What the readers of all kinds share: hash, sizing fields, summaries of the bits. */
import { keyed, xxh3 } from '../core/hashes.js';
import { LAYOUT_NAMES, LAYOUTS, LINE_BITS, MAX_BITS } from '../core/placement.js';
import { bitCount } from '../core/u64.js';
import { requireHashes, requireShape } from '../sizing/bloom.js';
import { exactFpp } from '../sizing/numbers.js';
import { formatNumber } from '../sizing/quantities.js';
import { hex64, KeyNeeded } from './frame.js';

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('../core/hashes.js').KeyHash} KeyHash */
/** @typedef {import('../core/placement.js').Shape} Shape */
/** @typedef {import('../sizing/counts.js').Estimate} Estimate */
/** @typedef {[name: string, text: string]} Fact */

/**
 * @typedef {object} Reading what a reader needs in addition to the frame
 * @property {Uint8Array | null} secret the secret key, if one was given
 * @property {bigint} now nanoseconds since 1970
 */

/**
 * @typedef {object} Content what a file holds
 * @property {string} kind
 * @property {Fact[]} facts under the names and in the words of `tamis info`
 * @property {number} fpp now
 * @property {Estimate} keys
 * @property {KeyHash} hash
 * @property {(high: number, low: number) => boolean} mightContain the key of this hash
 * @property {(cells: number) => Float32Array} density share of set cells, part by part
 * @property {Comparable | null} comparable what two files are compared by
 * @property {string} checksum
 */

/**
 * @typedef {object} Comparable
 * @property {import('../sizing/counts.js').Cells} cells
 * @property {number} words of 32 bits, in which the cells are
 * @property {number} ones number of set bits in them
 * @property {(word: number) => number} word of 32 bits of the array
 */

const HASHES = /** @type {Record<number, [label: string, number: string]>} */ ({
  1: ['xxh3', 'seed'],
  2: ['siphash-2-4', 'key id'],
  16: ['murmur3-128', 'seed'],
  17: ['spark-murmur3', 'seed'],
  18: ['xxh64', 'seed'],
  19: ['fnv1-64', 'seed'],
});

/**
 * Checks that the header names a hash.
 * @param {Frame} frame
 */
export function requireKnownHash(frame) {
  const id = frame.u16(24);
  if (!HASHES[id]) {
    const ids = Object.keys(HASHES).join(', ');
    throw frame.problem(24, 'hash', `hash must be one of [${ids}], got ${id}`);
  }
}

/**
 * Returns the function that the header names.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<KeyHash>}
 */
export async function hashOfFrame(frame, { secret }) {
  requireKnownHash(frame);
  const id = frame.u16(24);
  const number = frame.i64(40);
  const [label, numberName] = HASHES[id];
  if (id === 2) {
    const hash = secret ? await keyed(secret) : null;
    if (hash?.number !== BigInt.asUintN(64, number)) {
      throw new KeyNeeded(number);
    }
    return /** @type {KeyHash} */ (hash);
  }
  if (id !== 1) {
    throw frame.invalid(
      24,
      'hash',
      `xxh3 with seed ${number}, as the hasher has it`,
      `${label} with ${numberName} ${number}`,
    );
  }
  return await xxh3(number);
}

/**
 * Returns the facts about the hash that the header names.
 * @param {Frame} frame
 * @returns {Fact[]}
 */
export function hashFacts(frame) {
  const [label, numberName] = HASHES[frame.u16(24)];
  const number = frame.i64(40);
  return [
    ['hash', label],
    [numberName, label === 'siphash-2-4' ? hex64(number) : String(number)],
  ];
}

/**
 * @typedef {object} SizingFields
 * @property {Shape} shape
 * @property {bigint} expectedKeys
 * @property {number} fpp
 */

/**
 * Reads layout, hashes, bits, keys and fpp.
 * @param {Frame} frame
 * @returns {SizingFields}
 */
export function sizingOfFrame(frame) {
  const id = frame.u16(26);
  const layout = LAYOUT_NAMES.find((name) => LAYOUTS[name].id === id);
  if (!layout) {
    const ids = LAYOUT_NAMES.map((name) => LAYOUTS[name].id).join(', ');
    throw frame.problem(26, 'layout', `layout must be one of [${ids}], got ${id}`);
  }
  const hashes = frame.checked(28, 'hashes', () => requireHashes(layout, frame.u32(28)));
  const found = frame.i64(32);
  frame.range(32, 'bits', 'bits', 1n, BigInt(MAX_BITS), found);
  const shape = frame.checked(32, 'bits', () =>
    requireShape({ layout, bits: Number(found), hashes }),
  );
  const expectedKeys = frame.i64(48);
  if (expectedKeys < 1n) {
    throw frame.problem(48, 'keys', `expectedKeys must be at least 1, got ${expectedKeys}`);
  }
  const fpp = frame.f64(56);
  if (!(fpp > 0 && fpp <= 1)) {
    throw frame.problem(56, 'fpp', `fpp must be in (0, 1], got ${exactFpp(fpp)}`);
  }
  return { shape, expectedKeys, fpp };
}

/**
 * @param {SizingFields} sizing
 * @returns {Fact[]}
 */
export function sizingFacts({ shape, expectedKeys, fpp }) {
  return [
    ['layout', shape.layout],
    ['bits', String(shape.bits)],
    ['hashes', String(shape.hashes)],
    ['expected keys', String(expectedKeys)],
    ['requested fpp', formatNumber(fpp)],
  ];
}

/**
 * Returns an estimate with its interval, such as `1000 (997 to 1003)`.
 * @param {Estimate} estimate
 */
export function formatEstimate({ value, low, high }) {
  return Number.isFinite(high)
    ? `${Math.floor(value + 0.5)} (${Math.round(low)} to ${Math.round(high)})`
    : `not estimable (at least ${Math.round(low)})`;
}

/**
 * Counts the set bits in words of 32 bits.
 * @param {(word: number) => number} word
 * @param {number} from
 * @param {number} to
 */
export function onesBetween(word, from, to) {
  let ones = 0;
  for (let i = from; i < to; i++) {
    ones += bitCount(word(i));
  }
  return ones;
}

/**
 * Returns how many bits are set, and the chance that a random key finds all of its bits set.
 * @param {Shape} shape
 * @param {(word: number) => number} word of 32 bits of the array
 */
export function summarize(shape, word) {
  if (shape.layout === 'classic') {
    const ones = onesBetween(word, 0, Math.ceil(shape.bits / 32));
    return { ones, fpp: (ones / shape.bits) ** shape.hashes };
  }
  return (shape.layout === 'partitioned' ? summarizeSlices : summarizeLines)(shape, word);
}

/**
 * @param {Shape} shape
 * @param {(word: number) => number} word
 */
function summarizeSlices({ bits, hashes }, word) {
  const slice = bits / hashes;
  let ones = 0;
  let fpp = 1;
  for (let j = 0; j < hashes; j++) {
    const inSlice = onesOfBits(word, j * slice, (j + 1) * slice);
    ones += inSlice;
    fpp *= inSlice / slice;
  }
  return { ones, fpp };
}

/**
 * Counts the set bits from one bit to before another.
 * @param {(word: number) => number} word
 * @param {number} start
 * @param {number} end
 */
function onesOfBits(word, start, end) {
  const first = Math.floor(start / 32);
  const last = Math.floor((end - 1) / 32);
  const headMask = -1 << (start - 32 * first);
  const tailMask = -1 >>> (31 - (end - 1 - 32 * last));
  if (first === last) {
    return bitCount(word(first) & headMask & tailMask);
  }
  return (
    bitCount(word(first) & headMask) +
    onesBetween(word, first + 1, last) +
    bitCount(word(last) & tailMask)
  );
}

/**
 * @param {Shape} shape
 * @param {(word: number) => number} word
 */
function summarizeLines({ layout, bits, hashes }, word) {
  const { linesPerKey, wordBits } = LAYOUTS[layout];
  const lines = bits / LINE_BITS;
  const words = LINE_BITS / wordBits;
  const bitsPerWord = hashes / linesPerKey / words;
  let ones = 0;
  let sum = 0;
  let squares = 0;
  for (let line = 0; line < lines; line++) {
    let fpp = 1;
    for (let i = 0; i < words; i++) {
      const at = (line * LINE_BITS + i * wordBits) / 32;
      const count = onesBetween(word, at, at + wordBits / 32);
      ones += count;
      fpp *= (count / wordBits) ** bitsPerWord;
    }
    sum += fpp;
    squares += fpp * fpp;
  }
  // two lines of a key are different ones, so the mean is over all pairs of such
  const ofPairs = (sum * sum - squares) / lines / (lines - 1);
  return { ones, fpp: linesPerKey === 1 ? sum / lines : ofPairs };
}

/**
 * Returns a function that gives the share of set bits in equal parts of an array.
 * @param {number} words of 32 bits
 * @param {(word: number) => number} word
 */
export function densityOf(words, word) {
  return (/** @type {number} */ cells) => {
    const parts = Math.min(cells, words);
    const shares = new Float32Array(parts);
    for (let i = 0; i < parts; i++) {
      const from = Math.floor((i * words) / parts);
      const to = Math.floor(((i + 1) * words) / parts);
      shares[i] = onesBetween(word, from, to) / (32 * (to - from));
    }
    return shares;
  };
}
