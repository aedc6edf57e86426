/**
 * Arithmetic on unsigned 64-bit numbers in two halves of 32 bits.
 *
 * A BigInt for each step would make a measurement of ten million keys take minutes. So a number is
 * a pair of halves, functions return one by leaving it in `RESULT`, and every caller takes it from
 * there before it calls the next. All halves are signed, as JavaScript's bitwise operators have it.
 */

/** Where functions leave a 64-bit result: the high half, then the low half. */
export const RESULT = new Int32Array(2);

const TWO_32 = 0x1_0000_0000;

/**
 * Returns the high 32 bits of the product of two unsigned numbers of 32 bits.
 * @param {number} a
 * @param {number} b
 */
export function mulHigh32(a, b) {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const first = aHigh * bLow + ((aLow * bLow) >>> 16);
  const second = aLow * bHigh + (first & 0xffff);
  return (aHigh * bHigh + (first >>> 16) + (second >>> 16)) | 0;
}

/**
 * Leaves `draw(i)` of docs/format.md: number i of the SplitMix64 generator that begins at the hash.
 * @param {number} high of the hash
 * @param {number} low of the hash
 * @param {number} i 0 to 2^32 - 1
 */
export function draw(high, low, i) {
  // i times the constant 9E3779B97F4A7C15, plus the hash
  const product = Math.imul(i, 0x7f4a7c15);
  const sum = (low >>> 0) + (product >>> 0);
  let h =
    (high + mulHigh32(i, 0x7f4a7c15) + Math.imul(i, 0x9e3779b9) + (sum >= TWO_32 ? 1 : 0)) | 0;
  let l = sum | 0;
  let l2 = l ^ ((l >>> 30) | (h << 2));
  let h2 = h ^ (h >>> 30);
  h = (mulHigh32(l2, 0x1ce4e5b9) + Math.imul(h2, 0x1ce4e5b9) + Math.imul(l2, 0xbf58476d)) | 0;
  l = Math.imul(l2, 0x1ce4e5b9);
  l2 = l ^ ((l >>> 27) | (h << 5));
  h2 = h ^ (h >>> 27);
  h = (mulHigh32(l2, 0x133111eb) + Math.imul(h2, 0x133111eb) + Math.imul(l2, 0x94d049bb)) | 0;
  l = Math.imul(l2, 0x133111eb);
  RESULT[0] = h ^ (h >>> 31);
  RESULT[1] = l ^ ((l >>> 31) | (h << 1));
}

/**
 * Leaves the number times 9E3779B97F4A7C15.
 * @param {number} high
 * @param {number} low
 */
export function goldenMultiple(high, low) {
  RESULT[0] = mulHigh32(low, 0x7f4a7c15) + Math.imul(high, 0x7f4a7c15) + Math.imul(low, 0x9e3779b9);
  RESULT[1] = Math.imul(low, 0x7f4a7c15);
}

/**
 * Returns `reduce(x, r)`: the product of x and r divided by 2^64, rounded down.
 * @param {number} high of x
 * @param {number} low of x
 * @param {number} range r, 0 to 2^53
 */
export function reduce(high, low, range) {
  const rLow = range | 0;
  const rHigh = Math.floor(range / TWO_32);
  // columns of 32 bits, each kept exact: the lowest only carries
  const middle =
    (mulHigh32(low, rLow) >>> 0) + (Math.imul(high, rLow) >>> 0) + (Math.imul(low, rHigh) >>> 0);
  const carry = Math.floor(middle / TWO_32);
  return (
    (high >>> 0) * rHigh + (mulHigh32(high, rLow) >>> 0) + (mulHigh32(low, rHigh) >>> 0) + carry
  );
}

/**
 * Returns the number as a BigInt, for people to read and for rare exact steps.
 * @param {number} high
 * @param {number} low
 */
export function toBigInt(high, low) {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/**
 * Leaves a BigInt modulo 2^64.
 * @param {bigint} value
 */
export function fromBigInt(value) {
  RESULT[0] = Number(BigInt.asIntN(32, value >> 32n));
  RESULT[1] = Number(BigInt.asIntN(32, value));
}

/**
 * Returns 16 hexadecimal digits.
 * @param {number} high
 * @param {number} low
 */
export function toHex(high, low) {
  return half(high) + half(low);
}

/** @param {number} value */
function half(value) {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns how many bits of 32 are set.
 * @param {number} bits
 */
export function bitCount(bits) {
  let b = bits - ((bits >>> 1) & 0x55555555);
  b = (b & 0x33333333) + ((b >>> 2) & 0x33333333);
  return Math.imul((b + (b >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
