/**
 * Kind 10: the filters of other programs. docs/format.md has the fields; where the bits of a key are
 * follows from those programs' sources.
 */
import { FNV_1, MURMUR_128, sparkMurmur, xxh64 } from '../core/foreign.js';
import { MAX_BITS } from '../core/placement.js';
import { bitCount, toBigInt } from '../core/u64.js';
import { cellsOf, cellsOfWordBlocks, keysInCells } from '../sizing/counts.js';
import { exactFpp } from '../sizing/numbers.js';
import { formatNumber } from '../sizing/quantities.js';
import { SwappedWords, Words } from './bytes.js';
import { HEADER_BYTES } from './frame.js';
import { densityOf, formatEstimate, hashFacts, onesBetween } from './shapes.js';

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./shapes.js').Content} Content */
/** @typedef {import('./shapes.js').Fact} Fact */
/** @typedef {import('../core/hashes.js').KeyHash} KeyHash */
/** @typedef {import('../core/keys.js').KeyForm} KeyForm */
/** @typedef {import('./shapes.js').Comparable} Comparable */

/**
 * @typedef {object} Foreign a filter of another program
 * @property {Fact[]} variant what the format says of it
 * @property {number} bits
 * @property {number} hashId in the header
 * @property {KeyHash} hash
 * @property {KeyForm[]} forms of keys that the program has
 * @property {(i: number) => number} word of 32 bits of the array
 * @property {() => {fpp: number, comparable: Comparable}} state
 * @property {(...hash: number[]) => boolean} mightContain
 */

/** @type {[label: string, read: (input: Input) => Foreign | Promise<Foreign>][]} */
const FORMATS = [
  ['guava', readGuava],
  ['spark', readSpark],
  ['parquet', readParquet],
  ['dcso', readDcso],
];

/** The most hashes of a key in Spark's filters and DCSO's. */
const MAX_HASHES = 1075;

/**
 * Reads a filter of another program.
 * @param {Frame} frame
 * @returns {Promise<Content>}
 */
