/** Sizes of Bloom filters in each layout: the fpp of a shape, and its inverses. */
import { LAYOUT_NAMES, LAYOUTS, LINE_BITS, MAX_BITS } from '../core/placement.js';
import { meanOverLoad, occupancy } from './blocks.js';
import {
  firstTrue,
  exactFpp,
  roundedFpp,
  requireFpp,
  SizingError,
  sharedHashFpp,
  withSharedHashes,
} from './numbers.js';

/** @typedef {import('../core/placement.js').Shape} Shape */
/** @typedef {import('../core/placement.js').LayoutName} LayoutName */

/**
 * @typedef {object} Sizing
 * @property {Shape} shape
 * @property {number} expectedKeys
 * @property {number} fpp
 */

/** How much of the classic size a search starts with. */
const START = 0.9;

/**
 * @param {Shape} shape
 * @param {number} keys
 */
function meanFpp({ layout, bits, hashes }, keys) {
  const { linesPerKey, wordBits, hashStep } = LAYOUTS[layout];
  if (layout === 'classic') {
    return classicFpp(bits, hashes, keys);
  }
  if (layout === 'partitioned') {
    const slice = Math.floor(bits / hashes);
    return (-Math.expm1(keys * Math.log1p(-1 / slice))) ** hashes;
  }
  const word = occupancy(wordBits, hashes / hashStep);
  const chance = (linesPerKey * LINE_BITS) / bits;
  return meanOverLoad(keys, chance, (load) => word(load) ** (LINE_BITS / wordBits)) ** linesPerKey;
}

/**
 * @param {number} bits
 * @param {number} hashes
 * @param {number} keys
 */
function classicFpp(bits, hashes, keys) {
  // E[(X/m)^k] for X occupied of m cells, to second order
  const balls = keys * hashes;
  const others = bits - 1;
  const logEmpty = balls * Math.log1p(-1 / bits);
  const empty = Math.exp(logEmpty);
  const fill = -Math.expm1(logEmpty);
  const oneOfTwo = -Math.expm1(balls * Math.log1p(-1 / others));
  const variance =
    (empty * oneOfTwo) / bits +
    empty * empty * Math.expm1(balls * Math.log1p(-1 / others / others));
  const pairs = (hashes * (hashes - 1)) / 2;
  const spread = Math.exp((pairs * Math.max(0, variance)) / (fill * fill));
  return Math.min(1, fill ** hashes * spread);
}

/**
 * Returns the fpp of a shape that holds a number of distinct keys, as the mean over all seeds.
 * @param {Shape} shape
 * @param {number} keys
 */
export function fppOf(shape, keys) {
  if (keys === 0) {
    return 0;
  }
  return withSharedHashes(meanFpp(shape, keys), keys);
}

/**
 * Returns the keys with which half of the bits are set.
 * @param {Shape} shape
 */
function halfFullKeys(shape) {
  return Math.max(1, Math.floor((shape.bits * Math.LN2) / shape.hashes));
}

/**
 * Returns the most distinct keys that a shape holds at this fpp or better; 0 if not even one.
 * @param {Shape} shape
 * @param {number} fpp
 */
export function mostKeysOf(shape, fpp) {
  /** @param {number} keys */
  const tooMany = (keys) => fppOf(shape, keys) > fpp;
  let limit = Math.max(2, halfFullKeys(shape));
  while (!tooMany(limit)) {
    limit *= 2;
  }
  return firstTrue(1, limit, tooMany) - 1;
}

/**
 * Returns the blocked layout that fits an fpp.
 * @param {number} fpp
 * @returns {LayoutName}
 */
export function layoutFor(fpp) {
  requireFpp(fpp);
  if (fpp >= 0.03) {
    return 'line';
  }
  return fpp >= 1e-4 ? 'split' : 'split-pair';
}

/**
 * @typedef {object} Known what is given of a filter
 * @property {LayoutName | null} [layout] null for the blocked one that fits the fpp
 * @property {number | null} [keys]
 * @property {number | null} [fpp]
 * @property {number | null} [bits]
 * @property {number | null} [hashes]
 */

/**
 * Solves for what is not given; any two of keys, fpp and bits, or hashes with keys or bits.
 * @param {Known} known
 * @returns {Sizing}
 */
export function solve({ layout = null, keys = null, fpp = null, bits = null, hashes = null }) {
  if (bits !== null && (bits < 1 || bits > MAX_BITS)) {
    throw new SizingError(`bits must be 1 to ${MAX_BITS}, got ${bits}`);
  }
  if (keys !== null && fpp !== null) {
    const search = new Search(layout ?? layoutFor(fpp), hashes);
    return { shape: search.fewestBits(keys, fpp), expectedKeys: keys, fpp };
  }
  if (bits !== null && fpp !== null) {
    return new Search(layout ?? layoutFor(fpp), hashes).mostKeys(bits, fpp);
  }
  if (bits !== null && keys !== null) {
    return filledTo(keys, searchWithin(layout, hashes, bits, keys).lowestFpp(bits, keys));
  }
  if (bits !== null && hashes !== null && layout) {
    const shape = new Search(layout, hashes).lowestFpp(bits, 1);
    return filledTo(halfFullKeys(shape), shape);
  }
  if (keys !== null && hashes !== null && layout) {
    return halfFull(layout, keys, hashes);
  }
  throw new SizingError('two of keys, fpp and memory are required');
}

