/** Numbers in messages, as the Java classes write them: the page refuses in the words of `tamis`. */

/** A request that no filter can satisfy, or a value out of range; the message says which. */
export class SizingError extends Error {}

/**
 * Returns a probability with all its digits, such as `0.01` or `4.2e-7`.
 * @param {number} fpp
 */
export function exactFpp(fpp) {
  const size = Math.abs(fpp);
  return size === 0 || (size >= 1e-4 && size < 1e7)
    ? String(fpp)
    : fpp.toExponential().replace('+', '');
}

/**
 * Returns a probability to three digits.
 * @param {number} fpp
 */
export function roundedFpp(fpp) {
  return exactFpp(Number(fpp.toPrecision(3)));
}

/**
 * Rounds half away from zero to `decimals` decimals, from the shortest decimal form of the number, as
 * Java's `%.{decimals}f` does.
 * @param {number} value at least 0
 * @param {number} decimals
 */
export function javaFixed(value, decimals) {
  const [digits, exponent] = value.toExponential().split('e');
  const plain = digits.replace('.', '');
  const scale = plain.length - 1 - Number(exponent); // value = plain / 10^scale
  if (scale <= decimals) {
    return value.toFixed(decimals);
  }
  const unit = 10n ** BigInt(scale - decimals);
  const rounded = (BigInt(plain) + unit / 2n) / unit;
  const text = rounded.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/**
 * Returns the first whole number from `low` to `high` for which the predicate is true; it is for
 * the last.
 * @param {number} low
 * @param {number} high
 * @param {(value: number) => boolean} predicate
 */
export function firstTrue(low, high, predicate) {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = from + Math.floor((to - from) / 2);
    if (predicate(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}

/**
 * Returns the fpp if it can be one.
 * @param {number} fpp
 */
export function requireFpp(fpp) {
  if (!(fpp > 0 && fpp < 1)) {
    throw new SizingError(`fpp must be in (0, 1), got ${exactFpp(fpp)}`);
  }
  return fpp;
}

/**
 * Returns the probability that a key has the same 64-bit hash as one of `keys` others.
 * @param {number} keys
 */
export function sharedHashFpp(keys) {
  return -Math.expm1(-keys * 2 ** -64);
}

/**
 * Returns the fpp of a filter for keys of any hash.
 * @param {number} fpp for keys whose hash is not in it
 * @param {number} keys that it holds
 */
export function withSharedHashes(fpp, keys) {
  return Math.min(1, fpp + (1 - fpp) * sharedHashFpp(keys));
}
