/** Line charts by uPlot, each with its numbers as a table for those who cannot see it. */
import uPlot from 'uplot';
import { el, fill, table } from './dom.js';
import { t } from './texts.js';

/**
 * @typedef {object} ChartData
 * @property {string} title
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {number[]} xs
 * @property {{label: string, ys: (number | null)[], dash?: number[]}[]} series
 * @property {(x: number) => string} formatX
 * @property {(y: number) => string} formatY
 * @property {boolean} [logY]
 * @property {{x: number, label: string}[]} [marks] vertical lines
 */

const HEIGHT = 320;

/** Dashes, so that curves differ by more than colour. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 4], [12, 6], [6, 2, 2, 2, 2, 2]];

/** A chart that can be drawn again with other data. */
export class Chart {
  constructor() {
    this.element = el('figure', { class: 'chart' });
    /** @type {ChartData | null} */
    this.data = null;
    /** @type {uPlot | null} */
    this.plot = null;
    this.width = 0;
    new ResizeObserver(() => {
      const width = Math.floor(this.element.clientWidth);
      if (this.plot && width > 0 && width !== this.width) {
        this.width = width;
        this.plot.setSize({ width, height: HEIGHT });
      }
    }).observe(this.element);
  }

  /** @param {ChartData} data */
  set(data) {
    this.data = data;
    this.draw();
  }

  draw() {
    const { data } = this;
    if (!data) {
      return;
    }
    this.plot?.destroy();
    const holder = el('div', { class: 'plot', role: 'img', 'aria-label': data.title });
    fill(this.element, el('figcaption', {}, data.title), holder, numbersOf(data));
    this.width = Math.floor(this.element.clientWidth);
    if (this.width > 0) {
      this.plot = new uPlot(
        options(data, this.width),
        [data.xs, ...data.series.map((s) => s.ys)],
        holder,
      );
    }
  }
}

/** @param {string} name of a custom property of the style sheet */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * @param {ChartData} data
 * @param {number} width
 * @returns {uPlot.Options}
 */
function options(data, width) {
  const axis = {
    stroke: colour('--text'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line') },
  };
  return {
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false }, y: data.logY ? { distr: 3 } : {} },
    axes: [
      { ...axis, label: data.xLabel, values: (_, xs) => xs.map(data.formatX) },
      {
        ...axis,
        label: data.yLabel,
        size: 70,
        ...(data.logY ? { splits: decades } : {}),
        values: (_, ys) => ys.map((y) => (y === null ? '' : data.formatY(y))),
      },
    ],
    series: [
      { label: data.xLabel, value: (_, x) => (x === null ? '' : data.formatX(x)) },
      ...data.series.map((series, i) => ({
        label: series.label,
        stroke: colour(`--curve-${i % 5}`),
        width: 2,
        dash: series.dash ?? DASHES[i % DASHES.length],
        value: (/** @type {uPlot} */ _, /** @type {number | null} */ y) =>
          y === null ? '' : data.formatY(y),
      })),
    ],
    hooks: { draw: [(plot) => drawMarks(plot, data.marks ?? [])] },
  };
}

/**
 * Returns powers of ten, few enough to be distinguishable.
 * @param {uPlot} _
 * @param {number} _axis
 * @param {number} least
 * @param {number} most
 */
function decades(_, _axis, least, most) {
  const first = Math.ceil(Math.log10(least));
  const last = Math.floor(Math.log10(most));
  const step = Math.max(1, Math.ceil((last - first) / 8));
  return Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, i) => 10 ** (first + i * step),
  );
}

/**
 * @param {uPlot} plot
 * @param {{x: number, label: string}[]} marks
 */
function drawMarks(plot, marks) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour('--accent');
  ctx.fillStyle = colour('--text');
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.lineWidth = 2 * scale;
  ctx.setLineDash([4 * scale, 3 * scale]);
  marks.forEach(({ x, label }, i) => {
    const at = plot.valToPos(x, 'x', true);
    if (at < bbox.left || at > bbox.left + bbox.width) {
      return;
    }
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    const right = at + ctx.measureText(label).width + 8 * scale > bbox.left + bbox.width;
    ctx.textAlign = right ? 'right' : 'left';
    ctx.fillText(label, at + (right ? -4 : 4) * scale, bbox.top + (14 + 16 * i) * scale);
  });
  ctx.restore();
}

/** @param {ChartData} data */
function numbersOf(data) {
  const step = Math.max(1, Math.ceil(data.xs.length / 25));
  const rows = data.xs
    .map((x, i) => [
      data.formatX(x),
      ...data.series.map(({ ys }) => (ys[i] === null ? '–' : data.formatY(ys[i]))),
    ])
    .filter((_, i) => i % step === 0);
  return el(
    'details',
    {},
    el('summary', {}, t('chart.numbers')),
    table(data.title, [data.xLabel, ...data.series.map(({ label }) => label)], rows),
  );
}
