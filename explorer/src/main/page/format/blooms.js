/** Kinds 1, 2, 3 and 5: the Bloom filters. */
import { MAX_BITS, positions } from '../core/placement.js';
import { draw, RESULT, reduce } from '../core/u64.js';
import { cellsOf, keysFromOnes, keysInCells, QUANTILE } from '../sizing/counts.js';
import { exactFpp, requireFpp, sharedHashFpp, withSharedHashes } from '../sizing/numbers.js';
import { windowFpp } from '../sizing/others.js';
import { formatNumber } from '../sizing/quantities.js';
import { Frame, HEADER_BYTES } from './frame.js';
import {
  densityOf,
  formatEstimate,
  hashFacts,
  hashOfFrame,
  onesBetween,
  sizingFacts,
  sizingOfFrame,
  summarize,
} from './shapes.js';

/** @typedef {import('./shapes.js').Content} Content */
/** @typedef {import('./shapes.js').Fact} Fact */
/** @typedef {import('./shapes.js').Reading} Reading */

/** @typedef {Content & {bits: number, requestedFpp: number, expectedKeys: number}} Stage what a scalable filter is made of */

/**
 * Reads a Bloom filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Stage>}
 */
export async function readBloom(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  frame.expectKeyType(64);
  const sizing = sizingOfFrame(frame);
  const { shape } = sizing;
  const words64 = Math.ceil(shape.bits / 64);
  frame.expectPayload(8 * words64, `${shape.bits} bits`);
  frame.expectWholePayload();
  const payload = frame.payload;
  const used = shape.bits % 64;
  const lastWord = payload.i64(words64 - 1);
  if (used !== 0 && BigInt.asUintN(64, lastWord) >> BigInt(used) !== 0n) {
    throw frame.invalid(
      HEADER_BYTES + 8 * words64 - 8,
      'last word',
      `zeros past bit ${used - 1}`,
      'set bits',
    );
  }
  const checksum = await frame.finish();
  const content = filled({
    frame,
    sizing,
    hash,
    checksum,
    word: (i) => payload.word(i),
    isSet: (position) => payload.bit(position) === 1,
    particulars: (ones) => [
      ['set bits', String(ones)],
      ['filled', formatNumber(ones / shape.bits)],
    ],
  });
  return {
    ...content,
    kind: 'bloom',
    bits: shape.bits,
    requestedFpp: sizing.fpp,
    expectedKeys: Number(sizing.expectedKeys),
  };
}

/**
 * Returns what an array of bits or counters says.
 * @param {object} array
 * @param {Frame} array.frame
 * @param {import('./shapes.js').SizingFields} array.sizing
 * @param {import('../core/hashes.js').KeyHash} array.hash
 * @param {string} array.checksum
 * @param {(i: number) => number} array.word of 32 bits, each of which tells whether a cell is set
 * @param {(position: number) => boolean} array.isSet
 * @param {(ones: number) => Fact[]} array.particulars of the kind
 */
