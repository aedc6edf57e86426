/**
 * Plays at random in the browser, and compares all that is shown after each action with a model:
 * `PLAY_STEPS` actions from the seed `PLAY_SEED`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfText, xxh3 } from '../../main/page/core/hashes.js';
import { LAYOUTS, positions } from '../../main/page/core/placement.js';
import { RESULT } from '../../main/page/core/u64.js';
import { PLAY_TYPES, Playground, possible } from '../../main/page/play/playground.js';
import { en } from '../../main/page/text/en.js';
import { FILE_URL, open } from './harness.js';

const STEPS = Number(process.env.PLAY_STEPS ?? 250);
const SEED = Number(process.env.PLAY_SEED ?? 34);
const KEYS = ['apple', 'pear', 'plum', 'zoo', 'elder', 'fig', '漢字', 'other-7', 'a b', '<b>'];
const hasher = await xxh3(0n);

/** The true keys and cells of the operations so far; of compound filters, made anew each time. */
class Model {
  constructor() {
    this.settings = possible({ type: 'classic', bits: 256, hashes: 4 });
    this.operations = [];
    this.asked = null;
  }

  /** Performs an operation, joining fills as the page does, for which they are one step to undo. */
  perform(operation) {
    const last = this.operations.at(-1);
    if (operation.op === 'fill' && last?.op === 'fill') {
      last.count += operation.count;
    } else if (operation.op !== 'fill' || operation.count > 0) {
      this.operations.push({ ...operation });
    }
  }

  /** Performs the operations in another filter, as the page does when a setting changes. */
  begin() {
    const { operations } = this;
    this.operations = [];
    operations.filter(({ op }) => op !== 'clear').forEach((operation) => this.perform(operation));
  }

  playground() {
    const play = new Playground(this.settings, hasher);
    this.operations.forEach((operation) => play.perform(operation));
    return play;
  }

  isCompound() {
    return ['scalable', 'windowed'].includes(this.settings.type);
  }

  cellsOf(key) {
    const { type, bits, hashes } = this.settings;
    const found = new Float64Array(hashes);
    hasher.hash(bytesOfText(key));
    const layout = type in LAYOUTS ? type : 'classic';
    positions({ layout, bits, hashes }, RESULT[0], RESULT[1], found);
    return [...found];
  }

  /** Returns the values of the cells, and how often each key is in. */
  state() {
    const counting = this.settings.type === 'counting';
    const values = new Array(this.settings.bits).fill(0);
    const keys = new Map();
    const put = (key) => {
      keys.set(key, (keys.get(key) ?? 0) + 1);
      for (const cell of this.cellsOf(key)) {
        values[cell] = counting ? Math.min(15, values[cell] + 1) : 1;
      }
    };
    const out = (key) => (keys.get(key) > 1 ? keys.set(key, keys.get(key) - 1) : keys.delete(key));
    let filled = 0;
    for (const { op, key, count } of this.operations) {
      for (let i = 0; op === 'fill' && i < count; i++) {
        put(`key-${++filled}`);
      }
      if (op === 'put') {
        put(key);
      } else if (op === 'clear') {
        this.cellsOf(key).forEach((cell) => (values[cell] = 0));
        keys.delete(key);
      } else if (op === 'remove' && this.cellsOf(key).every((cell) => values[cell] > 0)) {
        for (const cell of this.cellsOf(key)) {
          values[cell] -= values[cell] > 0 && values[cell] < 15 ? 1 : 0;
        }
        out(key);
      }
    }
    return { values, keys };
  }

  shownKey() {
    return this.asked ?? this.operations.findLast(({ op }) => op === 'put')?.key ?? null;
  }

  /** Returns what the page must show. */
  expected() {
    const key = this.shownKey();
    const { values, keys, probes } = this.isCompound() ? this.ofPlayground(key) : this.ofCells(key);
    const all = probes.every(([, set]) => set);
    const verdict = keys.has(key) ? (all ? 'true' : 'lost') : all ? 'false' : 'absent';
    const hits = probes.filter(([, set]) => set).length;
    const share = en['play.answer.bits'].replace('{set}', hits).replace('{all}', probes.length);
    const set = values.flatMap((value, cell) => (value > 0 ? [cell] : []));
    return {
      sentence: key === null ? [] : [en[`play.answer.${verdict}`].replace('{key}', key), share],
      frames: key === null ? [] : probes,
      lines: key === null ? [] : probes,
      table: key === null ? [] : probes,
      keys: keys.size,
      ones: set.length,
      set: this.isCompound() ? null : set,
    };
  }

