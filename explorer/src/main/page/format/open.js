/** Opens a file of any kind, and compares two. */

import { bitCount } from '../core/u64.js';
import { overlap } from '../sizing/counts.js';
import { readBloom, readCounting, readScalable, readWindowed } from './blooms.js';
import { readForeign } from './foreign.js';
import { FormatError, Frame, HEADER_BYTES } from './frame.js';
import { requireKnownHash } from './shapes.js';
import { readCountMin, readDistinct } from './sketches.js';
import { readCuckoo, readFuse, readRibbon } from './tables.js';

/** @typedef {import('./shapes.js').Content} Content */
/** @typedef {import('./shapes.js').Reading} Reading */

/** @type {Record<string, (frame: Frame, reading: Reading) => Promise<Content>>} */
const READERS = {
  bloom: readBloom,
  scalable: readScalable,
  counting: readCounting,
  cuckoo: readCuckoo,
  windowed: readWindowed,
  fuse: readFuse,
  ribbon: readRibbon,
  'count-min': readCountMin,
  distinct: readDistinct,
  foreign: readForeign,
};

/** The facts in which filters that are compared must agree. */
const MATCHING = ['layout', 'bits', 'hashes', 'hash', 'seed', 'key id', 'counter bits'];

const MATCHING_FOREIGN = [
  ...['format', 'strategy', 'version', 'algorithm', 'expected keys', 'requested fpp'],
  ...MATCHING,
];

/**
 * Reads the one frame that a file is, and checks all of it.
 * @param {import('./bytes.js').Bytes} bytes
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function openFile(bytes, reading) {
  const head = await Frame.open('filter', bytes, 0, bytes.size);
  // the parts of a compound filter all have one hash, and the whole has none
  const hashed =
    head.kind === 'scalable' ? await Frame.open('filter', bytes, HEADER_BYTES, bytes.size) : head;
  requireKnownHash(hashed);
  const kind = /** @type {string} */ (head.kind);
  const isSketch = kind === 'count-min' || kind === 'distinct';
  head.what = isSketch ? 'sketch' : 'filter';
  const content = await READERS[kind](head, reading);
  if (bytes.size > head.size) {
    throw new FormatError(head.what, 'end', head.size, 'expected no more bytes, got more');
  }
  return {
    ...content,
    facts: [
      ['kind', kind],
      ...content.facts,
      ['bytes', String(bytes.size)],
      ['checksum', content.checksum],
    ],
  };
}

/**
 * Returns what two files have in common, or the reason why that cannot be told.
 * @param {Content} first
 * @param {Content} second
 */
export function compare(first, second) {
  if (!first.comparable || !second.comparable) {
    const which = first.comparable ? second : first;
    return {
      problem: `kind: must be bloom, counting or foreign to be compared, got ${which.kind}`,
    };
  }
  const difference = differenceOf(first, second);
  if (difference) {
    return { problem: difference };
  }
  const { cells, words, ones, word } = first.comparable;
  const other = second.comparable;
  let union = 0;
  for (let i = 0; i < words; i++) {
    union += bitCount(word(i) | other.word(i));
  }
  return { overlap: overlap(cells, ones, other.ones, union) };
}

/**
 * Names the first parameter in which two files differ that must agree; null if there is none.
 * @param {Content} first
 * @param {Content} second
 */
function differenceOf(first, second) {
  if (first.kind !== second.kind) {
    return `kind differs: ${first.kind} and ${second.kind}; build both with the same -n, -p and -t`;
  }
  const theirs = new Map(second.facts);
  const matching = first.kind === 'foreign' ? MATCHING_FOREIGN : MATCHING;
  for (const [name, text] of first.facts) {
    if (matching.includes(name) && theirs.get(name) !== text) {
      return `${name} differs: ${text} and ${theirs.get(name)}`;
    }
  }
  return null;
}