function filled({ frame, sizing, hash, checksum, word, isSet, particulars }) {
  const { shape } = sizing;
  const { ones, fpp: ofBits } = summarize(shape, word);
  const cells = cellsOf(shape);
  const words = Math.ceil(shape.bits / 32);
  const keys = keysInCells(cells, ones);
  const fpp = withSharedHashes(ofBits, keys.value);
  const found = new Float64Array(shape.hashes);
  /** @type {Omit<Content, 'kind'>} */
  const content = {
    facts: [
      ...sizingFacts(sizing),
      ...hashFacts(frame),
      ...particulars(ones),
      ['keys', formatEstimate(keys)],
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys,
    hash,
    mightContain(high, low) {
      positions(shape, high, low, found);
      return found.every(isSet);
    },
    density: densityOf(words, word),
    comparable: { cells, words, ones, word },
    checksum,
  };
  return content;
}

/**
 * Reads a scalable Bloom filter: frames of kind 1.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readScalable(frame, reading) {
  const count = frame.u32(24);
  if (count < 1 || count > 64) {
    throw frame.invalid(24, 'stages', '1 to 64', count);
  }
  frame.expectZeros(28, 32);
  const requested = frame.checked(32, 'fpp', () => requireFpp(frame.f64(32)));
  frame.expectZeros(40);
  const payloadBytes = frame.size - HEADER_BYTES - 4;
  let left = payloadBytes;
  let fppLeft = requested;
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Frame[]} */
  const frames = [];
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + payloadBytes - left;
    const nested = await Frame.open(
      'filter',
      frame.bytes,
      frame.start + at,
      left - HEADER_BYTES - 4,
    );
    nested.expect(10, 'kind of a stage', 1, nested.u16(10));
    const stage = await readBloom(nested, reading);
    left -= nested.size;
    fppLeft -= stage.requestedFpp;
    if (fppLeft < 0) {
      throw frame.invalid(
        at,
        `fpp of stage ${i}`,
        `a sum of at most ${exactFpp(requested)}`,
        exactFpp(stage.requestedFpp),
      );
    }
    const least = sharedHashFpp(stage.expectedKeys);
    if (!(stage.requestedFpp > least)) {
      throw frame.invalid(
        at,
        `fpp of stage ${i}`,
        `more than ${exactFpp(least)}, that of the hashes of its expected keys`,
        exactFpp(stage.requestedFpp),
      );
    }
    if (i > 0 && hashText(nested) !== hashText(frames[0])) {
      throw frame.invalid(at, `hash of stage ${i}`, hashText(frames[0]), hashText(nested));
    }
    stages.push(stage);
    frames.push(nested);
  }
  if (left !== 0) {
    throw frame.invalid(
      16,
      'payload length',
      `${payloadBytes - left}, what the stages take`,
      payloadBytes,
    );
  }
  const checksum = await frame.finish();
  return {
    kind: 'scalable',
    ...scalableState(stages, requested, hashFacts(frames[0])),
    hash: stages[0].hash,
    mightContain: (high, low) => stages.some((stage) => stage.mightContain(high, low)),
    density: (cells) =>
      Float32Array.from(
        stages.flatMap((stage) => [...stage.density(Math.ceil(cells / stages.length))]),
      ),
    comparable: stages.length === 1 ? stages[0].comparable : null,
    checksum,
  };
}

/** @param {Frame} frame */
function hashText(frame) {
  const [[, label], [name, number]] = hashFacts(frame);
  return `${label} with ${name} ${number}`;
}

/**
 * @param {Stage[]} stages
 * @param {number} requested
 * @param {Fact[]} hash
 */
function scalableState(stages, requested, hash) {
  let fpp = 0;
  let value = 0;
  let variance = 0;
  let passed = 1;
  let sum = 0;
  let bits = 0;
  for (const stage of stages) {
    const { keys } = stage;
    const came = keys.value / passed;
    const margin = (keys.high - keys.value) / passed;
    value += came;
    variance += margin * margin + (QUANTILE * QUANTILE * came * (1 - passed)) / passed;
    passed *= 1 - stage.fpp;
    sum += stage.fpp;
    fpp += (1 - fpp) * stage.fpp;
    bits += stage.bits;
  }
  const gap = value * (sum - (1 - passed)); // as ScalableBloomFilter explains
  const keys = Number.isFinite(value)
    ? around(value + 0.18 * gap, Math.sqrt(variance) + 0.1 * gap)
    : { value, low: 0, high: value };
  /** @type {Fact[]} */
  const facts = [
    ['bits', String(bits)],
    ['stages', String(stages.length)],
    ['requested fpp', formatNumber(requested)],
    ...hash,
    ...stages.map((stage, i) => /** @type {Fact} */ ([`stage ${i + 1}`, line(stage.facts)])),
    ['keys', formatEstimate(keys)],
    ['fpp', formatNumber(fpp)],
  ];
  return { facts, keys, fpp };
}

/**
 * @param {number} value
 * @param {number} margin
 */
function around(value, margin) {
  return { value, low: Math.max(0, value - margin), high: value + margin };
}

/** @param {Fact[]} facts */
function line(facts) {
  return facts.map(([name, text]) => `${name.replaceAll(' ', '-')}=${text}`).join(' ');
}

