/** Measure: fills with random keys in a worker and compares with the prediction. */
import { LISTED_LAYOUTS } from '../core/placement.js';
import { solve } from '../sizing/bloom.js';
import { SizingError } from '../sizing/numbers.js';
import { formatBytes, formatNumber, parseProbability } from '../sizing/quantities.js';
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
import { Jobs } from './jobs.js';
import { count, t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */
/** @typedef {import('../measure.js').Measured} Measured */

const KEYS = [1e3, 1e4, 1e5, 1e6, 1e7];

/** Queries are as many as give a thousand false positives, within these bounds. */
const MIN_QUERIES = 100_000;
const MAX_QUERIES = 10_000_000;

/** The panel. */
export class MeasureView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.jobs = new Jobs();
    const onchange = () => context.changed();
    this.keys = select(
      KEYS.map((keys) => [keys, count(keys)]),
      { id: 'measure-keys', onchange },
    );
    this.keys.value = String(1e5);
    const oninput = debounced(onchange);
    this.fpp = textInput({ value: '0.01', id: 'measure-fpp', oninput });
    this.boxes = LISTED_LAYOUTS.map((name) =>
      el('input', { type: 'checkbox', value: name, checked: true, onchange }),
    );
    this.button = submit(t('measure.start'));
    this.stop = button(t('measure.stop'), () => this.end(true));
    this.stop.disabled = true;
    this.message = el('p', { class: 'message', role: 'status' });
    this.results = el('div', {});
    /** @type {(Measured | null)[]} */
    this.states = [];
    this.total = { keys: 0, queries: 0 };
    this.element = div(
      'measure',
      el('p', {}, t('measure.what')),
      form(
        'row',
        () => this.start(),
        field(t('measure.keys'), this.keys),
        field(t('measure.fpp'), this.fpp),
        el(
          'fieldset',
          {},
          el('legend', {}, t('measure.layouts')),
          this.boxes.map((box) => el('label', { class: 'inline' }, box, t(`type.${box.value}`))),
        ),
        div('buttons', this.button, this.stop),
      ),
      this.message,
      this.results,
    );
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    const keys = Number(parameters.get('n'));
    if (KEYS.includes(keys)) {
      this.keys.value = String(keys);
    }
    this.fpp.value = parameters.get('p') ?? this.fpp.value;
    const layouts = parameters.getAll('layout');
    for (const box of layouts.length > 0 ? this.boxes : []) {
      box.checked = layouts.includes(box.value);
    }
  }

  link() {
    const parameters = new URLSearchParams({ n: this.keys.value, p: this.fpp.value });
    for (const box of this.boxes.filter(({ checked }) => checked)) {
      parameters.append('layout', box.value);
    }
    return parameters;
  }

  redraw() {}

  async start() {
    const keys = Number(this.keys.value);
    const shapes = this.shapes(keys);
    if (!shapes) {
      return;
    }
    const fpp = parseProbability(this.fpp.value);
    const queries = Math.ceil(Math.min(MAX_QUERIES, Math.max(MIN_QUERIES, 1000 / fpp)));
    this.total = { keys, queries };
    this.states = shapes.map(() => null);
    this.button.disabled = true;
    this.stop.disabled = false;
    this.message.textContent = t('measure.running');
    this.shapeNames = shapes.map(({ layout }) => layout);
    this.draw();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    try {
      await this.jobs.run('measure', { shapes, keys, queries, seed }, ({ i, state }) => {
        this.states[i] = state;
        this.draw();
      });
      this.end(false);
    } catch (e) {
      const { kind, message } = /** @type {import('./jobs.js').JobError} */ (e);
      if (kind !== 'refused') {
        this.end(true);
        this.message.textContent = message;
      }
    }
  }

  /** @param {number} keys */
  shapes(keys) {
    try {
      const fpp = parseProbability(this.fpp.value);
      const shapes = this.boxes
        .filter(({ checked }) => checked)
        .map(({ value }) => {
          const layout = /** @type {import('../core/placement.js').LayoutName} */ (value);
          return solve({ keys, fpp, layout }).shape;
        });
      setProblem(this.fpp, '');
      if (shapes.length === 0) {
        this.message.textContent = t('measure.none');
        return null;
      }
      return shapes;
    } catch (e) {
      setProblem(this.fpp, e instanceof SizingError ? e.message : String(e));
      return null;
    }
  }

  /** @param {boolean} early */
  end(early) {
    if (early) {
      this.jobs.stop();
    }
    this.button.disabled = false;
    this.stop.disabled = true;
    this.message.textContent = t(early ? 'measure.stopped' : 'measure.done');
  }

  draw() {
    const { total } = this;
    const columns = [
      'layout',
      'progress',
      'size',
      'predicted',
      'measured',
      'interval',
      'agrees',
      'fill',
    ];
    fill(
      this.results,
      table(
        t('measure.table'),
        columns.map((name) => t(`measure.column.${name}`)),
        this.states.map((state, i) => [
          t(`type.${this.shapeNames?.[i]}`),
          el('progress', {
            max: total.keys + total.queries,
            value: (state?.keys ?? 0) + (state?.queries ?? 0),
            'aria-label': t(`type.${this.shapeNames?.[i]}`),
          }),
          ...(state && state.queries > 0
            ? cells(state)
            : ['–', state ? formatNumber(state.predicted) : '–', '–', '–', '–', '–']),
        ]),
      ),
    );
  }
}

/** @param {Measured} state */
function cells({ shape, fpp, low, high, predicted, ones, expectedOnes }) {
  const agrees = low <= predicted && predicted <= high;
  return [
    formatBytes(shape.bits / 8),
    formatNumber(predicted),
    formatNumber(fpp),
    `${formatNumber(low)} – ${formatNumber(high)}`,
    agrees ? `✓ ${t('measure.within')}` : `✗ ${t('measure.outside')}`,
    `${((100 * ones) / shape.bits).toFixed(2)} % (${((100 * expectedOnes) / shape.bits).toFixed(2)} %)`,
  ];
}
