/** Kinds 1, 2, 3 and 5: the Bloom filters. */
import { positions } from '../core/placement.js';
import { draw, goldenMultiple, RESULT, reduce } from '../core/u64.js';
import { cellsOf, keysInCells, QUANTILE, words } from '../sizing/counts.js';
import { exactFpp, requireFpp, sharedHashFpp, withSharedHashes } from '../sizing/numbers.js';
import {
  GENERATIONS,
  MAX_BLOCKS_PER_KEY,
  mostWindowBlocks,
  WINDOW_BLOCK_BITS,
} from '../sizing/others.js';
import { formatNumber } from '../sizing/quantities.js';
import { Frame, HEADER_BYTES } from './frame.js';
import {
  densityOf,
  formatEstimate,
  hashFacts,
  hashOfFrame,
  sizingFacts,
  sizingOfFrame,
  summarize,
} from './shapes.js';

const WINDOW_BLOCK_BYTES = WINDOW_BLOCK_BITS / 8;

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
  const { perKey, section, generationKeys, requestedFpp, nanos, lane, state } = windowOf(frame);
  const blocks = perKey * section;
  const bits = blocks * WINDOW_BLOCK_BYTES * 8;
  frame.expectPayload(bits / 8, `${bits} bits`);
  frame.expectWholePayload();
  const checksum = await frame.finish();
  const { payload } = frame;
  const due = nanos === 0n || reading.now <= state ? 0n : (reading.now - state) / nanos;
  const ages = Array.from({ length: Math.max(0, GENERATIONS - Number(due)) }, (_, age) => age);
  const lanes = ages.map((age) => (lane - age + GENERATIONS) % GENERATIONS);
  const live = lanes.reduce((mask, one) => mask | (1 << one), 0);
  const { ones, found } = lanesOf(payload, perKey, section);
  const keys = windowKeys(
    lanes.map((one) => ones[one]),
    blocks,
    perKey,
  );
  const missed = found.reduce((left, hit, i) => (live & (1 << i) ? left * (1 - hit) : left), 1);
  const fpp = withSharedHashes(1 - missed, keys.value);
  const window = BigInt(GENERATIONS - 1);
  const expectedKeys = generationKeys * window;
  return {
    kind: 'windowed',
    facts: [
      ['window', nanos === 0n ? `${expectedKeys} puts` : javaDuration(nanos * window)],
      ['blocks per key', String(perKey)],
      ['blocks', String(blocks)],
      ['bits', String(bits)],
      ['expected keys', String(expectedKeys)],
      ['requested fpp', formatNumber(requestedFpp)],
      ...hashFacts(frame),
      ['generation', nanos === 0n ? String(generationKeys) : javaDuration(nanos)],
      ['keys', formatEstimate(keys)],
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys,
    hash,
    mightContain(high, low) {
      let left = live;
      for (let i = 0; i < perKey && left !== 0; i++) {
        let [xHigh, xLow] = [high, low];
        if (i > 0) {
          draw(high, low, i);
          [xHigh, xLow] = RESULT;
        }
        const block = i * section + reduce(xHigh, xLow, section);
        goldenMultiple(xHigh, xLow);
        const [choices] = RESULT;
        for (let row = 0; row < 8; row++) {
          const cell = 8 * ((choices >>> (28 - 4 * row)) & 15) + row;
          left &= payload.field(8 * (WINDOW_BLOCK_BYTES * block + cell), 8);
        }
      }
      return left !== 0;
    },
    density: densityOf(bits / 32, (i) => payload.word(i)),
    comparable: null,
    checksum,
  };
}

/** @param {Frame} frame */
function windowOf(frame) {
  const perKey = frame.u16(26);
  frame.range(26, 'blocks of a key', 'blocksPerKey', 1, MAX_BLOCKS_PER_KEY, perKey);
  const section = frame.i64(32);
  const most = mostWindowBlocks(perKey);
  frame.range(32, 'blocks of a section', 'blocks', 1, most, section);
  const longest = (2n ** 63n - 1n) / BigInt(GENERATIONS);
  const generationKeys = frame.i64(48);
  frame.range(48, 'keys of a generation', 'generationKeys', 1n, longest, generationKeys);
  const requestedFpp = frame.checked(56, 'fpp', () => requireFpp(frame.f64(56)));
  const nanos = frame.i64(64);
  if (nanos < 0n || nanos > longest) {
    const got = BigInt.asUintN(64, nanos);
    throw frame.invalid(64, 'nanoseconds of a generation', `0 to ${longest}`, got);
  }
  const lane = frame.u32(28);
  if (lane >= GENERATIONS) {
    throw frame.invalid(28, 'lane', `0 to ${GENERATIONS - 1}`, lane);
  }
  const state = frame.i64(72);
  if (nanos === 0n && (state < 0n || state >= generationKeys)) {
    throw frame.invalid(72, 'puts', `0 to ${generationKeys - 1n}`, state);
  }
  frame.expectZeros(80);
  return { perKey, section: Number(section), generationKeys, requestedFpp, nanos, lane, state };
}

/** Bit 0 of each byte of a word. */
const EACH_CELL = 0x01010101;

/**
 * Returns, by lane, the set bits, and the chance that a random key has all of its cells.
 * @param {import('./bytes.js').Words} payload
 * @param {number} perKey
 * @param {number} section
 */
function lanesOf(payload, perKey, section) {
  const ones = new Array(GENERATIONS).fill(0);
  const found = new Array(GENERATIONS).fill(1);
  for (let i = 0; i < perKey; i++) {
    const hits = new Array(GENERATIONS).fill(0);
    for (let block = i * section; block < (i + 1) * section; block++) {
      const first = (block * WINDOW_BLOCK_BYTES) / 4;
      for (let lane = 0; lane < GENERATIONS; lane++) {
        // in byte i the cells of a row that are set, up to 16
        const rows = [0, 0];
        for (let word = 0; word < WINDOW_BLOCK_BYTES / 4; word++) {
          rows[word % 2] += (payload.word(first + word) >>> lane) & EACH_CELL;
        }
        let hit = 1;
        for (let row = 0; row < 8; row++) {
          const set = (rows[row < 4 ? 0 : 1] >>> (8 * (row % 4))) & 0xff;
          ones[lane] += set;
          hit *= set / 16;
        }
        hits[lane] += hit;
      }
    }
    hits.forEach((hit, lane) => {
      found[lane] *= hit / section;
    });
  }
  return { ones, found };
}

/**
 * @param {number[]} ones of the live generations by age
 * @param {number} blocks
 * @param {number} perKey
 */
function windowKeys(ones, blocks, perKey) {
  const cells = words(blocks, WINDOW_BLOCK_BYTES, 16, perKey, 1);
  let value = 0;
  let low = 0;
  let variance = 0;
  for (const set of ones) {
    const keys = keysInCells(cells, set);
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
