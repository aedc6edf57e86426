/** Play: put keys into a small filter, see where they go, query, and see who is to blame. */
import { KEY_FORMS } from '../core/keys.js';
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
import { debounced, el, field, fill, setProblem, table } from './dom.js';
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
    this.element = this.build();
    this.update();
  }

  build() {
    this.key = el('input', { type: 'text', autocomplete: 'off', spellcheck: false, class: 'key' });
    this.query = el('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      class: 'key',
    });
    this.picture = new BitPicture({
      label: t('play.bits.label'),
      onexplore: (cell) => this.tell(cell),
    });
    this.owners = el('p', { class: 'owners', 'aria-live': 'polite' }, t('play.owners.hint'));
    this.answer = el('div', { class: 'answer', 'aria-live': 'polite' });
    this.steps = el('div', { class: 'steps' });
    this.figures = el('dl', { class: 'figures' });
    this.lost = el('p', { class: 'lost', 'aria-live': 'polite' });
    return el(
      'div',
      { class: 'play' },
      this.small ? null : this.settingsForm(),
      el(
        'div',
        { class: 'columns' },
        el('div', { class: 'controls' }, this.putForm(), this.queryForm(), this.answer, this.lost),
        el(
          'div',
          { class: 'show' },
          this.picture.element,
          this.owners,
          this.legend(),
          this.figures,
        ),
      ),
      this.steps,
    );
  }

  legend() {
    return el(
      'p',
      { class: 'legend' },
      ['set', 'unset', 'hit', 'miss'].flatMap((name) => [
        el('span', { class: `swatch ${name}`, 'aria-hidden': 'true' }),
        el('span', {}, t(`play.legend.${name}`)),
      ]),
    );
  }

  settingsForm() {
    const change = () => this.change();
    this.type = el('select', { onchange: change });
    this.type.append(...PLAY_TYPES.map((type) => el('option', { value: type }, t(`type.${type}`))));
    this.bits = el('select', { onchange: change });
    this.bits.append(...SIZES.map((bits) => el('option', { value: String(bits) }, count(bits))));
    this.hashes = el('input', { type: 'number', min: '1', max: '32', onchange: change });
    this.form = el('select', { onchange: change });
    this.form.append(...KEY_FORMS.map((form) => el('option', { value: form }, t(`form.${form}`))));
    this.typeHint = el('p', { class: 'hint wide' });
    return el(
      'form',
      { class: 'row', onsubmit: (/** @type {Event} */ e) => e.preventDefault() },
      field(t('play.type'), this.type),
      field(t('play.size'), this.bits),
      field(t('play.hashes'), this.hashes),
      field(t('play.form'), this.form),
      this.typeHint,
    );
  }

  putForm() {
    this.removing = el(
      'button',
      { type: 'button', onclick: () => this.remove() },
      t('play.remove'),
    );
    this.clearing = el('button', { type: 'button', onclick: () => this.clear() }, t('play.clear'));
    this.undo = el('button', { type: 'button', onclick: () => this.takeBack() }, t('play.undo'));
    this.speed = el('select', {});
    this.speed.append(
      ...SPEEDS.map((speed, i) =>
        el(
          'option',
          { value: String(i), selected: i === 2 },
          Number.isFinite(speed) ? t('play.speed', { n: count(speed) }) : t('play.speed.all'),
        ),
      ),
    );
    this.fillButton = el(
      'button',
      { type: 'button', onclick: () => this.toggleFill() },
      t('play.fill'),
    );
    const paste = (/** @type {ClipboardEvent} */ event) => this.paste(event);
    const key = /** @type {HTMLInputElement} */ (this.key);
    key.addEventListener('paste', /** @type {EventListener} */ (paste));
    return el(
      'form',
      { class: 'stack', onsubmit: (/** @type {Event} */ e) => this.submitPut(e) },
      field(t('play.key'), key, this.small ? undefined : t('play.key.hint')),
      el(
        'div',
        { class: 'buttons' },
        el('button', { type: 'submit', class: 'primary' }, t('play.put')),
        this.removing,
        this.clearing,
        this.undo,
      ),
      el(
        'div',
        { class: 'buttons' },
        this.fillButton,
        el('label', { class: 'inline' }, t('play.speed.label'), this.speed),
      ),
    );
  }

  queryForm() {
    return el(
      'form',
      { class: 'stack', onsubmit: (/** @type {Event} */ e) => this.submitQuery(e) },
      field(t('play.query'), /** @type {HTMLInputElement} */ (this.query)),
      el(
        'div',
        { class: 'buttons' },
        el('button', { type: 'submit', class: 'primary' }, t('play.ask')),
        el('button', { type: 'button', onclick: () => this.findFalsePositive() }, t('play.find')),
      ),
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
    if (this.query) {
      this.query.value = query ?? '';
    }
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
    this.picture?.draw();
  }

  change() {
    this.stopFilling();
    const settings = possible({
      type: this.type?.value ?? 'classic',
      bits: Number(this.bits?.value),
      hashes: Number(this.hashes?.value),
      form: /** @type {import('../core/keys.js').KeyForm} */ (this.form?.value),
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
    for (const input of [this.key, this.query]) {
      setProblem(/** @type {HTMLInputElement} */ (input), '');
    }
    this.after();
  }

  /**
   * Returns the key that a field has; null, with the reason below the field, if that is none.
   * @param {HTMLInputElement | undefined} input
   * @param {string} [text] to read in place of the field's
   */
  keyIn(input, text = input?.value ?? '') {
    const { form } = this.playground.settings;
    const key = keyOrNull(text, form);
    if (input) {
      setProblem(input, key === null ? t(`form.${form}.bad`, { text }) : '');
    }
    return key;
  }

  /** @param {Event} event */
  submitPut(event) {
    event.preventDefault();
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
      /** @type {string[]} */
      const keys = [];
      for (const line of given) {
        const key = this.keyIn(this.key, line);
        if (key === null) {
          return;
        }
        keys.push(key);
      }
      this.putAll(keys);
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
    this.after(keys[keys.length - 1]);
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
    this.after(key);
  }

  clear() {
    const key = this.keyIn(this.key);
    if (key === null) {
      return;
    }
    this.playground.perform({ op: 'clear', key });
    this.fresh = [];
    this.after(key);
  }

  takeBack() {
    this.stopFilling();
    this.playground.undo();
    this.fresh = [];
    this.after();
  }

  /** @param {Event} event */
  submitQuery(event) {
    event.preventDefault();
    const key = this.keyIn(this.query);
    if (key === null) {
      return;
    }
    this.result = this.playground.check(key);
    this.fresh = [];
    this.update();
    this.drawn();
  }

  /** Queries keys that were not put until one is reported as present. */
  findFalsePositive() {
    for (let i = 1; i <= 100_000; i++) {
      const key = numberedKey(this.playground.settings.form, 'other', i);
      if (
        !this.playground.holds(key) &&
        this.playground.cells.mightContain(this.playground.hashOf(key))
      ) {
        this.playground.checks += i;
        this.playground.falsePositives++;
        this.result = this.playground.query(key);
        if (this.query) {
          this.query.value = key;
        }
        this.fresh = [];
        this.update();
        this.drawn();
        return;
      }
    }
    this.context.announce(t('play.find.none'));
    fill(/** @type {HTMLElement} */ (this.answer), t('play.find.none'));
  }

  toggleFill() {
    if (this.filling) {
      this.stopFilling();
      return;
    }
    const speed = SPEEDS[Number(this.speed?.value ?? 2)];
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
    /** @type {HTMLElement} */ (this.fillButton).textContent = t('play.stop');
  }

  stopFilling() {
    if (this.filling) {
      cancelAnimationFrame(this.filling);
      this.filling = 0;
      this.drawn();
    }
    /** @type {HTMLElement} */ (this.fillButton).textContent = t('play.fill');
  }

  /** @param {string} [key] */
  after(key) {
    if (this.result) {
      this.result = this.playground.query(this.result.key);
    }
    if (key !== undefined) {
      this.shown = key;
    }
    this.update();
    this.drawn();
  }

  update() {
    const { playground } = this;
    const { settings, cells } = playground;
    if (this.type && this.bits && this.hashes && this.form && this.typeHint) {
      this.type.value = settings.type;
      showOption(this.bits, settings.bits);
      this.hashes.value = String(settings.hashes);
      this.form.value = settings.form;
      this.bits.disabled = settings.type === 'scalable';
      this.hashes.disabled = settings.type === 'scalable';
      this.typeHint.textContent = t(`type.${settings.type}.hint`);
    }
    if (this.removing && this.clearing && this.undo) {
      this.removing.hidden = settings.type !== 'counting';
      this.clearing.hidden = !this.small && settings.type !== 'classic';
      this.undo.disabled = playground.operations.length === 0;
    }
    this.picture?.set({
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
    const { result } = this;
    const answer = /** @type {HTMLElement} */ (this.answer);
    if (!result) {
      fill(answer);
      return;
    }
    const { key, present, probes } = result;
    const verdict = result.answer ? (present ? 'true' : 'false') : present ? 'lost' : 'absent';
    const blame = [...new Set(probes.flatMap(({ owners }) => owners))].filter(
      (owner) => owner !== key,
    );
    fill(
      answer,
      el('p', { class: `verdict ${verdict}` }, t(`play.answer.${verdict}`, { key })),
      el(
        'p',
        {},
        t('play.answer.bits', { set: probes.filter(({ set }) => set).length, all: probes.length }),
      ),
      verdict === 'false' && blame.length > 0
        ? el('p', {}, t('play.answer.blame'), el('span', { class: 'keys' }, joined(blame)))
        : null,
    );
  }

  updateFigures() {
    const { playground } = this;
    const { cells } = playground;
    const keys = playground.size();
    const ones = playground.ones();
    const rows = [
      ['keys', `${count(keys)} / ${count(cells.capacity)}`],
      [
        'ones',
        `${count(ones)} / ${count(cells.values.length)} (${Math.round((100 * ones) / cells.values.length)} %)`,
      ],
      ['fpp', formatNumber(cells.predictedFpp(keys))],
      ['wrong', `${count(playground.falsePositives)} / ${count(playground.checks)}`],
    ];
    fill(
      /** @type {HTMLElement} */ (this.figures),
      rows.map(([name, value]) =>
        el('div', {}, el('dt', {}, t(`play.figure.${name}`, { p: PLAY_FPP })), el('dd', {}, value)),
      ),
    );
    const lost = playground.operations.some(({ op }) => op === 'remove' || op === 'clear')
      ? playground.lost()
      : [];
    fill(
      /** @type {HTMLElement} */ (this.lost),
      lost.length > 0
        ? [t('play.lost', { n: lost.length }), el('span', { class: 'keys' }, joined(lost))]
        : null,
    );
  }

  updateSteps() {
    const last = this.playground.operations[this.playground.operations.length - 1];
    const key =
      this.result && this.fresh.length === 0
        ? this.result.key
        : last && last.op !== 'fill'
          ? last.key
          : null;
    const steps = /** @type {HTMLElement} */ (this.steps);
    if (key === null || this.small) {
      fill(steps);
      return;
    }
    const { bytes, hash, draws, probes } = this.playground.steps(key);
    const shown = Array.from(bytes.subarray(0, 32), (b) => b.toString(16).padStart(2, '0')).join(
      ' ',
    );
    fill(
      steps,
      el('h3', {}, t('play.steps')),
      el(
        'ol',
        {},
        el('li', {}, t('play.step.key'), ' ', el('code', {}, key)),
        el(
          'li',
          {},
          t(`play.step.bytes.${bytesOf(this.playground.settings.form)}`, { n: bytes.length }),
          ' ',
          el('code', {}, bytes.length > 32 ? `${shown} …` : shown),
        ),
        el('li', {}, t('play.step.hash'), ' ', el('code', {}, hash)),
        el('li', {}, t(`play.step.positions.${this.playground.settings.type}`)),
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
    const { playground } = this;
    const value = playground.cells.values[cell];
    const owners = playground.ownersOf(cell);
    const text =
      playground.cells.values.length > MOST_DRAWN
        ? t('play.owners.many', { cell: count(cell) })
        : value === 0
          ? t('play.owners.none', { cell: count(cell) })
          : t('play.owners.some', {
              cell: count(cell),
              value: String(value),
              keys: joined(owners),
            });
    /** @type {HTMLElement} */ (this.owners).textContent = text;
  }
}

/**
 * Selects a size, which is added where it is none of the usual ones.
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

/** @param {import('../core/keys.js').KeyForm} form */
function bytesOf(form) {
  return form === 'i64' || form === 'i32' ? 'number' : form;
}
