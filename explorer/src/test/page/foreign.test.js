import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FNV_1, MURMUR_128, sparkMurmur, xxh64 } from '../../main/page/core/foreign.js';
import { bytesOfText, hexOf } from '../../main/page/core/hashes.js';
import { bytesOfKey } from '../../main/page/core/keys.js';
import { Bytes, SwappedWords } from '../../main/page/format/bytes.js';
import { positionsOf, STEPPINGS } from '../../main/page/format/foreign.js';

test('hashes as the authors of the functions do', async () => {
  const fox = bytesOfText('The quick brown fox jumps over the lazy dog');
  const none = new Uint8Array(0);
  assert.equal(hexOf(MURMUR_128, fox), 'e34bbc7bbc071b6c7a433ca9c49a9347');
  assert.equal(hexOf(MURMUR_128, none), '0'.repeat(32));
  assert.equal(hexOf(await xxh64(), none), 'ef46db3751d8e999');
  assert.equal(hexOf(FNV_1, none), 'cbf29ce484222325');
  assert.equal(hexOf(FNV_1, bytesOfText('a')), 'af63bd4c8601b7be');
  // where whole blocks of four are all there is, Spark's is MurmurHash3 for x86
  assert.equal(hexOf(sparkMurmur(0), bytesOfText('test')).slice(0, 8), 'ba6bd213');
});

/** Numbers that a hash can be, with those at which signs and carries change. */
const EDGES = [0n, 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 63n - 1n, 2n ** 63n];
const MANY = [...EDGES, 2n ** 64n - 60n, 2n ** 64n - 59n, 2n ** 64n - 1n, 0x9e3779b97f4a7c15n];

function positions(name, bits, hashes, first, second) {
  return [...positionsOf(STEPPINGS[name], bits, hashes, first, second)];
}

test('numbers of 32 bits overflow, and reach no bit past 2^31', () => {
  for (const first of MANY.map((x) => BigInt.asIntN(32, x))) {
    for (const second of MANY.map((x) => BigInt.asIntN(32, x))) {
      for (const bits of [64, 2 ** 31 - 64, 2 ** 31, 2 ** 34]) {
        // as an int of Java's: hash1 + i * hash2, inverted where that is negative
        const expected = [1, 2, 3, 4].map((i) => {
          const sum = (Number(first) + Math.imul(i, Number(second))) | 0;
          return (sum < 0 ? ~sum : sum) % bits;
        });
        assert.deepEqual(positions('int', bits, 4, first, second), expected);
        assert.ok(expected.every((position) => position < 2 ** 31));
      }
    }
  }
});

test('numbers of 64 bits go beyond 2^31 bits, and what a double cannot hold is exact', () => {
  const bits = 2 ** 37 - 64;
  const m = BigInt(bits);
  for (const first of MANY) {
    for (const second of MANY) {
      const long = [0n, 1n, 2n, 3n].map((i) =>
        Number((BigInt.asUintN(64, first + i * second) % 2n ** 63n) % m),
      );
      assert.deepEqual(positions('long', bits, 4, first, second), long);
      const [a, b] = [BigInt.asIntN(32, first), BigInt.asIntN(32, second)];
      const spread = [1n, 2n, 3n, 4n].map((i) => {
        const sum = a * 2147483647n + i * b;
        return Number((sum < 0n ? -1n - sum : sum) % m);
      });
      assert.deepEqual(positions('intsInLong', bits, 4, a, b), spread);
    }
    const prime = 18446744073709551557n;
    let number = first % prime;
    const products = Array.from({ length: 4 }, () => {
      number = BigInt.asUintN(64, number * 18446744073709550147n) % prime;
      return Number(number % m);
    });
    assert.deepEqual(positions('product', bits, 4, first, 0n), products);
  }
});

test('reads words whose highest byte comes first, wherever they begin', async () => {
  const content = Uint8Array.from({ length: 64 }, (_, i) => (i * 167) & 0xff);
  const bytes = await Bytes.of(new Blob([content]));
  for (const start of [0, 1, 2, 3, 6, 8]) {
    const words = new SwappedWords(bytes, start);
    for (let i = 0; i < 6; i++) {
      const expected = new DataView(content.buffer).getBigInt64(start + 8 * i);
      assert.equal(words.i64(i), expected);
      for (let bit = 0; bit < 64; bit++) {
        assert.equal(words.bit(64 * i + bit), Number((expected >> BigInt(bit)) & 1n));
      }
    }
  }
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
