/** Kinds 8 and 9: sketches. */
import { draw, RESULT, reduce } from '../core/u64.js';
import { QUANTILE } from '../sizing/counts.js';
import { formatNumber } from '../sizing/quantities.js';
import { HEADER_BYTES } from './frame.js';
import { formatEstimate, hashFacts, hashOfFrame } from './shapes.js';

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./shapes.js').Content} Content */
/** @typedef {import('./shapes.js').Reading} Reading */

const MAX_LONG = 2n ** 63n - 1n;

/**
 * Reads a count-min sketch.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readCountMin(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const update = frame.u16(26);
  if (update !== 1 && update !== 2) {
    throw frame.invalid(26, 'update', '1 or 2', update);
  }
  const depth = frame.u32(28);
  frame.range(28, 'depth', 'depth', 1, 44, depth);
  const found = frame.i64(32);
  frame.range(32, 'width', 'width', 3n, BigInt(Math.floor(2 ** 38 / depth)), found);
  const width = Number(found);
  const total = frame.i64(48);
  if (total < 0n) {
    throw frame.invalid(48, 'total', `at most ${MAX_LONG}`, BigInt.asUintN(64, total));
  }
  frame.expectZeros(56);
  frame.expect(16, 'payload length', 8 * depth * width, frame.i64(16));
  frame.expectWholePayload();
  requireSums(frame, depth, width, total, update === 2);
  const checksum = await frame.finish();
  const epsilon = Math.E / width;
  const { payload } = frame;
  return {
    kind: 'count-min',
    facts: [
      ['width', String(width)],
      ['depth', String(depth)],
      ['update', update === 1 ? 'plain' : 'conservative'],
      ['total count', String(total)],
      ...hashFacts(frame),
      ['epsilon', formatNumber(epsilon)],
      ['delta', formatNumber(Math.exp(-depth))],
      ['max overcount', formatNumber(epsilon * Number(total))],
    ],
    fpp: Number.NaN,
    keys: null,
    hash,
    mightContain: null,
    count(high, low) {
      let least = MAX_LONG;
      for (let row = 0; row < depth; row++) {
        draw(high, low, row);
        const counter = payload.i64(row * width + reduce(RESULT[0], RESULT[1], width));
        least = counter < least ? counter : least;
      }
      return least;
    },
    density: (cells) => countDensity(payload, depth * width, cells),
    comparable: null,
    checksum,
  };
}

/**
 * Returns the share of counters above zero in equal parts.
 * @param {import('./bytes.js').Words} words
 * @param {number} counters
 * @param {number} cells
 */
function countDensity(words, counters, cells) {
  const parts = Math.min(cells, counters);
  return Float32Array.from({ length: parts }, (_, i) => {
    const from = Math.floor((i * counters) / parts);
    const to = Math.floor(((i + 1) * counters) / parts);
    let used = 0;
    for (let c = from; c < to; c++) {
      used += (words.word(2 * c) | words.word(2 * c + 1)) === 0 ? 0 : 1;
    }
    return used / (to - from);
  });
}

/**
 * @param {Frame} frame
 * @param {number} depth
 * @param {number} width
 * @param {bigint} total
 * @param {boolean} conservative
 */
function requireSums(frame, depth, width, total, conservative) {
  const { payload } = frame;
  for (let i = 0; i < depth * width; i++) {
    if (payload.word(2 * i + 1) < 0) {
      const counter = BigInt.asUintN(64, payload.i64(i));
      throw frame.invalid(HEADER_BYTES + 8 * i, 'counter', `at most ${MAX_LONG}`, counter);
    }
  }
  let all = 0n;
  for (let row = 0; row < depth; row++) {
    let sum = 0n;
    for (let i = row * width; i < (row + 1) * width; i++) {
      sum = saturating(sum + payload.i64(i));
    }
    if (sum > total || (!conservative && sum < total)) {
      throw frame.invalid(
        HEADER_BYTES + 8 * row * width,
        `sum of row ${row}`,
        `${conservative ? 'at most ' : ''}${total}, the total`,
        sum,
      );
    }
    all = saturating(all + sum);
  }
  if (all < total) {
    throw frame.invalid(48, 'total', `at most ${all}, the sum of all rows`, total);
  }
}

/** @param {bigint} sum */
function saturating(sum) {
  return sum > MAX_LONG ? MAX_LONG : sum;
}

