/** Size: two of keys, fpp and memory give the rest, for every filter. */
import { javaFixed, SizingError } from '../sizing/numbers.js';
import {
  formatNumber,
  parseCount,
  parseHashes,
  parseProbability,
  parseSize,
  rowCells,
} from '../sizing/quantities.js';
import { Chart } from './chart.js';
import {
  button,
  debounced,
  div,
  el,
  field,
  fill,
  form,
  setProblem,
  table,
  textInput,
} from './dom.js';
import { count, t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */
/** @typedef {import('../sizing/sizers.js').Row} Row */

/** @type {Record<string, (text: string) => number>} */
const PARSERS = {
  n: parseCount,
  p: parseProbability,
  m: parseSize,
  k: parseHashes,
  now: parseCount,
};

const FIELDS = Object.keys(PARSERS);

/** The panel. */
export class SizeView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    const later = debounced(() => this.solve());
    /** @type {Record<string, HTMLInputElement>} */
    this.inputs = Object.fromEntries(
      FIELDS.map((name) => [name, textInput({ id: `size-${name}`, oninput: later })]),
    );
    this.inputs.n.value = '1e9';
    this.inputs.p.value = '0.01 %';
    this.message = el('p', { class: 'message', role: 'status' });
    this.results = el('div', {});
    this.fppChart = new Chart();
    this.bitsChart = new Chart();
    this.turn = 0;
    this.element = div(
      'size',
      form(
        'row',
        () => {},
        FIELDS.map((name) => field(t(`size.${name}`), this.inputs[name], t(`size.${name}.hint`))),
      ),
      this.message,
      this.results,
      this.fppChart.element,
      this.bitsChart.element,
      claim(context),
    );
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    if (FIELDS.some((name) => parameters.has(name))) {
      for (const name of FIELDS) {
        this.inputs[name].value = parameters.get(name) ?? '';
      }
    }
    this.solve();
  }

  link() {
    const given = FIELDS.map((name) => [name, this.inputs[name].value.trim()]);
    return new URLSearchParams(given.filter(([, text]) => text !== ''));
  }

  redraw() {
    if (this.turn === 0) {
      this.solve();
    }
    this.fppChart.draw();
    this.bitsChart.draw();
  }

  /** Reads the fields; null where one cannot be read. */
  read() {
    /** @type {Record<string, number | null>} */
    const values = {};
    let sound = true;
    for (const name of FIELDS) {
      const text = this.inputs[name].value.trim();
      values[name] = null;
      try {
        values[name] = text === '' ? null : PARSERS[name](text);
        setProblem(this.inputs[name], '');
      } catch (e) {
        sound = false;
        setProblem(this.inputs[name], e instanceof SizingError ? e.message : String(e));
      }
    }
    return sound ? values : null;
  }

  async solve() {
    const turn = ++this.turn;
    const values = this.read();
    if (!values) {
      return;
    }
    this.context.changed();
    const { n, p, m, k, now } = values;
    const given = [n, p, m].filter((value) => value !== null).length;
    if (!(given === 2 || (given === 1 && k !== null && p === null))) {
      this.message.textContent = t(given === 3 ? 'size.three' : 'size.two');
      return;
    }
    this.message.textContent = t('size.working');
    const request = { keys: n, fpp: p, bytes: m, hashes: k };
    try {
      const { rows, problems } = await this.context.jobs.run('size', request);
      if (turn === this.turn) {
        this.message.textContent = '';
        this.showRows(rows, problems);
        await this.drawCharts(rows, now, turn);
      }
    } catch (e) {
      if (turn === this.turn) {
        this.message.textContent = /** @type {import('./jobs.js').JobError} */ (e).message;
      }
    }
  }

  /**
   * @param {Row[]} rows
   * @param {string[]} problems
   */
  showRows(rows, problems) {
    const head = ['type', 'layout', 'bitsPerKey', 'size', 'bytes', 'keys', 'hashes', 'fpp'];
    fill(
      this.results,
      table(
        t('size.table'),
        head.map((name) => t(`size.column.${name}`)),
        rows.map(tableCells),
        2,
      ),
      el('p', { class: 'hint' }, t('size.table.hint')),
      problems.length > 0 && el('ul', { class: 'problems' }, problems.map(listed)),
    );
  }

  /**
   * @param {Row[]} rows
   * @param {number | null} now
   * @param {number} turn
   */
  async drawCharts(rows, now, turn) {
    const row =
      rows.find(({ type }) => type === 'blocked') ?? rows.find(({ hashes }) => hashes !== null);
    if (!row || row.fpp >= 1) {
      return;
    }
    const { jobs } = this.context;
    const layout =
      row.layout === '-' ? (row.type === 'partitioned' ? 'partitioned' : 'classic') : row.layout;
    const { shape, xs, ys } = await jobs.run('fppCurve', { keys: row.keys, fpp: row.fpp, layout });
    const { exponents, types, curves, bound } = await jobs.run('bitsCurve', { keys: row.keys });
    if (turn !== this.turn) {
      return;
    }
    const marks = [{ x: row.keys, label: t('size.chart.capacity') }];
    if (now !== null) {
      marks.push({ x: now, label: t(now > row.keys ? 'size.chart.over' : 'size.chart.now') });
    }
    this.fppChart.set({
      title: t('size.chart.fpp', { layout: t(`type.${shape.layout}`), k: shape.hashes }),
      xLabel: t('size.column.keys'),
      yLabel: t('size.column.fpp'),
      xs,
      series: [
        { label: shape.layout, ys: ys.map((/** @type {number} */ y) => (y > 1e-300 ? y : null)) },
      ],
      formatX: (x) => count(x, 'compact'),
      formatY: formatNumber,
      logY: true,
      marks,
    });
    this.bitsChart.set({
      title: t('size.chart.bits', { keys: count(row.keys) }),
      xLabel: t('size.column.fpp'),
      yLabel: t('size.column.bitsPerKey'),
      xs: exponents,
      series: [
        ...types.map((/** @type {string} */ type, /** @type {number} */ i) => ({
          label: t(`type.${type}`),
          ys: curves[i],
        })),
        { label: t('type.information bound'), ys: bound },
      ],
      xMarks: exponents.filter(Number.isInteger),
      formatX: (x) => formatNumber(10 ** -x),
      formatY: (y) => javaFixed(y, 1).replace(/\.0$/, ''),
      logY: true,
    });
  }
}

/** @param {string} text */
function listed(text) {
  return el('li', {}, text);
}

/**
 * Returns a row of `tamis size` with the types as the page calls them and large numbers grouped.
 * @param {Row} row
 */
function tableCells(row) {
  const [type, layout, bitsPerKey, size, bytes, keys, ...others] = rowCells(row);
  const known = layout === '-' ? layout : t(`type.${layout}`);
  return [
    t(`type.${type}`),
    known,
    bitsPerKey,
    size,
    count(BigInt(bytes)),
    count(BigInt(keys)),
    ...others,
  ];
}

/** @param {Context} context */
function claim(context) {
  return el(
    'section',
    { class: 'claim' },
    el('h3', {}, t('size.claim.head')),
    el('p', {}, t('size.claim.text')),
    el('p', {}, t('size.claim.error')),
    button(t('size.claim.show'), () => context.go('#size?n=1e9&p=0.0001')),
  );
}
