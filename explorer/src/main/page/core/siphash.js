/** SipHash-2-4 (Aumasson, Bernstein 2012) in halves of 32 bits. */
import { RESULT } from './u64.js';

/** The state: four numbers of 64 bits, low half first. */
const v = new Int32Array(8);

/**
 * Adds number `b` to number `a`, rotates `b` left and takes the exclusive or with `a`.
 * @param {number} a index of the low half
 * @param {number} b index of the low half
 * @param {number} bits of the rotation, 1 to 31
 */
function mix(a, b, bits) {
  const low = (v[a] >>> 0) + (v[b] >>> 0);
  v[a] = low;
  v[a + 1] += v[b + 1] + (low >= 0x1_0000_0000 ? 1 : 0);
  const bLow = v[b];
  const bHigh = v[b + 1];
  v[b] = ((bLow << bits) | (bHigh >>> (32 - bits))) ^ v[a];
  v[b + 1] = ((bHigh << bits) | (bLow >>> (32 - bits))) ^ v[a + 1];
}

/** @param {number} a index of the low half of what is rotated by 32 */
function swap(a) {
  const low = v[a];
  v[a] = v[a + 1];
  v[a + 1] = low;
}

/** @param {number} count */
function rounds(count) {
  for (let i = 0; i < count; i++) {
    mix(0, 2, 13);
    swap(0);
    mix(4, 6, 16);
    mix(0, 6, 21);
    mix(4, 2, 17);
    swap(4);
  }
}

/**
 * @param {number} low
 * @param {number} high
 */
function absorb(low, high) {
  v[6] ^= low;
  v[7] ^= high;
  rounds(2);
  v[0] ^= low;
  v[1] ^= high;
}

/**
 * Returns the function under a secret key, which leaves its result in `RESULT`.
 * @param {Uint8Array} secret 16 bytes
 * @returns {(key: Uint8Array) => void}
 */
export function sipHash(secret) {
  const view = new DataView(secret.buffer, secret.byteOffset, 16);
  const k = [0, 4, 8, 12].map((at) => view.getInt32(at, true));
  return (key) => {
    v[0] = k[0] ^ 0x70736575;
    v[1] = k[1] ^ 0x736f6d65;
    v[2] = k[2] ^ 0x6e646f6d;
    v[3] = k[3] ^ 0x646f7261;
    v[4] = k[0] ^ 0x6e657261;
    v[5] = k[1] ^ 0x6c796765;
    v[6] = k[2] ^ 0x79746573;
    v[7] = k[3] ^ 0x74656462;
    const data = new DataView(key.buffer, key.byteOffset, key.length);
    const end = key.length - (key.length % 8);
    for (let at = 0; at < end; at += 8) {
      absorb(data.getInt32(at, true), data.getInt32(at + 4, true));
    }
    const last = [0, key.length << 24];
    for (let at = end; at < key.length; at++) {
      const i = at - end;
      last[i >> 2] |= key[at] << (8 * (i % 4));
    }
    absorb(last[0], last[1]);
    v[4] ^= 0xff;
    rounds(4);
    RESULT[0] = v[1] ^ v[3] ^ v[5] ^ v[7];
    RESULT[1] = v[0] ^ v[2] ^ v[4] ^ v[6];
  };
}
