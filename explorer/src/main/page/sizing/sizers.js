/** The rows of `tamis size`: what a request leaves open, for each type of filter. */
import { MAX_BITS } from '../core/placement.js';
import { BLOCKED_LAYOUTS, solve } from './bloom.js';
import { exactFpp, SizingError } from './numbers.js';
import { cuckoo, fuseBits, ribbonBits, scalableBits, windowed } from './others.js';

/** @typedef {import('./bloom.js').Sizing} Sizing */
/** @typedef {import('../core/placement.js').LayoutName} LayoutName */

/**
 * @typedef {object} Request two of keys, fpp and memory, or k and one of keys and memory
 * @property {number | null} keys
 * @property {number | null} fpp
 * @property {number | null} bytes
 * @property {number | null} hashes
 */

/**
 * @typedef {object} Row
 * @property {string} type
 * @property {string} layout
 * @property {number} keys
 * @property {number} bits
 * @property {number | null} hashes
 * @property {number} fpp
 */

/** The bits of a counter in a counting filter. */
const COUNTER_BITS = 4;

/** What a number of 64 bits does not hold any more, in which `tamis size` has the bits. */
const MOST_BOUND_BITS = 2 ** 63;

/** What a cell without a value contains. */
const NONE = '-';

/** @type {Record<string, (request: Request) => Omit<Row, 'type'>>} */
const SIZERS = {
  blocked: (request) => bloom(request, null, 1),
  classic: (request) => bloom(request, 'classic', 1),
  partitioned: (request) => bloom(request, 'partitioned', 1),
  counting: (request) => bloom(request, null, COUNTER_BITS),
  cuckoo: searching((keys, fpp) => ({ bits: cuckoo(keys, fpp).bits, hashes: null })),
  scalable: searching((keys, fpp) => ({ bits: scalableBits(keys, fpp), hashes: null })),
  windowed: searching(windowed),
  fuse: searching((keys, fpp) => ({ bits: fuseBits(keys, fpp), hashes: null })),
  ribbon: searching((keys, fpp) => ({ bits: ribbonBits(keys, fpp), hashes: null })),
};

/** The types of filter that are compared, in the order of `tamis size`. */
export const TYPES = Object.keys(SIZERS);

/** The types that have a number of hashes to choose. */
const WITH_HASHES = ['blocked', 'classic', 'partitioned', 'counting'];

/**
 * Returns the size of one type.
 * @param {string} type
 * @param {Request} request
 * @returns {Row}
 */
export function sizeOf(type, request) {
  return { type, ...SIZERS[type](request) };
}

/**
 * Returns the rows of all types and bounds, and for each type without a row the reason.
 * @param {Request} request
 */
export function sizeRows(request) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const problems = [];
  for (const type of request.hashes === null ? TYPES : WITH_HASHES) {
    try {
      rows.push(sizeOf(type, request));
    } catch (e) {
      if (!(e instanceof SizingError)) {
        throw e;
      }
      problems.push(`${type}: ${e.message}`);
    }
  }
  /** @param {string} type @param {number} factor */
  const addBound = (type, factor) => {
    for (const row of bound(type, factor, request)) {
      if (row.bits < MOST_BOUND_BITS) {
        rows.push(row);
      } else {
        problems.push(
          `${type}: ${row.keys} keys at fpp ${exactFpp(row.fpp)} need 2^63 bits or more`,
        );
      }
    }
  };
  if (request.hashes === null) {
    addBound('classic formula', 1 / Math.LN2);
  }
  addBound('information bound', 1);
  return { rows, problems };
}

/**
 * Returns the row of a filter that takes factor·log2(1/p) bits per key, or none.
 * @param {string} type
 * @param {number} factor
 * @param {Request} request
 * @returns {Row[]}
 */
function bound(type, factor, { keys, fpp, bytes }) {
  const log2 = (/** @type {number} */ x) => Math.log(x) / Math.LN2;
  const base = { type, layout: NONE, hashes: null };
  if (keys !== null && fpp !== null) {
    return [{ ...base, keys, bits: Math.ceil(keys * factor * log2(1 / fpp)), fpp }];
  }
  if (bytes === null) {
    return [];
  }
  const bits = bytes * 8;
  if (fpp !== null) {
    return [{ ...base, keys: Math.floor(bits / (factor * log2(1 / fpp))), bits, fpp }];
  }
  return keys === null ? [] : [{ ...base, keys, bits, fpp: 2 ** (-bits / keys / factor) }];
}

/**
 * @param {Request} request
 * @param {LayoutName | null} layout null for the blocked one that fits
 * @param {number} width bits per cell
 */