/**
 * Reads a distinct counter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readDistinct(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const precision = frame.u16(26);
  frame.range(26, 'precision', 'precision', 3, 26, precision);
  frame.expectZeros(28, 40);
  frame.expectZeros(48);
  const registers = 2 ** precision;
  frame.expect(16, 'payload length', registers, frame.i64(16));
  frame.expectWholePayload();
  const state = frame.bytes.copy(frame.start + HEADER_BYTES, registers);
  state.forEach((register, i) => {
    if (!isPossible(register, precision)) {
      const expected = `a value that precision ${precision} can have`;
      throw frame.invalid(HEADER_BYTES + i, 'register', expected, register);
    }
  });
  const checksum = await frame.finish();
  const standardError = 0.7608621002725182 / Math.sqrt(registers);
  const keys = interval(distinctKeys(state, precision), QUANTILE * standardError);
  return {
    kind: 'distinct',
    facts: [
      ['precision', String(precision)],
      ...hashFacts(frame),
      ['standard error', formatNumber(standardError)],
      ['keys', formatEstimate(keys)],
    ],
    fpp: Number.NaN,
    keys,
    hash,
    mightContain: null,
    count: null,
    density: (cells) => {
      const parts = Math.min(cells, registers);
      const each = registers / parts;
      return Float32Array.from({ length: parts }, (_, i) => {
        const part = state.subarray(Math.floor(i * each), Math.floor((i + 1) * each));
        return part.reduce((sum, register) => sum + register / 255, 0) / part.length;
      });
    },
    comparable: null,
    checksum,
  };
}

/**
 * @param {number} register
 * @param {number} precision
 */
function isPossible(register, precision) {
  const above = (register >>> 2) - (precision - 1);
  if (above === 0) {
    return (register & 3) === 0;
  }
  return above === 1 ? (register & 1) === 0 : register === 0 || above > 0;
}

/**
 * @param {number} value
 * @param {number} margin relative
 */
function interval(value, margin) {
  if (!Number.isFinite(value)) {
    return { value, low: 0, high: value };
  }
  const high = margin < 1 ? Math.ceil(value / (1 - margin)) : Number.POSITIVE_INFINITY;
  return { value, low: Math.floor(value / (1 + margin)), high: value === 0 ? 0 : high };
}

/**
 * Returns the number of keys that makes these registers the likeliest.
 *
 * With λ keys per register, rank b occurs with probability 1 − exp(−λ·w(b)), w(b) = 2^(p − 2 − b), and
 * the highest two ranks have the same. A register says of the ranks from u − 2 up whether they
 * occur, where u is the highest that does.
 *
 * @param {Uint8Array} registers
 * @param {number} p precision
 */
function distinctKeys(registers, p) {
  /** @param {number} rank */
  const weight = (rank) => 2 ** (p - 2 - Math.min(rank, 62));
  const occurring = new Float64Array(64);
  let absent = 0; // the sum of the weights of ranks that are known not to occur
  for (const register of registers) {
    if (register === 0) {
      absent += 1;
      continue;
    }
    const u = register >>> 2;
    // all ranks above u together have the weight of rank u, but for the last two
    absent += u === 63 ? 0 : weight(u);
    occurring[u]++;
    for (const [rank, bit] of [
      [u - 1, 2],
      [u - 2, 1],
    ]) {
      if (rank >= p - 1) {
        if ((register & bit) !== 0) {
          occurring[rank]++;
        } else {
          absent += weight(rank);
        }
      }
    }
  }
  if (absent === registers.length) {
    return 0;
  }
  if (absent === 0) {
    return Number.POSITIVE_INFINITY;
  }
  /** @param {number} lambda derivative of the log-likelihood, falling */
  const slope = (lambda) => {
    let sum = -absent;
    for (let rank = p - 1; rank < 64; rank++) {
      if (occurring[rank] > 0) {
        sum += (occurring[rank] * weight(rank)) / Math.expm1(lambda * weight(rank));
      }
    }
    return sum;
  };
  let low = 0;
  let high = 1;
  while (slope(high) > 0) {
    high *= 2;
  }
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (slope(middle) > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  // the correction of the bias of first order that the paper gives
  return (registers.length * high) / (1 + 0.48147376527720065 / registers.length);
}
