/** Play: put keys into a small filter, see where they go, query, and see who is to blame. */
import { canonicalKey, KEY_FORMS } from '../core/keys.js';
import {
  fromLink,
  keyOrNull,
  MOST_DRAWN,
  numberedKey,
  PLAY_FPP,
  PLAY_TYPES,
  Playground,
  possible,
  toLink,
} from '../play/playground.js';
import { formatNumber } from '../sizing/quantities.js';
import { BitPicture } from './bits.js';
import {
  button,
  debounced,
  div,
  el,
  field,
  fill,
  form,
  select,
  setProblem,
  submit,
  table,
  textInput,
} from './dom.js';
import { count, t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */
/** @typedef {import('../play/playground.js').Operation} Operation */
/** @typedef {import('../play/playground.js').Settings} Settings */

const SIZES = [64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536, 1 << 20];

/** Keys per second of the button that fills; the last is all at once. */
const SPEEDS = [1, 10, 100, 1000, Number.POSITIVE_INFINITY];

/** The operations that fill at most this many keys of a link in one frame. */
const KEYS_PER_FRAME = 20_000;

/** The panel, and the playground of a step of the tour, which has fewer controls. */
export class PlayView {
  /**
   * @param {Context} context
   * @param {boolean} [small] without settings
   */
  constructor(context, small = false) {
    this.context = context;
    this.small = small;
    this.playground = new Playground({ type: 'classic', bits: 256, hashes: 4 }, context.hasher);
    /** @type {ReturnType<Playground['query']> | null} */
    this.result = null;
    /** @type {number[]} */
    this.fresh = [];
    this.filling = 0;
    this.drawn = debounced(() => this.context.changed(), 100);
    this.key = textInput({ class: 'key' });
    this.key.addEventListener('paste', (event) => this.paste(event));
    this.query = textInput({ class: 'key' });
    this.picture = new BitPicture({
      label: t('play.bits.label'),
      onexplore: (cell) => this.tell(cell),
    });
    this.owners = el('p', { class: 'owners', 'aria-live': 'polite' }, t('play.owners.hint'));
    this.answer = el('div', { class: 'answer', 'aria-live': 'polite' });
    this.steps = div('steps');
    this.figures = el('dl', { class: 'figures' });
    this.lost = el('p', { class: 'lost', 'aria-live': 'polite' });
    const onchange = () => this.change();
    this.type = select(
      PLAY_TYPES.map((type) => [type, t(`type.${type}`)]),
      { onchange },
    );
    this.bits = select(
      SIZES.map((bits) => [bits, count(bits)]),
      { onchange },
    );
    this.hashes = el('input', { type: 'number', min: '1', max: '32', onchange });
    this.form = select(
      KEY_FORMS.map((name) => [name, t(`form.${name}`)]),
      { onchange },
    );
    this.typeHint = el('p', { class: 'hint wide' });
    this.removing = button(t('play.remove'), () => this.remove());
    this.clearing = button(t('play.clear'), () => this.clear());
    this.undo = button(t('play.undo'), () => this.takeBack());
    this.fillButton = button(t('play.fill'), () => this.toggleFill());
    this.speed = select(
      SPEEDS.map((n, i) => [
        i,
        Number.isFinite(n) ? t('play.speed', { n: count(n) }) : t('play.speed.all'),
      ]),
    );
    this.speed.value = '2';
    const picture = [this.picture.element, this.owners, legend(), this.figures];
    const controls = [this.putForm(), this.queryForm(), this.answer, this.lost];
    this.element = div(
      'play',
      small ? null : this.settingsForm(),
      div('columns', div('controls', controls), div('show', picture)),
      this.steps,
    );
    this.update();
  }

  settingsForm() {
    return form(
      'row',
      () => {},
      field(t('play.type'), this.type),
      field(t('play.size'), this.bits),
      field(t('play.hashes'), this.hashes),
      field(t('play.form'), this.form),
      this.typeHint,
    );
  }

  putForm() {
    const speed = el('label', { class: 'inline' }, t('play.speed.label'), this.speed);
    return form(
      'stack',
      () => this.submitPut(),
      field(t('play.key'), this.key, this.small ? undefined : t('play.key.hint')),
      div('buttons', submit(t('play.put')), this.removing, this.clearing, this.undo),
      div('buttons', this.fillButton, speed),
    );
  }

  queryForm() {
    const find = button(t('play.find'), () => this.findFalsePositive());
    return form(
      'stack',
      () => this.submitQuery(),
      field(t('play.query'), this.query),
      div('buttons', submit(t('play.ask')), find),
    );
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.stopFilling();
    const { settings, operations, query } = fromLink(parameters);
    this.playground = new Playground(settings, this.context.hasher);
    for (const operation of operations) {
      this.playground.perform(operation);
    }
    this.fresh = [];
    this.result = query === null ? null : this.playground.query(query);
    this.query.value = query ?? '';
    this.update();
  }

  link() {
    const parameters = toLink(this.playground);
    if (this.result) {
      parameters.set('q', this.result.key);
    }
    return parameters;
  }

  redraw() {
    this.picture.draw();
  }

  change() {
    this.stopFilling();
    const settings = possible({
      type: this.type.value,
      bits: Number(this.bits.value),
      hashes: Number(this.hashes.value),
      form: /** @type {import('../core/keys.js').KeyForm} */ (this.form.value),
    });
    const { operations } = this.playground;
    this.playground = new Playground(settings, this.context.hasher);
    // the same keys in another filter, so that the two can be compared, if they are keys there
    for (const operation of operations) {
      const key = operation.op === 'fill' ? null : keyOrNull(operation.key, settings.form);
      if (operation.op === 'fill') {
        this.playground.perform(operation);
      } else if (operation.op !== 'clear' && key !== null) {
        this.playground.perform({ op: operation.op, key });
      }
    }
    const query = this.result && keyOrNull(this.result.key, settings.form);
    this.result = query === null ? null : this.playground.query(query);
    setProblem(this.key, '');
    setProblem(this.query, '');
    this.after();
  }

  /**
   * Returns the key in a field; null, with the reason below the field, if it is malformed.
   * @param {HTMLInputElement} input
   * @param {string} [text] to read in place of the field's
   */
  keyIn(input, text = input.value) {
    const keyForm = this.playground.settings.form;
    const key = keyOrNull(text, keyForm);
    setProblem(input, key === null ? t(`form.${keyForm}.bad`, { text }) : '');
    return key;
  }

  submitPut() {
    const key = this.keyIn(this.key);
    if (key !== null) {
      this.putAll([key]);
    }
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const lines = (event.clipboardData?.getData('text') ?? '').split(/\r?\n/);
    const given = lines.filter((line) => line !== '').slice(0, KEYS_PER_FRAME);
    if (given.length > 1) {
      event.preventDefault();
      const { form: keyForm } = this.playground.settings;
      const bad = given.find((line) => keyOrNull(line, keyForm) === null);
      if (this.keyIn(this.key, bad ?? given[0]) !== null) {
        this.putAll(given.map((line) => canonicalKey(line, keyForm)));
      }
    }
  }

  /** @param {string[]} keys */
  putAll(keys) {
    for (const key of keys) {
      const { falsePositives } = this.playground;
      this.fresh = this.playground.perform({ op: 'put', key });
      if (this.playground.falsePositives > falsePositives) {
        this.context.announce(t('play.put.false', { key }));
      }
    }
    this.after();
  }

  remove() {
    const key = this.keyIn(this.key);
    if (key === null) {
      return;
    }
    const known = this.playground.holds(key);
    const cells = this.playground.perform({ op: 'remove', key });
    this.fresh = [];
    if (cells.length === 0) {
      this.playground.operations.pop();
      this.context.announce(t('play.remove.absent', { key }));
    } else if (!known) {
      this.context.announce(t('play.remove.wrong', { key }));
    }
    this.after();
  }

  clear() {
    const key = this.keyIn(this.key);
    if (key === null) {
      return;
    }
    this.playground.perform({ op: 'clear', key });
    this.fresh = [];
    this.after();
  }

  takeBack() {
    this.stopFilling();
    this.playground.undo();
    this.fresh = [];
    this.after();
  }

  submitQuery() {
    const key = this.keyIn(this.query);
    if (key === null) {
      return;
    }
    this.showResult(this.playground.check(key));
  }

  /** @param {ReturnType<Playground['query']>} result */
  showResult(result) {
    this.result = result;
    this.fresh = [];
    this.update();
    this.drawn();
  }

  /** Queries keys that were not put until one is reported as present. */
  findFalsePositive() {
    const { playground } = this;
    for (let i = 1; i <= 100_000; i++) {
      const key = numberedKey(playground.settings.form, 'other', i);
      if (!playground.holds(key) && playground.cells.mightContain(playground.hashOf(key))) {
        playground.checks += i;
        playground.falsePositives++;
        this.query.value = key;
        this.showResult(playground.query(key));
        return;
      }
    }
    this.context.announce(t('play.find.none'));
    fill(this.answer, t('play.find.none'));
  }

  toggleFill() {
    if (this.filling) {
      this.stopFilling();
      return;
    }
    const speed = SPEEDS[Number(this.speed.value)];
    let due = 0;
    let before = performance.now();
    const step = (/** @type {number} */ now) => {
      if (!this.filling) {
        return;
      }
      due += Math.min(KEYS_PER_FRAME, (speed * (now - before)) / 1000);
      before = now;
      const left = this.playground.room();
      const keys = Math.min(left, Math.floor(due), KEYS_PER_FRAME);
      due -= Math.floor(due);
      if (keys > 0) {
        this.playground.perform({ op: 'fill', count: keys });
        this.fresh = [];
        this.update();
      }
      if (left <= keys) {
        this.stopFilling();
        this.context.announce(t('play.full', { keys: count(this.playground.size()) }));
      } else {
        this.filling = requestAnimationFrame(step);
      }
    };
    this.filling = requestAnimationFrame((now) => {
      before = now - 1000 / Math.min(60, speed);
      step(now);
    });
    this.fillButton.textContent = t('play.stop');
  }

  stopFilling() {
    if (this.filling) {
      cancelAnimationFrame(this.filling);
      this.filling = 0;
      this.drawn();
    }
    this.fillButton.textContent = t('play.fill');
  }

  /** Answers the query anew, after an operation. */
  after() {
    if (this.result) {
      this.result = this.playground.query(this.result.key);
    }
    this.update();
    this.drawn();
  }

  update() {
    const { playground } = this;
    const { settings, cells } = playground;
    this.type.value = settings.type;
    showOption(this.bits, settings.bits);
    this.hashes.value = String(settings.hashes);
    this.form.value = settings.form;
    this.bits.disabled = settings.type === 'scalable';
    this.hashes.disabled = settings.type === 'scalable';
    this.typeHint.textContent = t(`type.${settings.type}.hint`);
    this.removing.hidden = settings.type !== 'counting';
    this.clearing.hidden = !this.small && settings.type !== 'classic';
    this.undo.disabled = playground.operations.length === 0;
    this.picture.set({
      values: cells.values,
      parts: cells.parts(),
      marks: this.marks(),
      counting: cells.counting,
    });
    this.updateAnswer();
    this.updateFigures();
    this.updateSteps();
  }

  /** @returns {Map<number, 'hit' | 'miss' | 'new'>} */
  marks() {
    /** @type {Map<number, 'hit' | 'miss' | 'new'>} */
    const marks = new Map(this.fresh.map((cell) => [cell, 'new']));
    for (const { cell, set } of this.fresh.length > 0 ? [] : (this.result?.probes ?? [])) {
      marks.set(cell, set ? 'hit' : 'miss');
    }
    return marks;
  }

  updateAnswer() {
    const { answer, result } = this;
    if (!result) {
      fill(answer);
      return;
    }
    const { key, present, probes } = result;
    const verdict = result.answer ? (present ? 'true' : 'false') : present ? 'lost' : 'absent';
    const others = new Set(probes.flatMap(({ owners }) => owners));
    others.delete(key);
    const set = probes.filter((probe) => probe.set).length;
    fill(
      answer,
      el('p', { class: `verdict ${verdict}` }, t(`play.answer.${verdict}`, { key })),
      el('p', {}, t('play.answer.bits', { set, all: probes.length })),
      verdict === 'false' &&
        others.size > 0 &&
        el('p', {}, t('play.answer.blame'), keysText([...others])),
    );
  }

  updateFigures() {
    const { playground } = this;
    const { cells } = playground;
    const keys = playground.size();
    const ones = playground.ones();
    const { length } = cells.values;
    const percent = Math.round((100 * ones) / length);
    const rows = [
      ['keys', `${count(keys)} / ${count(cells.capacity)}`],
      ['ones', `${count(ones)} / ${count(length)} (${percent} %)`],
      ['fpp', formatNumber(cells.predictedFpp(keys))],
      ['wrong', `${count(playground.falsePositives)} / ${count(playground.checks)}`],
    ];
    fill(
      this.figures,
      rows.map(([name, value]) =>
        el('div', {}, el('dt', {}, t(`play.figure.${name}`, { p: PLAY_FPP })), el('dd', {}, value)),
      ),
    );
    const lost = playground.operations.some(({ op }) => op === 'remove' || op === 'clear')
      ? playground.lost()
      : [];
    fill(this.lost, lost.length > 0 && [t('play.lost', { n: lost.length }), keysText(lost)]);
  }

  updateSteps() {
    const last = this.playground.operations[this.playground.operations.length - 1];
    const ofLast = last && last.op !== 'fill' ? last.key : null;
    const key = this.result && this.fresh.length === 0 ? this.result.key : ofLast;
    if (key === null || this.small) {
      fill(this.steps);
      return;
    }
    const { settings } = this.playground;
    const { bytes, hash, draws, probes } = this.playground.steps(key);
    const digits = Array.from(bytes.subarray(0, 32), (b) => b.toString(16).padStart(2, '0'));
    const shown = digits.join(' ') + (bytes.length > 32 ? ' …' : '');
    const kind = settings.form.startsWith('i') ? 'number' : settings.form;
    const step = (/** @type {string} */ text, /** @type {string} */ code) =>
      el('li', {}, text, ' ', el('code', {}, code));
    fill(
      this.steps,
      el('h3', {}, t('play.steps')),
      el(
        'ol',
        {},
        step(t('play.step.key'), key),
        step(t(`play.step.bytes.${kind}`, { n: bytes.length }), shown),
        step(t('play.step.hash'), hash),
        el('li', {}, t(`play.step.positions.${settings.type}`)),
      ),
      table(
        t('play.probes'),
        [t('play.probe'), t('play.draw'), t('play.position'), t('play.cell'), t('play.owners')],
        probes.map(({ cell, set, owners }, i) => [
          String(i),
          el('code', {}, draws[i]),
          count(cell),
          set ? `■ ${t('play.legend.set')}` : `□ ${t('play.legend.unset')}`,
          joined(owners),
        ]),
        2,
      ),
    );
  }

  /** @param {number} cell */
  tell(cell) {
    const { values } = this.playground.cells;
    const value = values[cell];
    const known = values.length > MOST_DRAWN ? 'many' : value === 0 ? 'none' : 'some';
    const keys = known === 'some' ? joined(this.playground.ownersOf(cell)) : '';
    this.owners.textContent = t(`play.owners.${known}`, { cell: count(cell), value, keys });
  }
}

/**
 * Selects a size, adding it to the list if need be.
 * @param {HTMLSelectElement} select
 * @param {number} bits
 */
function showOption(select, bits) {
  if (![...select.options].some(({ value }) => value === String(bits))) {
    select.append(el('option', { value: String(bits) }, count(bits)));
  }
  select.value = String(bits);
}

/** @param {string[]} keys */
function joined(keys) {
  const most = 12;
  const shown = keys.slice(0, most).map((key) => (key === '' ? t('play.empty') : key));
  return shown.join(', ') + (keys.length > most ? ', …' : '');
}

/** @param {string[]} keys */
function keysText(keys) {
  return el('span', { class: 'keys' }, joined(keys));
}

function legend() {
  return el(
    'p',
    { class: 'legend' },
    ['set', 'unset', 'hit', 'miss'].flatMap((name) => [
      el('span', { class: `swatch ${name}`, 'aria-hidden': 'true' }),
      el('span', {}, t(`play.legend.${name}`)),
    ]),
  );
}