/**
 * Reads a counting Bloom filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readCounting(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const sizing = sizingOfFrame(frame);
  const { shape } = sizing;
  const width = frame.u16(64);
  frame.range(64, 'counter bits', 'bits of a counter', 2, 16, width);
  const perWord = Math.floor(64 / width);
  const most = 2 ** 38 * perWord;
  frame.range(64, 'counter bits', `counters of ${width} bits`, 1, most, shape.bits);
  const words64 = Math.ceil(shape.bits / perWord);
  frame.expectZeros(66);
  frame.expectPayload(8 * words64, `${shape.bits} counters of ${width} bits`);
  frame.expectWholePayload();
  const payload = frame.payload;
  requireUnusedZero(frame, shape.bits, width, words64);
  const checksum = await frame.finish();
  /** @param {number} i */
  const counter = (i) => payload.field(64 * Math.floor(i / perWord) + width * (i % perWord), width);
  const { word, saturated } = nonZeros(shape.bits, width, perWord, payload);
  const content = filled({
    frame,
    sizing,
    hash,
    checksum,
    word,
    isSet: (position) => counter(position) !== 0,
    particulars: () => [['saturated counters', String(saturated)]],
  });
  return {
    ...content,
    kind: 'counting',
    facts: [['counter bits', String(width)], ...content.facts],
  };
}

/**
 * @param {Frame} frame
 * @param {number} counters
 * @param {number} width
 * @param {number} words64
 */
function requireUnusedZero(frame, counters, width, words64) {
  const perWord = Math.floor(64 / width);
  const used = perWord * width;
  const inLast = (counters - (words64 - 1) * perWord) * width;
  let clean = true;
  if (used < 64) {
    const mask = -1 << (used - 32);
    for (let i = 0; i < words64 - 1; i++) {
      clean = clean && (frame.payload.word(2 * i + 1) & mask) === 0;
    }
  }
  if (inLast < 64) {
    const last = BigInt.asUintN(64, frame.payload.i64(words64 - 1));
    clean = clean && last >> BigInt(inLast) === 0n;
  }
  if (!clean) {
    throw frame.invalid(
      HEADER_BYTES,
      'counters',
      'zeros in the bits that belong to none',
      'set bits',
    );
  }
}

/**
 * Returns the bits of the Bloom filter that has a one where the counter is not zero.
 * @param {number} counters
 * @param {number} width
 * @param {number} perWord
 * @param {import('./bytes.js').Words} payload
 */
function nonZeros(counters, width, perWord, payload) {
  const bits = new Uint32Array(Math.ceil(counters / 32));
  const most = 2 ** width - 1;
  let saturated = 0;
  let i = 0;
  for (let word = 0; i < counters; word++) {
    for (let j = 0; j < perWord && i < counters; j++, i++) {
      const value = payload.field(64 * word + width * j, width);
      if (value !== 0) {
        bits[Math.floor(i / 32)] |= 1 << (i % 32);
        saturated += value === most ? 1 : 0;
      }
    }
  }
  return { word: (/** @type {number} */ at) => bits[at], saturated };
}

/**
 * Reads a windowed Bloom filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readWindowed(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const window = windowOf(frame);
  const { k, l, sliceBits, generationKeys, nanos, state, youngest } = window;
  const slices = k + l;
  frame.expectPayload((slices * sliceBits) / 8, `${slices * sliceBits} bits`);
  frame.expectWholePayload();
  const checksum = await frame.finish();
  const payload = frame.payload;
  const due = Math.min(slices, rotationsDue(nanos, state, generationKeys, reading.now));
  const sliceWords = sliceBits / 32;
  /** @param {number} i */
  const word = (i) => payload.word(i);
  const ones = Array.from({ length: slices }, (_, age) => {
    const index = (youngest + age) % slices;
    return onesBetween(word, index * sliceWords, (index + 1) * sliceWords);
  });
  const ofBits = windowFpp(
    k,
    ones.slice(0, slices - due).map((count) => count / sliceBits),
  );
  const keys = windowKeys(ones, sliceBits, k, l - due);
  const fpp = withSharedHashes(ofBits, keys.value);
  const duration = nanos === 0n ? null : javaDuration(nanos * BigInt(l));
  return {
    kind: 'windowed',
    facts: [
      ['window', duration ?? `${generationKeys * BigInt(l)} puts`],
      ['generations', String(l)],
      ['hashes', String(k)],
      ['slice bits', String(sliceBits)],
      ['bits', String(slices * sliceBits)],
      ['expected keys', String(generationKeys * BigInt(l))],
      ['requested fpp', formatNumber(window.fpp)],
      ...hashFacts(frame),
      ['generation', nanos === 0n ? String(generationKeys) : javaDuration(nanos)],
      ['keys', formatEstimate(keys)],
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys,
    hash,
    mightContain(high, low) {
      let run = 0;
      for (let age = 0; age < slices - due; age++) {
        const index = (youngest + age) % slices;
        draw(high, low, index);
        const bit = index * sliceBits + reduce(RESULT[0], RESULT[1], sliceBits);
        run = payload.bit(bit) === 1 ? run + 1 : 0;
        if (run === k) {
          return true;
        }
      }
      return false;
    },
    density: densityOf(slices * sliceWords, word),
    comparable: null,
    checksum,
  };
}

