/**
 * The hashes of other programs, as those programs define them: Guava's, Spark's, Parquet's and
 * that of DCSO's bloom.
 *
 * XXH64 is hash-wasm's, which has no MurmurHash3 and no FNV.
 */
import { createXXHash64 } from 'hash-wasm';
import { ofHasher } from './hashes.js';
import { fromBigInt, RESULT } from './u64.js';

/** @typedef {import('./hashes.js').KeyHash} KeyHash */

/**
 * MurmurHash3 for x64 with 128 bits and seed 0; the half that Guava calls the lower one comes first.
 * @type {KeyHash}
 */
export const MURMUR_128 = { name: 'murmur3-128', number: 0n, bits: 128, hash: murmur128 };

const LOWER_FACTOR = 0x87c37b91114253d5n;
const UPPER_FACTOR = 0x4cf5ad432745937fn;

/** @param {Uint8Array} key */
function murmur128(key) {
  const size = BigInt(key.length);
  const whole = key.length - (key.length % 16);
  // the zeros that pad the last block change nothing
  const blocks = new DataView(new ArrayBuffer(whole + 16));
  new Uint8Array(blocks.buffer).set(key);
  let lower = 0n;
  let upper = 0n;
  for (let at = 0; at <= whole; at += 16) {
    lower ^= u64(rotated(blocks.getBigUint64(at, true) * LOWER_FACTOR, 31n) * UPPER_FACTOR);
    const mixed = u64(
      rotated(blocks.getBigUint64(at + 8, true) * UPPER_FACTOR, 33n) * LOWER_FACTOR,
    );
    if (at < whole) {
      lower = u64((rotated(lower, 27n) + upper) * 5n + 0x52dce729n);
      upper = u64((rotated(upper ^ mixed, 31n) + lower) * 5n + 0x38495ab5n);
    } else {
      upper ^= mixed;
    }
  }
  lower = u64((lower ^ size) + (upper ^ size));
  upper = u64((upper ^ size) + lower);
  lower = finished(lower);
  upper = finished(upper);
  lower = u64(lower + upper);
  fromBigInt(u64(upper + lower));
  RESULT.copyWithin(2, 0, 2);
  fromBigInt(lower);
}

/** @param {bigint} x */
function u64(x) {
  return BigInt.asUintN(64, x);
}

/**
 * @param {bigint} x of any length
 * @param {bigint} by
 */
function rotated(x, by) {
  const bits = u64(x);
  return u64(bits << by) | (bits >> (64n - by));
}

/** @param {bigint} x */
function finished(x) {
  let h = u64((x ^ (x >> 33n)) * 0xff51afd7ed558ccdn);
  h = u64((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return h ^ (h >> 33n);
}

/**
 * Returns Spark's two hashes of a key: MurmurHash3 for x86 with a seed, and again with the first
 * hash for a seed. Each byte after the last block of four is mixed in with its sign, as a block.
 * @param {number} seed
 * @returns {KeyHash}
 */
export function sparkMurmur(seed) {
  return {
    name: 'spark-murmur3',
    number: BigInt(seed),
    hash(key) {
      RESULT[0] = murmur32(key, seed);
      RESULT[1] = murmur32(key, RESULT[0]);
    },
  };
}

/**
 * @param {Uint8Array} key
 * @param {number} seed
 */
function murmur32(key, seed) {
  const view = new DataView(key.buffer, key.byteOffset, key.length);
  const whole = key.length - (key.length % 4);
  let hash = seed;
  for (let at = 0; at < whole; at += 4) {
    hash = mixed32(hash, view.getInt32(at, true));
  }
  for (let at = whole; at < key.length; at++) {
    hash = mixed32(hash, view.getInt8(at));
  }
  hash ^= key.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * @param {number} hash
 * @param {number} block
 */
function mixed32(hash, block) {
  const product = Math.imul(block, 0xcc9e2d51);
  const mixed = hash ^ Math.imul((product << 15) | (product >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** Returns Parquet's XXH64 with seed 0. */
export async function xxh64() {
  return ofHasher('xxh64', 0n, await createXXHash64());
}

/**
 * FNV-1 of 64 bits, which multiplies before it takes a byte in.
 * @type {KeyHash}
 */
export const FNV_1 = {
  name: 'fnv1-64',
  number: 0n,
  hash(key) {
    let high = 0xcbf29ce4 | 0;
    let low = 0x84222325 | 0;
    for (const byte of key) {
      // the prime is 2^40 + 435
      const product = (low >>> 0) * 435;
      high = (Math.imul(high, 435) + Math.floor(product / 2 ** 32) + (low << 8)) | 0;
      low = ((product % 2 ** 32) ^ byte) | 0;
    }
    RESULT[0] = high;
    RESULT[1] = low;
  },
};
