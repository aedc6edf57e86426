/** Play: put keys into a small filter, see where they go, query, and see who is to blame. */
import { canonicalKey, KEY_FORMS } from '../core/keys.js';
import {
  checkHashes,
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
import { SizingError } from '../sizing/numbers.js';
import { formatNumber, parseHashes } from '../sizing/quantities.js';
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
/** @typedef {import('../play/playground.js').Trace} Trace */

const SIZES = [64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536, 1 << 20];

/** Keys per second of the button that fills; the last is all at once. */
const SPEEDS = [1, 10, 100, 1000, Number.POSITIVE_INFINITY];

/** The operations that fill at most this many keys of a link in one frame. */
const KEYS_PER_FRAME = 20_000;

/** What is shown until a link says more. */
const EXAMPLE = 'type=classic&m=256&k=4&o=%2Bapple&o=%2Bbanana&o=%2Bcherry&q=apple';

/** The types whose positions are draws, each by itself. */
const DRAWN_TYPES = ['classic', 'counting', 'windowed'];

/** The panel, and the playground of a step of the tour, which has fewer controls. */
export class PlayView {
  /*
   * The state is what the link says: the settings and operations of the playground, and the key that
   * was queried, if that was the last thing done. Every action changes one of these and calls
   * `changed`; `update` then derives all that is shown from them, the sentence, the frames, the lines
   * and the table from one query. The note is about the last action alone.
   */

  /**
   * @param {Context} context
   * @param {boolean} [small] without settings
   */
  constructor(context, small = false) {
    this.context = context;
    this.small = small;
    this.playground = new Playground({ type: 'classic', bits: 256, hashes: 4 }, context.hasher);
    /** @type {string | null} */
    this.asked = null;
    this.note = '';
    /** Whether a playground without settings offers to clear bits. */
    this.experimental = false;
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
    this.hashes = textInput({ inputMode: 'numeric', onchange: () => this.changeHashes() });
    this.form = select(
      KEY_FORMS.map((name) => [name, t(`form.${name}`)]),
      { onchange },
    );
    this.typeHint = el('p', { class: 'hint wide' });
    this.removing = button(t('play.remove'), () => this.perform('remove'));
    this.rotating = button(t('play.rotate'), () => {
      this.playground.perform({ op: 'rotate' });
      this.changed();
    });
    this.undo = button(t('play.undo'), () => {
      this.stopFilling();
      this.playground.undo();
      this.changed();
    });
    this.experiment = el(
      'details',
      { class: 'experiment', open: small },
      el('summary', {}, t('play.experiment')),
      el('p', {}, t('play.clear.text')),
      button(t('play.clear'), () => this.perform('clear')),
    );
    this.fillButton = button(t('play.fill'), () => this.toggleFill());
    this.speed = select(
      SPEEDS.map((n, i) => [
        i,
        Number.isFinite(n) ? t('play.speed', { n: count(n) }) : t('play.speed.all'),
      ]),
    );
    this.speed.value = '2';
    const picture = [this.picture.element, legend(), this.answer, this.lost];
    this.element = div(
      'play',
      small ? null : this.settingsForm(),
      div('controls', this.putForm(), this.queryForm()),
      div('show', picture, this.owners),
      this.figures,
      this.steps,
    );
    this.show(new URLSearchParams(EXAMPLE));
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
      div('buttons', submit(t('play.put')), this.removing, this.undo),
      div('buttons', this.fillButton, speed, this.rotating),
      this.experiment,
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
    if (parameters.size === 0) {
      return;
    }
    this.stopFilling();
    const { settings, operations, query } = fromLink(parameters);
    this.begin(settings, operations, query);
    this.query.value = query ?? '';
    this.note = '';
    this.update();
  }

  /**
   * @param {Settings} settings
   * @param {Operation[]} operations
   * @param {string | null} asked
   */
  begin(settings, operations, asked) {
    this.playground = new Playground(settings, this.context.hasher);
    operations.forEach((operation) => this.playground.perform(operation));
    this.asked = asked;
  }

  link() {
    const parameters = toLink(this.playground);
    if (this.asked !== null) {
      parameters.set('q', this.asked);
    }
    return parameters;
  }

  redraw() {
    this.picture.draw();
  }

  changeHashes() {
    try {
      const hashes = parseHashes(this.hashes.value);
      checkHashes(this.playground.settings, hashes);
      this.change(hashes);
    } catch (e) {
      setProblem(this.hashes, e instanceof SizingError ? e.message : String(e));
    }
  }

  /** Takes the settings of the form. */
  change(hashes = this.playground.settings.hashes) {
    this.stopFilling();
    const settings = possible({
      type: this.type.value,
      bits: Number(this.bits.value),
      hashes,
      form: /** @type {import('../core/keys.js').KeyForm} */ (this.form.value),
    });
    // the same keys in another filter, so that the two can be compared, if they are keys there
    const operations = this.playground.operations.flatMap((operation) => {
      const key = 'key' in operation ? keyOrNull(operation.key, settings.form) : '';
      return operation.op === 'clear' || key === null ? [] : [{ ...operation, key }];
    });
    this.begin(
      settings,
      operations,
      this.asked === null ? null : keyOrNull(this.asked, settings.form),
    );
    setProblem(this.key, '');
    setProblem(this.query, '');
    this.changed();
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
    const { playground } = this;
    let note = '';
    for (const key of keys) {
      const known = playground.cells.mightContain(playground.hashOf(key));
      note = known && !playground.holds(key) ? t('play.put.false', { key }) : note;
      playground.perform({ op: 'put', key });
    }
    this.asked = null;
    this.changed(note);
  }

  /** @param {'remove' | 'clear'} op */
  perform(op) {
    const key = this.keyIn(this.key);
    if (key === null) {
      return;
    }
    const known = this.playground.holds(key);
    let note = '';
    if (this.playground.perform({ op, key }).length === 0) {
      this.playground.operations.pop();
      note = t('play.remove.absent', { key });
    } else if (op === 'remove' && !known) {
      note = t('play.remove.wrong', { key });
    }
    this.asked = key;
    this.changed(note);
  }

  submitQuery() {
    const key = this.keyIn(this.query);
    if (key !== null) {
      this.asked = key;
      this.changed();
    }
  }

  /** Queries keys that were not put until one is reported as present. */
  findFalsePositive() {
    const { playground } = this;
    for (let i = 1; i <= 100_000; i++) {
      const key = numberedKey(playground.settings.form, 'other', i);
      if (!playground.holds(key) && playground.cells.mightContain(playground.hashOf(key))) {
        this.query.value = key;
        this.asked = key;
        this.changed();
        return;
      }
    }
    this.changed(t('play.find.none'));
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
        this.note = '';
        this.update();
      }
      if (left <= keys) {
        this.stopFilling();
        this.changed(t('play.full', { keys: count(this.playground.size()) }));
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

  /**
   * Shows the state after an action.
   * @param {string} [note] about the action
   */
  changed(note = '') {
    this.note = note;
    this.update();
    this.drawn();
  }

  /** Returns the key that is shown: the one queried, else the one put last. */
  shownKey() {
    const last = this.playground.operations.findLast(({ op }) => op === 'put');
    return this.asked ?? (last && 'key' in last ? last.key : null);
  }

  update() {
    const { playground } = this;
    const { settings, cells } = playground;
    this.type.value = settings.type;
    showOption(this.bits, settings.bits);
    this.hashes.value = String(settings.hashes);
    setProblem(this.hashes, '');
    this.form.value = settings.form;
    this.bits.disabled = settings.type === 'scalable';
    this.hashes.disabled = settings.type === 'scalable';
    this.typeHint.textContent = t(`type.${settings.type}.hint`);
    this.removing.hidden = settings.type !== 'counting';
    this.rotating.hidden = settings.type !== 'windowed';
    this.experiment.hidden = settings.type !== 'classic' || (this.small && !this.experimental);
    this.undo.disabled = playground.operations.length === 0;
    this.fillButton.disabled = !this.filling && playground.room() === 0;
    const key = this.shownKey();
    const trace = key === null ? null : playground.query(key);
    this.picture.set({
      values: cells.values,
      parts: cells.parts().map(labelled),
      counting: cells.counting,
      trace,
      act: `${this.asked === null ? playground.operations.length : ''}?${key}`,
    });
    this.updateAnswer(trace);
    this.updateFigures();
    this.updateSteps(trace);
    this.tell(this.picture.cursor);
  }

  /** @param {Trace | null} trace */
  updateAnswer(trace) {
    const note = this.note !== '' && el('p', { class: 'note' }, this.note);
    if (!trace) {
      fill(this.answer, note);
      return;
    }
    const { key, answer, present, probes } = trace;
    const verdict = answer ? (present ? 'true' : 'false') : present ? 'lost' : 'absent';
    const others = new Set(probes.flatMap(({ owners }) => owners));
    others.delete(key);
    const set = probes.filter((probe) => probe.set).length;
    fill(
      this.answer,
      div(
        `verdict ${verdict}`,
        el('p', {}, t(`play.answer.${verdict}`, { key })),
        el('p', {}, t('play.answer.bits', { set, all: probes.length })),
      ),
      verdict === 'false' &&
        others.size > 0 &&
        el('p', {}, t('play.answer.blame'), keysText([...others])),
      note,
    );
  }

  updateFigures() {
    const { playground } = this;
    const { cells } = playground;
    const keys = playground.size();
    const ones = playground.ones();
    const { length } = cells.values;
    const percent = Math.round((100 * ones) / length);
    const { found, queried } = playground.falsePositives();
    const rows = [
      ['keys', `${count(keys)} / ${count(cells.capacity)}`],
      ['ones', `${count(ones)} / ${count(length)} (${percent} %)`],
      ['fpp', formatNumber(cells.predictedFpp(keys))],
      ['wrong', `${count(found)} / ${count(queried)}`],
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

  /** @param {Trace | null} trace */
  updateSteps(trace) {
    if (trace === null || this.small) {
      fill(this.steps);
      return;
    }
    const { settings } = this.playground;
    const { key, bytes, hash, probes } = trace;
    const draws = DRAWN_TYPES.includes(settings.type);
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
        ['probe', ...(draws ? ['draw'] : []), 'position', 'cell', 'owners'].map((name) =>
          t(`play.${name}`),
        ),
        probes.map(({ draw, cell, set, owners }, i) => [
          String(i),
          ...(draws ? [el('code', {}, draw)] : []),
          count(cell),
          set ? `■ ${t('play.legend.set')}` : `□ ${t('play.legend.unset')}`,
          joined(owners),
        ]),
        draws ? 2 : 1,
      ),
    );
  }

  /** @param {number} cell that is pointed at, or -1 */
  tell(cell) {
    const { values } = this.playground.cells;
    const value = values[cell];
    const many = values.length > MOST_DRAWN;
    const known = cell < 0 ? 'hint' : many ? 'many' : value === 0 ? 'none' : 'some';
    const keys = known === 'some' ? joined(this.playground.ownersOf(cell)) : '';
    this.owners.classList.toggle('idle', cell < 0);
    this.owners.textContent = t(`play.owners.${known}`, { cell: count(cell), value, keys });
  }
}

/**
 * Returns a part of the picture with words for its age, if it has one.
 * @param {{first: number, cells: number, label: string, age?: number}} part
 */
function labelled({ age, ...part }) {
  return age === undefined ? part : { ...part, label: t('play.age', { age }) };
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
    ['set', 'unset', 'hit', 'miss'].map((name) =>
      el(
        'span',
        {},
        el('span', { class: `swatch ${name}`, 'aria-hidden': 'true' }),
        t(`play.legend.${name}`),
      ),
    ),
  );
}
