import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xxh3 } from '../../main/page/core/hashes.js';
import { KEY_FORMS } from '../../main/page/core/keys.js';
import { ScalableCells, WindowedCells } from '../../main/page/play/cells.js';
import { STEPS } from '../../main/page/play/steps.js';
import {
  fromLink,
  numberedKey,
  PLAY_TYPES,
  Playground,
  possible,
  toLink,
} from '../../main/page/play/playground.js';

const hasher = await xxh3(0n);

function playground(type = 'classic', bits = 256, hashes = 4) {
  return new Playground({ type, bits, hashes }, hasher);
}

test('forgets nothing that was put, in any type of filter', () => {
  for (const type of PLAY_TYPES) {
    const play = playground(type, 2048, 8);
    for (let i = 0; i < 30; i++) {
      play.perform({ op: 'put', key: `k${i}` });
    }
    for (let i = 0; i < 30; i++) {
      const { answer, present } = play.query(`k${i}`);
      assert.ok(answer || !present, `${type}: k${i}`);
    }
  }
});

test('says whose keys a false positive is owed to', () => {
  const play = playground('classic', 64, 3);
  play.perform({ op: 'fill', count: 16 });
  let found = null;
  for (let i = 0; i < 10_000 && !found; i++) {
    const result = play.query(`other-${i}`);
    found = result.answer && !result.present ? result : null;
  }
  assert.ok(found);
  for (const { cell, set, owners } of found.probes) {
    assert.ok(set);
    assert.ok(owners.length > 0);
    for (const owner of owners) {
      assert.ok(play.query(owner).probes.some((probe) => probe.cell === cell));
    }
  }
});

test('undo restores every cell and figure', () => {
  for (const type of PLAY_TYPES) {
    const play = playground(type, 512, 8);
    play.perform({ op: 'fill', count: 10 });
    const before = [...play.cells.values];
    const figures = [play.size(), play.falsePositives()];
    play.perform({ op: 'put', key: 'one more' });
    play.undo();
    assert.deepEqual([...play.cells.values], before, type);
    assert.deepEqual([play.size(), play.falsePositives()], figures, type);
  }
});

test('removing a key from a counting filter undoes its put', () => {
  const play = playground('counting', 256, 4);
  play.perform({ op: 'fill', count: 20 });
  const before = [...play.cells.values];
  play.perform({ op: 'put', key: 'gone' });
  play.perform({ op: 'remove', key: 'gone' });
  assert.deepEqual([...play.cells.values], before);
  assert.equal(play.holds('gone'), false);
});

test('removing a false positive does damage, which is told', () => {
  const play = playground('counting', 64, 3);
  play.perform({ op: 'fill', count: 20 });
  assert.deepEqual(play.lost(), []);
  for (let i = 0; play.lost().length === 0 && i < 1000; i++) {
    play.perform({ op: 'remove', key: `never-${i}` });
  }
  assert.ok(play.lost().length > 0);
  assert.ok(play.lost().every((key) => play.holds(key) && !play.query(key).answer));
});

test('clearing the bits of one key loses others', () => {
  const play = playground('classic', 64, 3);
  play.perform({ op: 'put', key: 'pear' });
  play.perform({ op: 'fill', count: 8 });
  play.perform({ op: 'clear', key: 'pear' });
  assert.deepEqual(play.lost(), ['key-8']);
});

test('false positives are counted among keys that were not put', () => {
  const play = playground('classic', 64, 3);
  assert.deepEqual(play.falsePositives(), { found: 0, queried: 1000 });
  play.perform({ op: 'put', key: 'other-1' });
  play.perform({ op: 'fill', count: 20 });
  const { found, queried } = play.falsePositives();
  assert.equal(queried, 999);
  assert.ok(Math.abs(found / queried - play.cells.predictedFpp(21)) < 0.05, `${found}`);
});

test('no type exceeds its fpp when it is filled to capacity', () => {
  for (const type of PLAY_TYPES) {
    const play = playground(type, 4096, 8);
    play.perform({ op: 'fill', count: play.room() });
    const { found, queried } = play.falsePositives();
    assert.ok(found / queried < 0.08, `${type}: ${found} of ${queried}`);
    assert.equal(play.room() > 0, type === 'windowed', type);
  }
});

test('each step of the tour has room for more keys, as its text says', () => {
  const steps = Object.fromEntries(
    STEPS.map(({ name, play }) => {
      const { settings, operations } = fromLink(new URLSearchParams(play));
      const step = new Playground(settings, hasher);
      operations.forEach((operation) => step.perform(operation));
      assert.ok(step.room() > 0, name);
      return [name, step];
    }),
  );
  steps.clearing.perform({ op: 'clear', key: 'pear' });
  assert.ok(steps.clearing.lost().length > 0);
  steps.counting.perform({ op: 'remove', key: 'pear' });
  assert.deepEqual(steps.counting.lost(), []);
  const key = Array.from({ length: 100_000 }, (_, i) => `other-${i + 1}`).find(
    (other) => steps.counting.query(other).answer,
  );
  steps.counting.perform({ op: 'remove', key });
  assert.ok(steps.counting.lost().length > 0);
  const before = steps.errs.cells.predictedFpp(steps.errs.size());
  steps.errs.perform({ op: 'fill', count: steps.errs.room() });
  assert.ok(steps.errs.cells.predictedFpp(steps.errs.size()) > 2 * before);
});