  ofCells(key) {
    const { values, keys } = this.state();
    return {
      values,
      keys,
      probes: this.cellsOf(key ?? '').map((cell) => [cell, values[cell] > 0]),
    };
  }

  ofPlayground(key) {
    const play = this.playground();
    const keys = new Set([...play.keys.keys()].filter((known) => play.holds(known)));
    const { probes } = play.query(key ?? '');
    return {
      values: [...play.cells.values],
      keys,
      probes: probes.map(({ cell, set }) => [cell, set]),
    };
  }
}

/** Returns all that the panel shows about the filter and the key, read at one moment. */
function shown(compound) {
  const panel = document.querySelector('#panel-play');
  const marks = (name) =>
    [...panel.querySelectorAll(`.trace .${name}`)].map((mark) => [
      Number(mark.dataset.cell),
      mark.classList.contains('hit') && !mark.classList.contains('miss'),
    ]);
  const [keys, ones] = [...panel.querySelectorAll('dd')].map((dd) =>
    Number(dd.textContent.split(' / ')[0].replaceAll(',', '')),
  );
  const canvas = panel.querySelector('canvas');
  const columns = Number(panel.querySelector('.bits').dataset.columns);
  const size = canvas.width / columns;
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const set = [];
  for (let cell = 0; cell < columns * Math.round(canvas.height / size); cell++) {
    const x = Math.floor(((cell % columns) + 0.45) * size);
    const y = Math.floor((Math.floor(cell / columns) + 0.45) * size);
    if (data[4 * (y * canvas.width + x) + 3] > 128) {
      set.push(cell);
    }
  }
  return {
    sentence: [...panel.querySelectorAll('.verdict p')].map((p) => p.textContent),
    frames: marks('frame'),
    lines: marks('line'),
    table: [...panel.querySelectorAll('.steps tbody tr')].map(({ cells }) => [
      Number(cells[cells.length - 3].textContent.replaceAll(',', '')),
      cells[cells.length - 2].textContent.startsWith('■'),
    ]),
    keys,
    ones,
    set: compound ? null : set,
  };
}

