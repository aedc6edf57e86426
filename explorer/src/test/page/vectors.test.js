import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LAYOUT_NAMES, LAYOUTS, positions } from '../../main/page/core/placement.js';
import { fppOf, solve } from '../../main/page/sizing/bloom.js';

/** Written by the library; see docs/format.md. */
const VECTORS = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors.json', import.meta.url), 'utf8'),
);

test('layouts are those of the library', () => {
  const mine = LAYOUT_NAMES.map((layout) => {
    const { id, minHashes, maxHashes, hashStep } = LAYOUTS[layout];
    return { layout, id, minHashes, maxHashes, hashStep };
  });
  assert.deepEqual(mine, VECTORS.layouts);
});

test('positions are those of the library', () => {
  for (const { hash, positions: expected, ...shape } of VECTORS.positions) {
    const found = new Float64Array(shape.hashes);
    const [high, low] = [hash.slice(0, 8), hash.slice(8)].map((half) => parseInt(half, 16) | 0);
    positions(shape, high, low, found);
    assert.deepEqual([...found], expected, `${shape.layout}, ${shape.bits} bits, ${hash}`);
  }
});

test('sizes are those of the library', () => {
  for (const { layout, keys, fpp, bits, hashes, fppThen } of VECTORS.sizes) {
    const { shape } = solve({ layout, keys, fpp });
    assert.deepEqual(shape, { layout, bits, hashes });
    assert.ok(Math.abs(fppOf(shape, keys) / fppThen - 1) < 1e-9, `${layout}, ${keys}, ${fpp}`);
  }
});
