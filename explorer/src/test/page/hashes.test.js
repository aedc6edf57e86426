import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfText, hashOf, hexOf, keyed, keyId, xxh3 } from '../../main/page/core/hashes.js';
import { bytesOfKey } from '../../main/page/core/keys.js';
import { draw, fromBigInt, RESULT, reduce, toBigInt } from '../../main/page/core/u64.js';

const MASK = 2n ** 64n - 1n;

/** Numbers of 64 bits with the awkward ones first. */
function numbers(count) {
  const some = [0n, 1n, MASK, 2n ** 63n, 2n ** 32n, 2n ** 32n - 1n, 0x8000_0000n];
  let x = 0x9e37_79b9_7f4a_7c15n;
  while (some.length < count) {
    x = (x * 6364136223846793005n + 1442695040888963407n) & MASK;
    some.push(x);
  }
  return some;
}

function halves(x) {
  fromBigInt(x);
  return [RESULT[0], RESULT[1]];
}

test('reduces to a range as the full product does, up to the largest filter', () => {
  for (const x of numbers(300)) {
    for (const range of [1, 2, 63, 64, 511, 65_535, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 44]) {
      assert.equal(BigInt(reduce(...halves(x), range)), (x * BigInt(range)) >> 64n);
    }
  }
});

test('draws as SplitMix64 does', () => {
  for (const h of numbers(50)) {
    for (const i of [0, 1, 7, 31, 1087, 2 ** 31, 2 ** 32 - 1]) {
      draw(...halves(h), i);
      assert.equal(toBigInt(RESULT[0], RESULT[1]), splitMix(h, BigInt(i)));
    }
  }
});

function splitMix(h, i) {
  let z = (h + i * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

test('hashes the empty key as the authors of XXH3 do', async () => {
  assert.equal(hexOf(await xxh3(0n), new Uint8Array(0)), '2d06800538d394c2');
});

test('hashes by SipHash-2-4 as its authors do', async () => {
  const secret = Uint8Array.from({ length: 16 }, (_, i) => i);
  const hasher = await keyed(secret);
  // the vectors of the paper's reference implementation for 0, 1, 8 and 15 bytes
  const expected = {
    0: 0x726fdb47dd0e0e31n,
    1: 0x74f839c593dc67fdn,
    8: 0x93f5f5799a932462n,
    15: 0xa129ca6149be45e5n,
  };
  for (const [length, hash] of Object.entries(expected)) {
    const data = Uint8Array.from({ length: Number(length) }, (_, i) => i);
    assert.equal(hashOf(hasher, data), hash);
  }
});

test('names a secret key by an id', async () => {
  const id = await keyId(new Uint8Array(16));
  assert.equal(typeof id, 'bigint');
  assert.notEqual(id, await keyId(new Uint8Array(16).fill(1)));
});

test('encodes an unpaired surrogate as one question mark', () => {
  const text = (bytes) => new TextDecoder().decode(bytes);
  assert.equal(text(bytesOfText('a\ud800b')), 'a?b');
  assert.equal(text(bytesOfText('\udc00\udc00')), '??');
  assert.equal(text(bytesOfText('\ud83d\ude00')), '😀');
});

test('numbers keep all of their bits', () => {
  const hex = (text, form) => Buffer.from(bytesOfKey(text, form)).toString('hex');
  assert.equal(hex('9007199254740993', 'i64'), '0100000000002000');
  assert.equal(hex('-9007199254740993', 'i64'), 'ffffffffffffdfff');
  assert.equal(hex('9223372036854775807', 'i64'), 'ffffffffffffff7f');
  assert.equal(hex(' -9223372036854775808 ', 'i64'), '0000000000000080');
  assert.equal(hex('-2147483648', 'i32'), '00000080');
  assert.equal(hex('+007', 'i32'), '07000000');
  for (const [text, form] of [
    ['9223372036854775808', 'i64'],
    ['-9223372036854775809', 'i64'],
    ['2147483648', 'i32'],
    ['-2147483649', 'i32'],
    ['1.5', 'i64'],
    ['', 'i64'],
    ['1e3', 'i64'],
    ['+-1', 'i64'],
    ['abc', 'hex'],
    ['zz', 'hex'],
  ]) {
    assert.throws(() => bytesOfKey(text, form), { form, text });
  }
});