test('a scalable filter adds stages and keeps its keys', () => {
  const play = playground('scalable');
  play.perform({ op: 'fill', count: 200 });
  const cells = /** @type {ScalableCells} */ (play.cells);
  assert.ok(cells instanceof ScalableCells);
  assert.deepEqual(
    cells.stages.map(({ most }) => most),
    [20, 40, 80, 160],
  );
  assert.deepEqual(play.lost(), []);
});

test('a window forgets what is older than it, and no sooner', () => {
  const play = playground('windowed', 4096, 4);
  const cells = /** @type {WindowedCells} */ (play.cells);
  assert.ok(cells instanceof WindowedCells);
  play.perform({ op: 'put', key: 'first' });
  play.perform({ op: 'fill', count: cells.capacity - 1 });
  assert.ok(play.query('first').answer);
  play.perform({ op: 'fill', count: 2 * cells.generationKeys });
  assert.equal(play.holds('first'), false);
  assert.equal(cells.rotations, 9);
  assert.deepEqual(play.lost(), []);
  const seen = play.cells.values.length;
  play.perform({ op: 'put', key: 'first' });
  for (let rotations = 0; rotations < 8; rotations++) {
    assert.ok(play.query('first').answer, `after ${rotations} rotations`);
    play.perform({ op: 'rotate' });
  }
  assert.equal(play.query('first').answer, false);
  assert.equal(play.cells.values.length, seen);
});

test('takes the nearest settings that are possible', () => {
  for (const type of PLAY_TYPES) {
    for (const bits of [Number.NaN, -5, 0, 1, 64, 513, 4096, 2 ** 40]) {
      for (const hashes of [Number.NaN, -1, 0, 1, 7, 9, 33]) {
        assert.doesNotThrow(
          () => new Playground({ type, bits, hashes }, hasher),
          `${type} ${bits} ${hashes}`,
        );
      }
    }
  }
  assert.deepEqual(possible({ type: 'nonsense', bits: 100, hashes: 3 }), {
    type: 'classic',
    bits: 100,
    hashes: 3,
    form: 'text',
  });
  assert.equal(possible({ type: 'split', bits: 600, hashes: 9 }).hashes, 8);
});

test('a link reproduces what is shown', () => {
  const play = playground('counting', 512, 5);
  play.perform({ op: 'put', key: '<b>&=#+ 漢字\n' });
  play.perform({ op: 'fill', count: 7 });
  play.perform({ op: 'remove', key: 'key-3' });
  const { settings, operations } = fromLink(new URLSearchParams(toLink(play).toString()));
  const again = new Playground(settings, hasher);
  for (const operation of operations) {
    again.perform(operation);
  }
  assert.deepEqual([...again.cells.values], [...play.cells.values]);
  assert.deepEqual(again.operations, play.operations);
});

test('a hostile link is cut to what is possible', () => {
  const { settings, operations } = fromLink(
    new URLSearchParams('type=__proto__&m=1e99&k=-3&o=*1e99&o=*NaN&o=?x&o='),
  );
  assert.equal(settings.type, 'classic');
  assert.ok(settings.bits <= 2 ** 20);
  assert.deepEqual(operations, [
    { op: 'fill', count: 2 ** 20 },
    { op: 'fill', count: 0 },
  ]);
});

test('plays with numbers that no double holds, and with bytes', () => {
  const play = new Playground({ type: 'classic', bits: 4096, hashes: 8, form: 'i64' }, hasher);
  const edges = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '-1'];
  edges.forEach((key) => play.perform({ op: 'put', key }));
  assert.ok(edges.every((key) => play.query(key).answer));
  const near = ['9007199254740992', '-9223372036854775807', '9223372036854775806', '1'];
  assert.deepEqual(
    near.filter((key) => play.query(key).answer),
    [],
  );
  assert.deepEqual([...play.query('-2').bytes], [0xfe, 255, 255, 255, 255, 255, 255, 255]);
  const { settings, operations } = fromLink(toLink(play));
  assert.deepEqual(settings, play.settings);
  assert.deepEqual(operations, play.operations);
});

test('the same bytes are one key, however they are written', () => {
  const query = (parameters) => fromLink(new URLSearchParams(parameters));
  assert.deepEqual(query('keys=i64&o=%2B007&o=%2B+7&o=%2B-0&q=%2B7').operations, [
    { op: 'put', key: '7' },
    { op: 'put', key: '7' },
    { op: 'put', key: '0' },
  ]);
  assert.deepEqual(query('keys=hex&o=%2B0xAB+cd&q=zz'), {
    settings: possible({ type: 'classic', bits: 256, hashes: 4, form: 'hex' }),
    operations: [{ op: 'put', key: 'abcd' }],
    query: null,
  });
  assert.deepEqual(query('keys=i32&o=%2B2147483648&o=-2147483647&o=%3Fx').operations, [
    { op: 'remove', key: '2147483647' },
  ]);
});

test('fills with keys of each form, and finds others', () => {
  for (const form of KEY_FORMS) {
    const play = new Playground({ type: 'classic', bits: 256, hashes: 4, form }, hasher);
    play.perform({ op: 'fill', count: 20 });
    assert.equal(play.size(), 20);
    for (let i = 1; i <= 20; i++) {
      assert.ok(play.query(numberedKey(form, 'key', i)).present);
      assert.ok(!play.query(numberedKey(form, 'other', i)).present);
    }
  }
});