/** @param {Frame} frame */
function windowOf(frame) {
  const k = frame.u16(26);
  frame.range(26, 'hashes', 'hashes', 1, 64, k);
  const l = frame.u32(28);
  frame.range(28, 'generations', 'generations', 1, 1024, l);
  const bits = frame.i64(32);
  const mostBits = Math.floor(Math.floor(MAX_BITS / (k + l)) / 64) * 64;
  if (bits < 64n || bits % 64n !== 0n || bits > BigInt(mostBits)) {
    throw frame.problem(
      32,
      'bits of a slice',
      `sliceBits must be a multiple of 64 from 64 to ${mostBits}, got ${bits}`,
    );
  }
  const maxLong = 2n ** 63n - 1n;
  const generationKeys = frame.i64(48);
  frame.range(
    48,
    'keys of a generation',
    'generationKeys',
    1n,
    maxLong / BigInt(l),
    generationKeys,
  );
  const fpp = frame.checked(56, 'fpp', () => requireFpp(frame.f64(56)));
  const nanos = frame.i64(64);
  const mostNanos = maxLong / BigInt(l);
  if (nanos < 0n || nanos > mostNanos) {
    throw frame.invalid(
      64,
      'nanoseconds of a generation',
      `0 to ${mostNanos}`,
      BigInt.asUintN(64, nanos),
    );
  }
  const state = frame.i64(72);
  if (nanos === 0n) {
    frame.range(72, 'state', 'puts', 0n, generationKeys, state);
  }
  const youngest = frame.u32(80);
  if (youngest >= k + l) {
    throw frame.invalid(80, 'youngest slice', `0 to ${k + l - 1}`, youngest);
  }
  frame.expectZeros(84);
  return { k, l, sliceBits: Number(bits), generationKeys, fpp, nanos, state, youngest };
}

/**
 * @param {bigint} nanos of a generation, 0 if it lasts for puts
 * @param {bigint} state
 * @param {bigint} generationKeys
 * @param {bigint} now
 */
function rotationsDue(nanos, state, generationKeys, now) {
  if (nanos === 0n) {
    return state === generationKeys ? 1 : 0;
  }
  return now <= state ? 0 : Number((now - state) / nanos);
}

/**
 * @param {number[]} ones of the slices by age
 * @param {number} sliceBits
 * @param {number} k
 * @param {number} oldest age of the oldest slice that counts
 */
function windowKeys(ones, sliceBits, k, oldest) {
  /** @type {import('../core/placement.js').Shape} */
  const slice = { layout: 'classic', bits: sliceBits, hashes: 1 };
  let value = 0;
  let low = 0;
  let variance = 0;
  for (let age = oldest; age >= 0; age -= k) {
    const keys = keysFromOnes(slice, ones[age]);
    const margin = keys.high - keys.value;
    value += keys.value;
    low += keys.low;
    variance += margin * margin;
  }
  return Number.isFinite(value) ? around(value, Math.sqrt(variance)) : { value, low, high: value };
}

/**
 * Returns a time as Java's `Duration` prints it, such as `PT10M50S`.
 * @param {bigint} nanos at least 1
 */
function javaDuration(nanos) {
  const seconds = nanos / 1_000_000_000n;
  const rest = nanos % 1_000_000_000n;
  const hours = seconds / 3600n;
  const minutes = (seconds / 60n) % 60n;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  const last = seconds % 60n;
  return (
    `PT${hours === 0n ? '' : `${hours}H`}${minutes === 0n ? '' : `${minutes}M`}` +
    (last === 0n && rest === 0n ? '' : `${last}${fraction}S`)
  );
}