function bloom(request, layout, width) {
  const { keys, fpp, hashes } = request;
  const bits = request.bytes === null ? null : Math.floor((request.bytes * 8) / width);
  /** @type {(LayoutName | null)[]} */
  const layouts = layout || hashes === null ? [layout] : BLOCKED_LAYOUTS;
  const {
    shape,
    expectedKeys,
    fpp: reached,
  } = best(layouts.map((name) => () => solve({ layout: name, keys, fpp, bits, hashes })));
  return {
    layout: BLOCKED_LAYOUTS.includes(shape.layout) ? shape.layout : NONE,
    keys: expectedKeys,
    bits: cellBits(shape.bits, width),
    hashes: shape.hashes,
    fpp: reached,
  };
}

/**
 * @param {(() => Sizing)[]} solutions
 * @returns {Sizing}
 */
function best(solutions) {
  /** @type {Sizing[]} */
  const possible = [];
  /** @type {unknown} */
  let problem;
  for (const solution of solutions) {
    try {
      possible.push(solution());
    } catch (e) {
      problem = e;
    }
  }
  if (possible.length === 0) {
    throw problem;
  }
  possible.sort(
    (a, b) => a.fpp - b.fpp || a.shape.bits - b.shape.bits || b.expectedKeys - a.expectedKeys,
  );
  return possible[0];
}

/**
 * @param {number} cells
 * @param {number} width
 */
function cellBits(cells, width) {
  if (width === 1) {
    return cells;
  }
  const bits = Math.ceil(cells / Math.floor(64 / width)) * 64;
  if (bits > MAX_BITS) {
    throw new SizingError(
      `bits: must be at most ${MAX_BITS}, got ${bits.toFixed(0)} for ${cells} counters; ` +
        'lower the number of keys',
    );
  }
  return bits;
}

/** @typedef {{bits: number, hashes: number | null}} Cost */

/**
 * Returns the sizer of a type for which only the bits for keys and fpp have a formula.
 * @param {(keys: number, fpp: number) => Cost} formula
 * @returns {(request: Request) => Omit<Row, 'type'>}
 */
function searching(formula) {
  /** @param {number} keys @param {number} fpp */
  const costOf = (keys, fpp) => {
    const cost = formula(keys, fpp);
    if (cost.bits > MAX_BITS) {
      throw new SizingError(
        `bits: must be at most ${MAX_BITS}, got ${cost.bits.toFixed(0)}; lower the ` +
          'number of keys or raise the fpp',
      );
    }
    return cost;
  };
  return (request) => {
    let { keys, fpp } = request;
    if (request.bytes !== null) {
      const bits = request.bytes * 8;
      if (keys === null && fpp !== null) {
        keys = mostKeys(costOf, bits, fpp);
      } else if (fpp === null && keys !== null) {
        fpp = lowestFpp(costOf, bits, keys);
      }
    }
    if (keys === null || fpp === null) {
      throw new SizingError('two of keys, fpp and memory are required');
    }
    const { bits, hashes } = costOf(keys, fpp);
    return { layout: NONE, keys, bits, hashes: hashes ?? null, fpp };
  };
}

/**
 * @param {(keys: number, fpp: number) => Cost} costOf
 * @param {number} bits
 * @param {number} fpp
 */
function mostKeys(costOf, bits, fpp) {
  if (costOf(1, fpp).bits > bits) {
    throw tooSmall(bits, `one key at fpp ${exactFpp(fpp)}`);
  }
  let fit = 1;
  let tooMany = 2;
  while (fits(costOf, bits, tooMany, fpp)) {
    fit = tooMany;
    tooMany *= 2;
  }
  while (tooMany - fit > 1) {
    const middle = fit + Math.floor((tooMany - fit) / 2);
    if (fits(costOf, bits, middle, fpp)) {
      fit = middle;
    } else {
      tooMany = middle;
    }
  }
  return fit;
}

/**
 * @param {(keys: number, fpp: number) => Cost} costOf
 * @param {number} bits
 * @param {number} keys
 */
function lowestFpp(costOf, bits, keys) {
  let fit = 0;
  let tooLow = 64;
  for (let i = 0; i < 40; i++) {
    const middle = (fit + tooLow) / 2;
    if (fits(costOf, bits, keys, 2 ** -middle)) {
      fit = middle;
    } else {
      tooLow = middle;
    }
  }
  if (fit === 0) {
    throw tooSmall(bits, `${keys} keys at any fpp`);
  }
  return 2 ** -fit;
}

/**
 * @param {(keys: number, fpp: number) => Cost} costOf
 * @param {number} bits
 * @param {number} keys
 * @param {number} fpp
 */
function fits(costOf, bits, keys, fpp) {
  try {
    return costOf(keys, fpp).bits <= bits;
  } catch (e) {
    if (e instanceof SizingError) {
      return false;
    }
    throw e;
  }
}

/**
 * @param {number} bits
 * @param {string} what
 */
function tooSmall(bits, what) {
  return new SizingError(`memory: ${Math.floor(bits / 8)} bytes are too few for ${what}`);
}