/**
 * @param {LayoutName | null} layout
 * @param {number | null} hashes
 * @param {number} bits
 * @param {number} keys
 */
function searchWithin(layout, hashes, bits, keys) {
  if (layout) {
    return new Search(layout, hashes);
  }
  const fpp = fppOf(new Search('split', null).lowestFpp(bits, keys), keys);
  const fitting = fpp < 1 ? layoutFor(Math.max(2 ** -1022, fpp)) : 'line';
  // a pair needs two lines
  const { minBits, minHashes } = LAYOUTS[fitting];
  return new Search(bits < minBits(minHashes) ? 'split' : fitting, null);
}

/**
 * @param {LayoutName} layout
 * @param {number} keys
 * @param {number} hashes
 */
function halfFull(layout, keys, hashes) {
  requireHashes(layout, hashes);
  const unit = LAYOUTS[layout].granularity(hashes);
  const half = (keys * hashes) / Math.LN2;
  const bits = Math.max(LAYOUTS[layout].minBits(hashes), Math.ceil(half / unit) * unit);
  return filledTo(keys, requireShape({ layout, bits, hashes }));
}

/**
 * @param {number} keys
 * @param {Shape} shape
 * @returns {Sizing}
 */
function filledTo(keys, shape) {
  return { shape, expectedKeys: keys, fpp: fppOf(shape, keys) };
}

/**
 * Returns the number of hashes if the layout allows it.
 * @param {LayoutName} layout
 * @param {number} hashes
 */
export function requireHashes(layout, hashes) {
  const { minHashes, maxHashes, hashStep } = LAYOUTS[layout];
  if (hashes < minHashes || hashes > maxHashes || (hashes - minHashes) % hashStep !== 0) {
    const step = hashStep === 1 ? '' : ` in steps of ${hashStep}`;
    throw new SizingError(
      `hashes of layout ${layout} must be ${minHashes} to ${maxHashes}${step}, got ${hashes}`,
    );
  }
  return hashes;
}

/**
 * Returns the shape if there can be one.
 * @param {Shape} shape
 */
export function requireShape(shape) {
  const { layout, bits, hashes } = shape;
  requireHashes(layout, hashes);
  if (!(bits >= 1 && bits <= MAX_BITS)) {
    throw new SizingError(`bits must be 1 to ${MAX_BITS}, got ${bits}`);
  }
  const unit = LAYOUTS[layout].granularity(hashes);
  const least = LAYOUTS[layout].minBits(hashes);
  if (bits < least || bits % unit !== 0) {
    throw new SizingError(
      `bits of layout ${layout} with ${hashes} hashes must be a multiple of ${unit} and at least ` +
        `${least}, got ${bits}`,
    );
  }
  return shape;
}

/** Finds shapes of one layout by inverting their fpp: in bits, in hashes and in keys. */
class Search {
  /**
   * @param {LayoutName} layout
   * @param {number | null} hashes null for all that the layout can have
   */
  constructor(layout, hashes) {
    this.layout = layout;
    this.rules = LAYOUTS[layout];
    /** @type {number[]} */
    this.candidates = [];
    if (hashes !== null) {
      this.candidates.push(requireHashes(layout, hashes));
    } else {
      const { minHashes, maxHashes, hashStep } = this.rules;
      for (let k = minHashes; k <= maxHashes; k += hashStep) {
        this.candidates.push(k);
      }
    }
  }

  /**
   * Returns the smallest shape for a number of keys at this fpp or better.
   * @param {number} keys
   * @param {number} fpp
   */
  fewestBits(keys, fpp) {
    requireMoreThanSharedHashes(keys, fpp);
    /** @type {Shape | null} */
    let best = null;
    const start = this.nearestToClassic(fpp);
    for (let distance = 0; distance < this.candidates.length; distance++) {
      best = this.better(best, keys, fpp, start - distance);
      best = this.better(best, keys, fpp, start + distance);
    }
    if (!best) {
      throw new SizingError(
        `${keys} keys at fpp ${exactFpp(fpp)} need more than the ${MAX_BITS} bits that a ` +
          'filter can have; split the keys over several filters',
      );
    }
    return best;
  }