export async function readForeign(frame) {
  const id = frame.u16(26);
  frame.range(26, 'foreign format', 'foreign format', 1, FORMATS.length, id);
  frame.expectZeros(28, 40);
  frame.expectZeros(48);
  const [format, read] = FORMATS[id - 1];
  const input = new Input(frame);
  const foreign = await read(input);
  const { bits, hash, hashId, word } = foreign;
  /** @type {Fact[]} */
  const traits = [['format', format], ...foreign.variant, ['bits', String(bits)]];
  frame.expectPayload(input.at, `the filter of ${format}`);
  frame.expect(24, 'hash', hashId, frame.u16(24));
  frame.expect(40, 'seed', hash.number, frame.i64(40));
  const checksum = await frame.finish();
  const { fpp, comparable } = foreign.state();
  const keys = keysInCells(comparable.cells, comparable.ones);
  const ones = onesBetween(word, 0, Math.ceil(bits / 32));
  return {
    kind: 'foreign',
    facts: [
      ...traits,
      ...hashFacts(frame),
      ['set bits', String(ones)],
      ['filled', formatNumber(ones / bits)],
      ['keys', formatEstimate(keys)],
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys,
    hash,
    forms: foreign.forms,
    mightContain: foreign.mightContain,
    count: null,
    density: densityOf(Math.ceil(bits / 32), word),
    comparable,
    checksum,
  };
}

/** The payload, read field by field; refuses in the words of `tamis info`. */
class Input {
  /** @param {Frame} frame */
  constructor(frame) {
    this.frame = frame;
    this.payloadBytes = frame.payloadBytes ?? 0;
    this.at = 0;
  }

  /** Where the next byte is in the file. */
  get start() {
    return this.frame.start + HEADER_BYTES + this.at;
  }

  /**
   * @param {number} length
   * @param {string} field
   */
  take(length, field) {
    const { start } = this;
    if (start + length > this.frame.bytes.size) {
      throw this.frame.endOfInput(field);
    }
    this.at += length;
    return start;
  }

  /**
   * @param {number} length
   * @param {string} field
   */
  view(length, field) {
    const start = this.take(length, field);
    return new DataView(this.frame.bytes.copy(start, length).buffer);
  }

  /** @param {string} field */
  u8(field) {
    return this.view(1, field).getUint8(0);
  }

  /** @param {string} field a number with its highest byte first */
  i32(field) {
    return this.view(4, field).getInt32(0);
  }

  /** @param {string} field a number with its lowest byte first */
  i64(field) {
    return this.view(8, field).getBigInt64(0, true);
  }

  /** @param {string} field a number with its lowest byte first */
  f64(field) {
    return this.view(8, field).getFloat64(0, true);
  }

  /**
   * @param {number} at
   * @param {string} field
   * @param {string | number} expected
   * @param {string | number | bigint} got
   */
  invalid(at, field, expected, got) {
    return this.frame.invalid(HEADER_BYTES + at, field, expected, got);
  }

  /**
   * Returns a number that was read at `at` if it is in a range.
   * @param {number} at
   * @param {string} field
   * @param {number | bigint} least
   * @param {number | bigint} most
   * @param {number | bigint} found
   */
  inRange(at, field, least, most, found) {
    if (found < least || found > most) {
      const expected = least === most ? `${least}` : `${least} to ${most}`;
      throw this.invalid(at, field, expected, found);
    }
    return Number(found);
  }

  /** Reads how many words of 64 bits there are, the highest byte first, and the words likewise. */
  countedWords() {
    const { at } = this;
    const count = this.inRange(at, 'number of words', 1, 2 ** 31 - 1, this.i32('number of words'));
    const start = this.words(at, count);
    return { bits: 64 * count, words: new SwappedWords(this.frame.bytes, start) };
  }

  /**
   * Passes over words of 64 bits; returns where they begin.
   * @param {number} at where their number was read
   * @param {number} count
   */
  words(at, count) {
    const most = Math.floor(this.payloadBytes / 8);
    if (count > most) {
      const limit = `at most ${most}, for the limit given of ${this.payloadBytes} bytes`;
      throw this.invalid(at, 'number of words', limit, count);
    }
    return this.take(8 * count, 'bits');
  }

  /** Passes over what is left; returns how many bytes that is. */
  rest() {
    const left = Math.max(0, this.payloadBytes - this.at);
    const length = Math.min(left, this.frame.bytes.size - this.start);
    this.at += length;
    return length;
  }
}

/**
 * @typedef {object} Stepping how a program gets from a hash to positions: a chain of numbers
 * @property {bigint} range how many numbers there are
 * @property {(first: bigint, second: bigint) => bigint} start
 * @property {(number: bigint, second: bigint) => bigint} next
 * @property {(number: bigint, bits: bigint) => bigint} position
 */

const MAX_LONG = 2n ** 63n - 1n;

/** The largest prime below 2^64. */
const PRIME = 2n ** 64n - 59n;

/** @param {bigint} number of 64 bits */
const product = (number) => BigInt.asUintN(64, (number % PRIME) * -1469n) % PRIME;

/**
 * @param {bigint} number
 * @param {bigint} bits
 */
const unsigned = (number, bits) => (number < 0n ? ~number : number) % bits;

/** @type {Record<string, Stepping>} */
export const STEPPINGS = {
  /** Guava's first strategy and Spark's version 1: numbers of 32 bits, which overflow. */
  int: {
    range: 2n ** 31n,
    start: (first, second) => BigInt.asIntN(32, first + second),
    next: (number, second) => BigInt.asIntN(32, number + second),
    position: unsigned,
  },

  /** Spark's version 2: two numbers of 32 bits spread over 64. */
  intsInLong: {
    range: 2n ** 62n,
    start: (first, second) => first * (2n ** 31n - 1n) + second,
    next: (number, second) => number + second,
    position: unsigned,
  },

  /** Guava's second strategy: two numbers of 64 bits. */
  long: {
    range: MAX_LONG,
    start: (first) => first,
    next: (number, second) => BigInt.asUintN(64, number + second),
    position: (number, bits) => (number & MAX_LONG) % bits,
  },

  /** DCSO's: a product modulo 2^64 and then modulo a prime. */
  product: {
    range: MAX_LONG,
    start: product,
    next: product,
    position: (number, bits) => number % bits,
  },
};

/**
 * Returns what the bits say, and where to look for a key's.
 * @param {Stepping} stepping
 * @param {number} bits m
 * @param {number} hashes k
 * @param {import('./bytes.js').Words} words
 * @param {(hash: number[]) => [first: bigint, second: bigint]} parts of a hash
 * @returns {Pick<Foreign, 'bits' | 'word' | 'state' | 'mightContain'>}
 */
function probed(stepping, bits, hashes, words, parts) {
  const word = (/** @type {number} */ i) => words.word(i);
  return {
    bits,
    word,
    state: () => stateOfProbes(stepping.range, bits, hashes, word),
    mightContain(...hash) {
      const [first, second] = parts(hash);
      for (const position of positionsOf(stepping, bits, hashes, first, second)) {
        if (words.bit(position) === 0) {
          return false;
        }
      }
      return true;
    },
  };
}

/**
 * Goes over the positions of a key.
 * @param {Stepping} stepping
 * @param {number} bits m
 * @param {number} hashes k
 * @param {bigint} first part of the hash
 * @param {bigint} second part
 */
export function* positionsOf(stepping, bits, hashes, first, second) {
  const m = BigInt(bits);
  let number = stepping.start(first, second);
  for (let i = 0; i < hashes; i++) {
    yield Number(stepping.position(number, m));
    number = stepping.next(number, second);
  }
}

/**
 * Returns the fpp of an array, and its cells that count, of which not every bit stands for as many numbers: with
 * R numbers, ⌊R/m⌋ + 1 stand for each of the first R mod m bits and ⌊R/m⌋ for each of the others.
 * @param {bigint} range R
 * @param {number} bits m
 * @param {number} hashes k
 * @param {(i: number) => number} word
 */
function stateOfProbes(range, bits, hashes, word) {
  const reach = range < bits ? Number(range) : bits;
  /** @param {number} count of bits, rounded up to words of 64 */
  const onesOfFirst = (count) => onesBetween(word, 0, 2 * Math.ceil(count / 64));
  const ones = onesOfFirst(reach);
  const timesEach = Number(range / BigInt(bits));
  const favoured = onesOfFirst(Number(range % BigInt(bits)));
  // one bit says nothing of the number of keys
  const counted = Math.max(2, reach);
  return {
    fpp: Math.min(1, (timesEach * ones + favoured) / Number(range)) ** hashes,
    comparable: {
      cells: cellsOf({ layout: 'classic', bits: counted, hashes }),
      words: 2 * Math.ceil(reach / 64),
      ones,
      word,
    },
  };
}

/** @param {number[]} hash */
const lowerFirst = ([high, low]) => /** @type {[bigint, bigint]} */ ([BigInt(low), BigInt(high)]);

/** @param {number[]} hash */
const upperFirst = ([high, low]) => /** @type {[bigint, bigint]} */ ([BigInt(high), BigInt(low)]);

/** @param {number[]} hash */
const ofLongs = ([high, low, nextHigh, nextLow]) =>
  /** @type {[bigint, bigint]} */ ([toBigInt(high, low), toBigInt(nextHigh, nextLow)]);

/**
 * @param {Input} input
 * @returns {Foreign}
 */
function readGuava(input) {
  const isSecond = input.inRange(0, 'strategy', 0, 1, input.u8('strategy')) === 1;
  const hashes = input.inRange(1, 'number of hashes', 1, 255, input.u8('number of hashes'));
  const { bits, words } = input.countedWords();
  return {
    variant: [
      ['strategy', isSecond ? 'MURMUR128_MITZ_64' : 'MURMUR128_MITZ_32'],
      ['hashes', String(hashes)],
    ],
    hashId: 16,
    hash: isSecond ? MURMUR_128 : { ...MURMUR_128, bits: undefined },
    forms: ['text', 'hex', 'i64', 'i32'],
    ...(isSecond
      ? probed(STEPPINGS.long, bits, hashes, words, ofLongs)
      : probed(STEPPINGS.int, bits, hashes, words, lowerFirst)),
  };
}

/**
 * @param {Input} input
 * @returns {Foreign}
 */
function readSpark(input) {
  const version = input.inRange(0, 'version', 1, 2, input.i32('version'));
  const field = 'number of hashes';
  const hashes = input.inRange(4, field, 1, MAX_HASHES, input.i32(field));
  const seed = version === 1 ? 0 : input.i32('seed');
  const { bits, words } = input.countedWords();
  const stepping = version === 1 ? STEPPINGS.int : STEPPINGS.intsInLong;
  return {
    variant: [
      ['version', String(version)],
      ['hashes', String(hashes)],
    ],
    hashId: 17,
    hash: sparkMurmur(seed),
    forms: ['text', 'hex', 'i64'], // it widens shorter numbers
    ...probed(stepping, bits, hashes, words, upperFirst),
  };
}

/**
 * @param {Input} input
 * @returns {Foreign}
 */
function readDcso(input) {
  input.inRange(0, 'version', 1, 1, input.i64('version'));
  const expectedKeys = input.i64('expected keys');
  input.inRange(8, 'expected keys', 1, MAX_LONG, expectedKeys);
  const fpp = input.f64('fpp');
  if (!(fpp > 0 && fpp < 1)) {
    throw input.invalid(16, 'fpp', 'a number in (0, 1)', exactFpp(fpp));
  }
  const field = 'number of hashes';
  const hashes = input.inRange(24, field, 1, MAX_HASHES, input.i64(field));
  const bits = input.inRange(32, 'number of bits', 1, MAX_BITS, input.i64('number of bits'));
  input.inRange(40, 'keys', 0, 2n ** 62n, input.i64('keys'));
  const count = Math.ceil(bits / 64);
  const words = new Words(input.frame.bytes, input.words(32, count));
  const used = bits % 64;
  if (used !== 0 && BigInt.asUintN(64, words.i64(count - 1)) >> BigInt(used) !== 0n) {
    throw input.invalid(input.at - 8, 'last word', `zeros from bit ${bits} on`, 'set bits');
  }
  input.rest();
  return {
    variant: [
      ['version', '1'],
      ['expected keys', String(expectedKeys)],
      ['requested fpp', formatNumber(fpp)],
      ['hashes', String(hashes)],
    ],
    hashId: 19,
    hash: FNV_1,
    forms: ['text', 'hex'],
    ...probed(STEPPINGS.product, bits, hashes, words, ofLongs),
  };
}

const BLOCK_BYTES = 32;

const SALTS = [
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
];

/**
 * @param {Input} input
 * @returns {Promise<Foreign>}
 */
async function readParquet(input) {
  const words = new Words(input.frame.bytes, input.start);
  const length = input.rest();
  if (length < BLOCK_BYTES || length % BLOCK_BYTES !== 0) {
    const expected = 'one block of 32 bytes or more, all of them whole';
    throw input.invalid(length, 'end', expected, 'the end');
  }
  const blocks = length / BLOCK_BYTES;
  const word = (/** @type {number} */ i) => words.word(i);
  return {
    variant: [['algorithm', 'split-block']],
    bits: 8 * length,
    hashId: 18,
    hash: await xxh64(),
    forms: ['text', 'hex', 'i64', 'i32'],
    word,
    state: () => stateOfBlocks(blocks, word),
    mightContain(high, low) {
      const first = 8 * Math.floor(((high >>> 0) * blocks) / 2 ** 32);
      return SALTS.every(
        (salt, i) => ((word(first + i) >>> (Math.imul(low, salt) >>> 27)) & 1) === 1,
      );
    },
  };
}

/**
 * @param {number} blocks
 * @param {(i: number) => number} word
 */
function stateOfBlocks(blocks, word) {
  let ones = 0;
  let sum = 0;
  for (let block = 0; block < blocks; block++) {
    let share = 1;
    for (let i = 0; i < 8; i++) {
      const count = bitCount(word(8 * block + i));
      ones += count;
      share *= count / 32;
    }
    sum += share;
  }
  const cells = cellsOfWordBlocks(256 * blocks);
  return { fpp: sum / blocks, comparable: { cells, words: 8 * blocks, ones, word } };
}
