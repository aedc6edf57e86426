/** Opens a filter of any kind, and compares two. */

import { bitCount } from '../core/u64.js';
import { overlap } from '../sizing/counts.js';
import { readBloom, readCounting, readScalable, readWindowed } from './blooms.js';
import { SizingError } from '../sizing/numbers.js';
import { FormatError, Frame, HEADER_BYTES } from './frame.js';
import { requireKnownHash } from './shapes.js';
import { hint } from './sniff.js';
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
};

/** The programs that kind 10 has filters of, by number from 1. */
const PROGRAMS = ['guava', 'spark', 'parquet', 'dcso'];

/** The facts in which filters that are compared must agree. */
const MATCHING = ['layout', 'bits', 'hashes', 'hash', 'seed', 'key id', 'counter bits'];

/**
 * Reads the one frame that a file is, and checks all of it.
 * @param {import('./bytes.js').Bytes} bytes
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function openFile(bytes, reading) {
  const head = await openFrame(bytes);
  // the parts of a compound filter all have one hash, and the whole has none
  const hashed =
    head.kind === 'scalable' ? await Frame.open('filter', bytes, HEADER_BYTES, bytes.size) : head;
  requireKnownHash(hashed);
  const kind = /** @type {string} */ (head.kind);
  if (!READERS[kind]) {
    throw new SizingError(`is ${adviceOn(kind, head)}`);
  }
  const content = await READERS[kind](head, reading);
  if (bytes.size > head.size) {
    throw new FormatError('filter', 'end', head.size, 'expected no more bytes, got more');
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

/** @param {import('./bytes.js').Bytes} bytes */
async function openFrame(bytes) {
  try {
    return await Frame.open('filter', bytes, 0, bytes.size);
  } catch (e) {
    const other = e instanceof FormatError ? hint(bytes) : null;
    throw other ? new SizingError(`is not a Tamis filter; ${other}`) : e;
  }
}

/**
 * Returns what a file is that `tamis` reads and this page does not.
 * @param {string} kind
 * @param {Frame} frame
 */
function adviceOn(kind, frame) {
  if (kind !== 'foreign') {
    return `a sketch of kind ${kind}, not a filter; see tamis info`;
  }
  const program = PROGRAMS[frame.u16(26) - 1];
  return program
    ? `a filter of ${program}; see tamis info, or tamis convert --from tamis --to ${program}`
    : 'a filter of an unknown program; see tamis info';
}

/**
 * Returns the overlap of two files, or the reason why they cannot be compared.
 * @param {Content} first
 * @param {Content} second
 */
export function compare(first, second) {
  if (!first.comparable || !second.comparable) {
    const which = first.comparable ? second : first;
    return {
      problem: `kind: must be bloom or counting to be compared, got ${which.kind}`,
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
 * Names the first parameter that must agree and differs; null if all agree.
 * @param {Content} first
 * @param {Content} second
 */
function differenceOf(first, second) {
  if (first.kind !== second.kind) {
    return `kind differs: ${first.kind} and ${second.kind}; build both with the same -n, -p and -t`;
  }
  const theirs = new Map(second.facts);
  for (const [name, text] of first.facts) {
    if (MATCHING.includes(name) && theirs.get(name) !== text) {
      return `${name} differs: ${text} and ${theirs.get(name)}`;
    }
  }
  return null;
}
