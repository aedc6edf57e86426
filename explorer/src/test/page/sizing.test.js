import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYOUT_NAMES } from '../../main/page/core/placement.js';
import { fppOf, mostKeysOf, solve } from '../../main/page/sizing/bloom.js';
import { cellsOf, keysFromOnes, overlap } from '../../main/page/sizing/counts.js';
import { exactFpp, javaFixed, roundedFpp } from '../../main/page/sizing/numbers.js';
import {
  formatBytes,
  formatNumber,
  parseCount,
  parseHashes,
  parseProbability,
  parseSize,
} from '../../main/page/sizing/quantities.js';
import { sizeRows } from '../../main/page/sizing/sizers.js';

test('needs 2.396 GB for a billion keys at 0.01 %, by the formula', () => {
  const { rows } = sizeRows({ keys: 1e9, fpp: 1e-4, bytes: null, hashes: null });
  const formula = rows.find(({ type }) => type === 'classic formula');
  assert.equal(formula?.bits, 19_170_116_755);
  const bound = rows.find(({ type }) => type === 'information bound');
  assert.equal(formatBytes(Math.ceil((bound?.bits ?? 0) / 8)), '1.661 GB');
});

test('is its own inverse', () => {
  for (const layout of LAYOUT_NAMES) {
    const { shape } = solve({ keys: 100_000, fpp: 0.01, layout });
    assert.ok(fppOf(shape, 100_000) <= 0.01);
    assert.ok(mostKeysOf(shape, 0.01) >= 100_000);
    assert.ok(fppOf(shape, mostKeysOf(shape, 0.01) + 1) > 0.01);
  }
});

test('reads counts, sizes and probabilities as people type them', () => {
  assert.equal(parseCount('10M'), 10_000_000);
  assert.equal(parseCount('1_000_000'), 1_000_000);
  assert.equal(parseCount('1,000,000'), 1_000_000);
  assert.equal(parseProbability('1 in 1,000,000'), 1e-6);
  assert.equal(parseCount(' 1.5e3 '), 1500);
  assert.equal(parseSize('64MiB'), 64 * 2 ** 20);
  assert.equal(parseSize('1.5G'), 1.5 * 2 ** 30);
  assert.equal(parseSize('2 GB'), 2e9);
  assert.equal(parseHashes('32'), 32);
  assert.equal(parseProbability('1 in 1e6'), 1e-6);
  assert.equal(parseProbability('1 in 10M'), 1e-7);
  assert.equal(parseProbability('1/1000'), 1e-3);
  assert.equal(parseProbability('0.01 %'), 1e-4);
  assert.equal(parseProbability('1e-6'), 1e-6);
});

test('refuses everything else, at both ends of each range', () => {
  assert.equal(parseCount('1'), 1);
  assert.equal(parseCount('9007199254740991'), Number.MAX_SAFE_INTEGER);
  for (const text of [
    '0',
    '-1',
    '1.5',
    '9007199254740992',
    '1e99',
    '',
    'ten',
    '10Q',
    '1__0',
    '1,00',
    '0,100',
    '1,000,00',
    '1e',
    '0x10',
    'NaN',
  ]) {
    assert.throws(() => parseCount(text), /expected a whole number/, text);
  }
  assert.equal(parseSize('2199023255552'), 2199023255552);
  for (const text of ['0', '2199023255553', '3T', '5 apples']) {
    assert.throws(() => parseSize(text), /expected a size/, text);
  }
  for (const text of [
    '0',
    '1',
    '1.0',
    '-0.1',
    '100 %',
    '1 in 1',
    '2 in 5',
    'NaN',
    '1e-400',
    '0.5k',
  ]) {
    assert.throws(() => parseProbability(text), /expected a probability/, text);
  }
  assert.equal(parseHashes('1'), 1);
  for (const text of ['0', '33', '1.5']) {
    assert.throws(() => parseHashes(text), /expected a whole number from 1 to 32/, text);
  }
});

test('writes numbers as Java does', () => {
  assert.equal(exactFpp(0.01), '0.01');
  assert.equal(exactFpp(1), '1');
  assert.equal(exactFpp(0.0001), '0.0001');
  assert.equal(exactFpp(1.23456e-10), '1.23456e-10');
  assert.equal(roundedFpp(1.8626e-9), '1.86e-9');
  assert.equal(roundedFpp(1e-6), '1e-6');
  // half up from the shortest decimal form, which 1.005 is not in binary
  assert.equal(javaFixed(1.005, 2), '1.01');
  assert.equal(javaFixed(0.125, 2), '0.13');
  assert.equal(javaFixed(2.3, 3), '2.300');
  assert.equal(formatNumber(0.0123456), '0.0123');
  assert.equal(formatNumber(9.8e-7), '9.8e-7');
  assert.equal(formatNumber(12345.4), '12345');
  assert.equal(formatNumber(1000.5), '1000');
  assert.equal(formatNumber(1001.5), '1002');
  assert.equal(formatNumber(0), '0');
});

test('estimates keys from set bits, and says when that is impossible', () => {
  const shape = /** @type {const} */ ({ layout: 'classic', bits: 1000, hashes: 7 });
  const some = keysFromOnes(shape, 500);
  assert.ok(some.low <= some.value && some.value <= some.high);
  assert.equal(Math.round(some.value), 99);
  assert.deepEqual(keysFromOnes(shape, 0), { value: 0, low: 0, high: 0 });
  assert.equal(keysFromOnes(shape, 1000).high, Number.POSITIVE_INFINITY);
});

test('finds the overlap of equal and of disjoint filters', () => {
  const shape = /** @type {const} */ ({ layout: 'split', bits: 512 * 100, hashes: 8 });
  const equal = overlap(cellsOf(shape), 10_000, 10_000, 10_000);
  assert.ok((equal.jaccard?.value ?? 0) > 0.999);
  const disjoint = overlap(cellsOf(shape), 10_000, 10_000, 18_050);
  assert.ok((disjoint.jaccard?.low ?? 1) === 0);
  assert.equal(overlap(cellsOf(shape), 0, 0, 0).jaccard, null);
});