/** Returns a generator of numbers in [0, 1). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('play: whatever is done, sentence, frames, lines, table and bits are those of a model', async () => {
  const { page, complaints, close } = await open(`${FILE_URL}#play?type=classic&m=256&k=4`);
  const panel = page.locator('#panel-play');
  const model = new Model();
  const next = random(SEED);
  const pick = (from) => from[Math.floor(next() * from.length)];
  const click = (name) => panel.getByRole('button', { name, exact: true }).click();
  const write = async (label, key) => {
    await panel.getByLabel(label).fill(key);
    await page.keyboard.press('Enter');
  };
  const compare = async (done) =>
    assert.deepEqual(await page.evaluate(shown, model.isCompound()), model.expected(), done);
  const change = async (label, settings) => {
    const before = model.settings;
    model.settings = possible({ ...before, ...settings });
    await panel.getByLabel(label, { exact: true }).selectOption(String(Object.values(settings)[0]));
    model.begin();
  };
  const speed = (name) => panel.getByLabel('Speed').selectOption({ label: name });
  const filled = () => panel.getByRole('button', { name: 'Fill to capacity' }).waitFor();
  const actions = {
    async put() {
      const key = pick(KEYS);
      await write('Key to put', key);
      model.perform({ op: 'put', key });
      model.asked = null;
    },
    async query() {
      model.asked = pick(KEYS);
      await write('Key to query', model.asked);
    },
    async fill() {
      const count = model.playground().room();
      if (count > 0) {
        await speed('all at once');
        await click('Fill to capacity');
        await filled();
        model.perform({ op: 'fill', count });
      }
    },
    async fillAndQuery() {
      if (model.isCompound() || model.playground().room() === 0) {
        return;
      }
      await speed('10 per second');
      await click('Fill to capacity');
      model.asked = pick(KEYS);
      await write('Key to query', model.asked);
      const { operations } = model;
      const { keys } = model.expected();
      const during = await page.evaluate(shown, false);
      model.operations = operations.map((operation) => ({ ...operation }));
      model.perform({ op: 'fill', count: during.keys - keys });
      assert.deepEqual(during, model.expected(), 'while it fills');
      await panel.getByRole('button', { name: /Stop|Fill to capacity/ }).click();
      if (await panel.getByRole('button', { name: 'Stop' }).count()) {
        await click('Stop'); // it had just ended, and was begun again
      }
      model.operations = operations;
      const after = await page.evaluate(shown, false);
      model.perform({ op: 'fill', count: after.keys - keys });
    },
    async lessen() {
      const key = pick(KEYS);
      const op = { classic: 'clear', counting: 'remove' }[model.settings.type];
      if (op) {
        await panel.getByLabel('Key to put').fill(key);
        if (op === 'clear' && !(await panel.locator('.experiment').getAttribute('open'))) {
          await panel.locator('.experiment').evaluate((details) => (details.open = true));
        }
        await click(op === 'clear' ? 'Clear its bits' : 'Remove');
        const { values } = model.state();
        if (op === 'clear' || model.cellsOf(key).every((cell) => values[cell] > 0)) {
          model.perform({ op, key });
        }
        model.asked = key;
      }
    },
    async rotate() {
      if (model.settings.type === 'windowed') {
        await click('Begin a generation');
        model.perform({ op: 'rotate' });
      }
    },
    async undo() {
      if (model.operations.length > 0) {
        await click('Undo');
        model.operations.pop();
      }
    },
    async find() {
      const play = model.playground();
      await click('Find a false positive');
      for (let i = 1; i <= 100_000; i++) {
        const key = `other-${i}`;
        if (!play.holds(key) && play.cells.mightContain(play.hashOf(key))) {
          model.asked = key;
          return;
        }
      }
      await panel.getByText(en['play.find.none']).waitFor();
    },
    type: () => change('Filter', { type: pick(PLAY_TYPES) }),
    async bits() {
      if (model.settings.type !== 'scalable') {
        await change('Bits or counters', { bits: pick([256, 512, 1024]) });
      }
    },
    async hashes() {
      if (model.settings.type === 'scalable') {
        return;
      }
      const { type } = model.settings;
      const { minHashes, maxHashes, hashStep } = LAYOUTS[type in LAYOUTS ? type : 'classic'];
      const hashes = pick([0, 1, 2, 3, 5, 8, 16, 33]);
      await panel.getByLabel('Hashes (k)').fill(String(hashes));
      await page.keyboard.press('Enter');
      if (hashes < minHashes || hashes > maxHashes || (hashes - minHashes) % hashStep !== 0) {
        const { form } = model.settings;
        assert.match(await panel.locator('.row .problem').allInnerTexts().then(String), /got|must/);
        assert.equal(form, 'text');
      } else {
        model.settings = possible({ ...model.settings, hashes });
        model.begin();
      }
    },
  };
  const names = Object.keys(actions);
  const weighted = [...names, 'put', 'put', 'query', 'query', 'fill', 'fillAndQuery', 'lessen'];
  const done = [];
  for (let step = 0; step < STEPS; step++) {
    const name = pick(weighted);
    done.push(name);
    await actions[name]();
    await compare(`seed ${SEED}, step ${step}: ${done.slice(-6)}`);
    if (model.operations.length > 25) {
      await page.goto(`${FILE_URL}#play?type=${pick(PLAY_TYPES)}&m=256&k=4`);
      const link = new URLSearchParams(new URL(page.url()).hash.slice(6));
      model.settings = possible({ type: link.get('type'), bits: 256, hashes: 4 });
      model.operations = [];
      model.asked = null;
      await compare('a link');
    }
  }
  assert.deepEqual(complaints, []);
  await close();
});
