/** The worker: what would make the page stutter. One request at a time, answered by its id. */
import { hexOf, SECRET_KEY_BYTES } from './core/hashes.js';
import { RESULT } from './core/u64.js';
import { Bytes } from './format/bytes.js';
import { FormatError, KeyNeeded } from './format/frame.js';
import { compare, openFile } from './format/open.js';
import { formatEstimate } from './format/shapes.js';
import { measure } from './measure.js';
import { fppOf, solve } from './sizing/bloom.js';
import { SizingError } from './sizing/numbers.js';
import { formatNumber } from './sizing/quantities.js';
import { sizeOf, sizeRows, TYPES } from './sizing/sizers.js';

/** @typedef {import('./format/shapes.js').Content} Content */
/** @typedef {import('./sizing/sizers.js').Request} Request */

/** The points of a curve. */
const CURVE_POINTS = 121;

/** The cells of a density map. */
const DENSITY_CELLS = 4096;

/** @type {Map<string, {bytes: Bytes, content: Content | null}>} */
const files = new Map();

/** @type {Record<string, (argument: any, report: (progress: unknown) => void) => unknown>} */
const JOBS = {
  size: (/** @type {Request} */ request) => sizeRows(request),
  fppCurve,
  bitsCurve,
  measure: measureAll,
  open,
  query,
  compare: ({ first, second }) => comparison(first, second),
};

/** Starts to answer messages. */
export function startWorker() {
  self.onmessage = async ({ data: { id, job, argument } }) => {
    const report = (/** @type {unknown} */ progress) => self.postMessage({ id, progress });
    try {
      self.postMessage({ id, result: await JOBS[job](argument, report) });
    } catch (e) {
      self.postMessage({ id, error: described(e) });
    }
  };
}

/**
 * Returns an error in a form that a message can have.
 * @param {unknown} e
 */
function described(e) {
  if (e instanceof KeyNeeded) {
    return { kind: 'key', message: e.message, keyId: e.id };
  }
  if (e instanceof FormatError || e instanceof SizingError) {
    return { kind: 'refused', message: e.message };
  }
  if (e instanceof RangeError) {
    return { kind: 'memory', message: e.message };
  }
  return { kind: 'unexpected', message: String(e) };
}

/**
 * Returns the fpp of a Bloom filter over the number of its keys.
 * @param {{keys: number, fpp: number, layout: import('./core/placement.js').LayoutName | null}} _
 */
function fppCurve({ keys, fpp, layout }) {
  const { shape } = solve({ keys, fpp, layout });
  const xs = Array.from({ length: CURVE_POINTS }, (_, i) => (2 * keys * i) / (CURVE_POINTS - 1));
  return { shape, xs, ys: xs.map((x) => fppOf(shape, Math.round(x))) };
}

/**
 * Returns the bits per key of each type over the fpp, with the information bound.
 * @param {{keys: number}} _
 */
function bitsCurve({ keys }) {
  const exponents = Array.from({ length: 25 }, (_, i) => 0.5 + i * 0.25);
  /** @type {(number | null)[][]} */
  const curves = TYPES.map((type) =>
    exponents.map((exponent) => {
      try {
        return sizeOf(type, { keys, fpp: 10 ** -exponent, bytes: null, hashes: null }).bits / keys;
      } catch (e) {
        if (e instanceof SizingError) {
          return null;
        }
        throw e;
      }
    }),
  );
  return { exponents, types: TYPES, curves, bound: exponents.map((e) => e * Math.log2(10)) };
}

/**
 * @param {{shapes: import('./core/placement.js').Shape[], keys: number, queries: number, seed: number}} _
 * @param {(progress: unknown) => void} report
 */
function measureAll({ shapes, keys, queries, seed }, report) {
  shapes.forEach((shape, i) => {
    for (const state of measure(shape, keys, queries, seed)) {
      report({ i, state });
    }
  });
}

/**
 * @param {{slot: string, blob: Blob | null, secret: string, now: bigint}} _
 * @param {(progress: unknown) => void} report
 */
async function open({ slot, blob, secret, now }, report) {
  if (blob) {
    files.delete(slot);
    files.set(slot, { bytes: await Bytes.of(blob, report), content: null });
  }
  const file = files.get(slot);
  if (!file) {
    throw new SizingError('no file is open');
  }
  const content = await openFile(file.bytes, { secret: secretOf(secret), now });
  file.content = content;
  return {
    facts: content.facts,
    density: content.density(DENSITY_CELLS),
  };
}

/** @param {string} text 32 hexadecimal digits, or nothing */
function secretOf(text) {
  const digits = text.trim();
  if (digits === '') {
    return null;
  }
  if (!/^[0-9a-fA-F]{32}$/.test(digits)) {
    throw new SizingError('secret key: must be 32 hexadecimal digits');
  }
  return Uint8Array.from({ length: SECRET_KEY_BYTES }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

/** @param {{slot: string, keys: Uint8Array[]}} _ */
function query({ slot, keys }) {
  const content = files.get(slot)?.content;
  if (!content) {
    throw new SizingError('no file is open');
  }
  return keys.map((key) => {
    const hash = hexOf(content.hash, key);
    return { hash, present: content.mightContain(RESULT[0], RESULT[1]) };
  });
}

/**
 * @param {string} first
 * @param {string} second
 */
function comparison(first, second) {
  const one = files.get(first)?.content;
  const other = files.get(second)?.content;
  if (!one || !other) {
    throw new SizingError('two open files are required');
  }
  const result = compare(one, other);
  if (!result.overlap) {
    return { problem: result.problem, facts: null };
  }
  const { overlap } = result;
  return {
    problem: null,
    facts: [
      ['first', formatEstimate(overlap.first)],
      ['second', formatEstimate(overlap.second)],
      ['union', formatEstimate(overlap.union)],
      ['intersection', formatEstimate(overlap.intersection)],
      ['jaccard', overlap.jaccard ? shareText(overlap.jaccard) : 'not estimable'],
    ],
  };
}

/** @param {import('./sizing/counts.js').Estimate} share */
function shareText({ value, low, high }) {
  return `${formatNumber(value)} (${formatNumber(low)} to ${formatNumber(high)})`;
}
