import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYOUT_NAMES } from '../../main/page/core/placement.js';
import { interval, measure } from '../../main/page/measure.js';
import { solve } from '../../main/page/sizing/bloom.js';

test('measures what is predicted, in every layout', () => {
  for (const layout of LAYOUT_NAMES) {
    const { shape } = solve({ keys: 20_000, fpp: 0.02, layout });
    let last;
    for (last of measure(shape, 20_000, 100_000, 7)) {
      assert.ok(last.falsePositives <= last.queries);
    }
    assert.equal(last?.phase, 'done');
    // six standard deviations of the queries, and as much for the luck of the seed
    const deviation = Math.sqrt((0.02 * 0.98) / 100_000);
    assert.ok(Math.abs(last.fpp - last.predicted) < 12 * deviation, `${layout}: ${last.fpp}`);
    assert.ok(Math.abs(last.ones / last.expectedOnes - 1) < 0.02, layout);
  }
});

test('reports while it runs', () => {
  const { shape } = solve({ keys: 200_000, fpp: 0.1, layout: 'classic' });
  const phases = [...measure(shape, 200_000, 100_000, 1)].map(({ phase }) => phase);
  assert.ok(phases.length >= 5);
});

test('has an interval for no hit and for nothing but hits', () => {
  assert.deepEqual([interval(0, 1000).low, interval(1000, 1000).high], [0, 1]);
  assert.ok(interval(0, 1000).high > 0.003 && interval(0, 1000).high < 0.005);
});