  /**
   * Returns the shape within `bits` that has the lowest fpp with `keys` keys.
   * @param {number} bits
   * @param {number} keys
   */
  lowestFpp(bits, keys) {
    /** @type {Shape | null} */
    let best = null;
    let bestFpp = Number.POSITIVE_INFINITY;
    for (const hashes of this.candidates) {
      const shape = this.largest(bits, hashes);
      const fpp = shape ? fppOf(shape, keys) : Number.POSITIVE_INFINITY;
      if (fpp < bestFpp) {
        best = shape;
        bestFpp = fpp;
      }
    }
    if (!best) {
      throw this.tooFewBits(bits);
    }
    return best;
  }

  /**
   * Returns the shape within `bits` that holds the most keys at this fpp or better.
   * @param {number} bits
   * @param {number} fpp
   * @returns {Sizing}
   */
  mostKeys(bits, fpp) {
    requireMoreThanSharedHashes(1, fpp);
    /** @type {Shape | null} */
    let best = null;
    let most = 0;
    for (const hashes of this.candidates) {
      const shape = this.largest(bits, hashes);
      const keys = shape ? mostKeysOf(shape, fpp) : 0;
      if (keys > most) {
        best = shape;
        most = keys;
      }
    }
    if (!best) {
      throw this.tooFewBits(bits);
    }
    return { shape: best, expectedKeys: most, fpp };
  }

  /**
   * @param {Shape | null} best
   * @param {number} keys
   * @param {number} fpp
   * @param {number} candidate
   * @returns {Shape | null}
   */
  better(best, keys, fpp, candidate) {
    const hashes = this.candidates[candidate];
    // blocks and slices only add to the bits of the classic layout, so it may be out of the running
    if (hashes === undefined || (best && classicBits(keys, fpp, hashes) > best.bits)) {
      return best;
    }
    const shape = this.fewestBitsWith(keys, fpp, hashes);
    const isBetter =
      shape &&
      (!best || shape.bits < best.bits || (shape.bits === best.bits && shape.hashes < best.hashes));
    return isBetter ? shape : best;
  }

  /**
   * @param {number} keys
   * @param {number} fpp
   * @param {number} hashes
   * @returns {Shape | null}
   */
  fewestBitsWith(keys, fpp, hashes) {
    const unit = this.rules.granularity(hashes);
    const maxUnits = Math.floor(MAX_BITS / unit);
    const minUnits = Math.floor((this.rules.minBits(hashes) + unit - 1) / unit);
    /** @param {number} units @returns {Shape} */
    const shape = (units) => ({ layout: this.layout, bits: units * unit, hashes });
    /** @param {number} units */
    const enough = (units) => fppOf(shape(units), keys) <= fpp;
    const start = (START * classicBits(keys, fpp, hashes)) / unit;
    if (start > maxUnits) {
      return null;
    }
    const low = Math.max(minUnits, Math.floor(start));
    if (enough(low)) {
      return shape(firstTrue(minUnits, low, enough));
    }
    let high = low;
    do {
      if (high === maxUnits) {
        return null;
      }
      high = Math.min(maxUnits, high + Math.floor(high / 4) + 1);
    } while (!enough(high));
    return shape(firstTrue(low, high, enough));
  }

  /** @param {number} fpp */
  nearestToClassic(fpp) {
    const classic = -Math.log(fpp) / Math.LN2;
    let nearest = 0;
    this.candidates.forEach((k, i) => {
      if (Math.abs(k - classic) < Math.abs(this.candidates[nearest] - classic)) {
        nearest = i;
      }
    });
    return nearest;
  }

  /**
   * @param {number} bits
   * @param {number} hashes
   * @returns {Shape | null}
   */
  largest(bits, hashes) {
    const rounded = bits - (bits % this.rules.granularity(hashes));
    return rounded < this.rules.minBits(hashes)
      ? null
      : { layout: this.layout, bits: rounded, hashes };
  }

  /** @param {number} bits */
  tooFewBits(bits) {
    return new SizingError(
      `a filter of layout ${this.layout}, which fits the fpp unless another is set, needs more ` +
        `than ${bits} bits; layout classic takes any number`,
    );
  }
}

/**
 * @param {number} keys
 * @param {number} fpp
 */
function requireMoreThanSharedHashes(keys, fpp) {
  requireFpp(fpp);
  const least = sharedHashFpp(keys);
  if (fpp <= least) {
    throw new SizingError(
      `fpp must be above ${roundedFpp(least)} for ${keys} keys, the chance to share a 64-bit ` +
        `hash, got ${exactFpp(fpp)}`,
    );
  }
}

/**
 * @param {number} keys
 * @param {number} fpp
 * @param {number} hashes
 */
function classicBits(keys, fpp, hashes) {
  return (-hashes * keys) / Math.log1p(-(fpp ** (1 / hashes)));
}

/** The blocked layouts. */
export const BLOCKED_LAYOUTS = LAYOUT_NAMES.filter((name) => LAYOUTS[name].linesPerKey > 0);
