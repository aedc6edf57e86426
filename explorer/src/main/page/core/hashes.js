/**
 * How a key becomes 64 bits: XXH3-64 or SipHash-2-4, as docs/format.md names them.
 *
 * XXH3, SHA-256 and CRC-32C are hash-wasm's, which load asynchronously once; after that all is
 * synchronous.
 */
import { createCRC32, createSHA256, createXXHash3 } from 'hash-wasm';
import { sipHash } from './siphash.js';
import { RESULT, toBigInt, toHex } from './u64.js';

/** The reversed polynomial of CRC-32C (RFC 3720). */
const CRC32C_POLYNOMIAL = 0x82f63b78;

const KEY_ID_CONTEXT = 'tamis hash key id 1';

/** The bytes of a secret key. */
export const SECRET_KEY_BYTES = 16;

/**
 * @typedef {object} KeyHash a function from bytes to 64 bits
 * @property {string} name
 * @property {bigint} number the seed, or the id of the secret key
 * @property {(key: Uint8Array) => void} hash leaves the hash in `RESULT`
 */

/** The most functions that are kept: each has memory of its own, which is reserved in gigabytes. */
const MOST_KEPT = 4;

/** @type {Map<bigint, Promise<KeyHash>>} */
const kept = new Map();

/** @type {ReturnType<typeof createCRC32> | null} */
let crc = null;

/**
 * Returns XXH3-64 with a seed.
 * @param {bigint} seed
 * @returns {Promise<KeyHash>}
 */
export function xxh3(seed) {
  let hash = kept.get(seed);
  if (!hash) {
    hash = newXxh3(seed);
    if (kept.size === MOST_KEPT) {
      const [oldest] = kept.keys();
      kept.delete(oldest);
    }
    kept.set(seed, hash);
  }
  return hash;
}

/**
 * @param {bigint} seed
 * @returns {Promise<KeyHash>}
 */
async function newXxh3(seed) {
  const low = Number(BigInt.asUintN(32, seed));
  const high = Number(BigInt.asUintN(32, seed >> 32n));
  const hasher = await createXXHash3(low, high);
  return {
    name: 'xxh3',
    number: seed,
    hash(key) {
      const digest = hasher.init().update(key).digest('binary'); // big-endian
      RESULT[0] = (digest[0] << 24) | (digest[1] << 16) | (digest[2] << 8) | digest[3];
      RESULT[1] = (digest[4] << 24) | (digest[5] << 16) | (digest[6] << 8) | digest[7];
    },
  };
}

/**
 * Returns SipHash-2-4 under a secret key.
 * @param {Uint8Array} secret 16 bytes
 * @returns {Promise<KeyHash>}
 */
export async function keyed(secret) {
  const hash = sipHash(secret);
  return { name: 'siphash-2-4', number: await keyId(secret), hash };
}

/**
 * Returns the id of a secret key: the first 8 bytes, little-endian, of a SHA-256.
 * @param {Uint8Array} secret
 */
export async function keyId(secret) {
  const sha = await createSHA256();
  const digest = sha.init().update(KEY_ID_CONTEXT).update(secret).digest('binary');
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0, true);
}

/**
 * Returns the one CRC-32C there is; `digest` gives eight hexadecimal digits. Between `init` and
 * `digest` nothing may be awaited.
 */
export function crc32c() {
  crc ??= createCRC32(CRC32C_POLYNOMIAL);
  return crc;
}

/**
 * Returns the hash of a key as a number of 64 bits.
 * @param {KeyHash} hasher
 * @param {Uint8Array} key
 */
export function hashOf(hasher, key) {
  hasher.hash(key);
  return toBigInt(RESULT[0], RESULT[1]);
}

/**
 * Returns the hash of a key in 16 hexadecimal digits.
 * @param {KeyHash} hasher
 * @param {Uint8Array} key
 */
export function hexOf(hasher, key) {
  hasher.hash(key);
  return toHex(RESULT[0], RESULT[1]);
}

const UTF_8 = new TextEncoder();
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Returns the bytes of a key given as text: its UTF-8, an unpaired surrogate being one `?`.
 * @param {string} text
 */
export function bytesOfText(text) {
  return UTF_8.encode(text.replace(LONE_SURROGATE, '?'));
}
