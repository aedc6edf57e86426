/**
 * Line charts by uPlot, whose lines are labelled at their ends, each with its numbers as a table for
 * those who cannot see it.
 */
import uPlot from 'uplot';
import { el, fill, table } from './dom.js';
import { t } from './texts.js';

/**
 * @typedef {object} ChartData
 * @property {string} title
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {number[]} xs
 * @property {{label: string, ys: (number | null)[]}[]} series
 * @property {number[]} [xMarks] of the axis, whole powers of ten for instance
 * @property {(x: number) => string} formatX
 * @property {(y: number) => string} formatY
 * @property {boolean} [logY]
 * @property {{x: number, label: string}[]} [marks] vertical lines
 */

const HEIGHT = 340;

/** The colours of the style sheet; no chart has as many lines. */
const COLOURS = 10;

/** The height of a label at the end of a line. */
const LABEL_HEIGHT = 15;

/** Dashes, so that curves differ by more than colour. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

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
    padding: [null, data.series.length > 1 ? labelWidth(data) : null, null, null],
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { time: false },
      y: data.logY ? { distr: 3, range: (_, least, most) => [least / 1.1, most * 1.1] } : {},
    },
    axes: [
      {
        ...axis,
        label: data.xLabel,
        ...(data.xMarks ? { splits: (plot) => sparse(data.xMarks ?? [], plot.width) } : {}),
        values: (_, xs) => xs.map(data.formatX),
      },
      {
        ...axis,
        label: data.yLabel,
        size: 70,
        ...(data.logY ? { splits: decades, filter: (_, ys) => ys } : {}),
        values: (_, ys) => ys.map((y) => (y === null ? '' : data.formatY(y))),
      },
    ],
    series: [
      {},
      ...data.series.map((_, i) => ({
        stroke: colour(`--curve-${i % COLOURS}`),
        width: 2,
        dash: DASHES[i % DASHES.length],
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, data.marks ?? []), (plot) => drawLabels(plot, data)],
    },
  };
}

/**
 * Returns every mark, or of many in little space every second, third and so on.
 * @param {number[]} marks
 * @param {number} width
 */
function sparse(marks, width) {
  const step = Math.ceil((marks.length * 90) / width);
  return marks.filter((_, i) => i % step === 0);
}

const LABEL_FONT = 'px system-ui, sans-serif';

/** @param {ChartData} data */
function labelWidth({ series }) {
  const context = el('canvas').getContext('2d');
  if (!context) {
    return 100;
  }
  context.font = 12 + LABEL_FONT;
  return 30 + Math.max(...series.map(({ label }) => context.measureText(label).width));
}

/**
 * Writes the name of each line at its end, or below the name of the line above.
 * @param {uPlot} plot
 * @param {ChartData} data
 */
function drawLabels(plot, { xs, series }) {
  if (series.length < 2) {
    return;
  }
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const ends = series.map(({ label, ys }, i) => {
    const last = ys.findLastIndex((y) => y !== null);
    const [x, y] = [xs[Math.max(0, last)], ys[last] ?? 0];
    return { i, label, x: plot.valToPos(x, 'x', true), y: plot.valToPos(y, 'y', true) };
  });
  ends.sort((a, b) => a.y - b.y);
  const height = LABEL_HEIGHT * scale;
  const places = ends.map(({ y }) => y);
  let edge = bbox.top;
  places.forEach((y, at) => (edge = (places[at] = Math.max(y, edge)) + height));
  edge = bbox.top + bbox.height;
  for (let at = places.length - 1; at >= 0; at--) {
    edge = (places[at] = Math.min(places[at], edge)) - height;
  }
  ctx.save();
  ctx.font = 12 * scale + LABEL_FONT;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = scale;
  ctx.setLineDash([]);
  ends.forEach(({ i, label, x, y }, at) => {
    ctx.strokeStyle = ctx.fillStyle = colour(`--curve-${i % COLOURS}`);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(bbox.left + bbox.width + 20 * scale, places[at]);
    ctx.stroke();
    ctx.fillText(label, bbox.left + bbox.width + 24 * scale, places[at]);
  });
  ctx.restore();
}

/**
 * Returns powers of ten, few enough to be distinguishable, and steps between two or three of them.
 * @param {uPlot} _
 * @param {number} _axis
 * @param {number} least
 * @param {number} most
 */
function decades(_, _axis, least, most) {
  const first = Math.ceil(Math.log10(least));
  const last = Math.floor(Math.log10(most));
  if (last - first < 3) {
    const steps = Array.from({ length: 4 }, (_, i) => 10 ** (first - 1 + i));
    return steps.flatMap((ten) => [ten, 2 * ten, 5 * ten]).filter((y) => y >= least && y <= most);
  }
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
  ctx.font = 12 * scale + LABEL_FONT;
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
  const step = Math.max(1, Math.floor(data.xs.length / 24));
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
