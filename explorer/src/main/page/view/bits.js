/**
 * The cells of a filter as a picture that the mouse and the arrow keys can explore, and above them
 * the key that is shown, its hash, and lines from there to its cells.
 */
import { MOST_DRAWN } from '../play/playground.js';
import { colour } from './chart.js';
import { el, fill, svg } from './dom.js';

/**
 * @typedef {object} Picture
 * @property {Uint8Array} values of the cells
 * @property {{first: number, cells: number, label: string}[]} parts
 * @property {boolean} counting
 * @property {import('../play/playground.js').Trace | null} trace of the key that is shown
 * @property {string} act that showed it; lines move when there is another
 */

const SMALLEST_CELL = 7;
const LARGEST_CELL = 26;
const WIDE_CELL = 20;
const GAP = 8;
const LABEL = 16;

/** The most characters of a key above its cells. */
const KEY_CHARACTERS = 16;

/** The picture; its owner explains what a cell means. */
export class BitPicture {
  /**
   * @param {object} options
   * @param {string} options.label for screen readers
   * @param {(cell: number) => void} options.onexplore called with the cell that is pointed at
   */
  constructor({ label, onexplore }) {
    this.canvas = el('canvas', { 'aria-hidden': 'true' });
    this.lines = svg('svg', { class: 'trace', 'aria-hidden': 'true' });
    this.element = el(
      'div',
      {
        class: 'bits',
        role: 'application',
        tabIndex: 0,
        'aria-label': label,
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
      },
      this.canvas,
      this.lines,
    );
    this.onexplore = onexplore;
    /** @type {Picture | null} */
    this.picture = null;
    this.cursor = -1;
    this.size = LARGEST_CELL;
    this.columns = 1;
    /** @type {{first: number, cells: number, top: number, label: string}[]} */
    this.rows = [];
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerdown', (event) => this.point(event));
    this.width = 0;
    this.moving = false;
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.width) {
        this.draw();
      }
    }).observe(this.element);
  }

  /** @param {Picture} picture */
  set(picture) {
    this.moving ||= picture.act !== this.picture?.act;
    this.picture = picture;
    this.cursor = Math.min(this.cursor, picture.values.length - 1);
    this.draw();
  }

  /** Returns the number of cells in a drawn square: 1 except in large filters. */
  get grain() {
    return Math.max(1, Math.ceil((this.picture?.values.length ?? 1) / MOST_DRAWN));
  }

  layout() {
    const { picture } = this;
    const width = this.element.clientWidth;
    this.width = width;
    if (!picture || width === 0) {
      return 0;
    }
    const squares = Math.ceil(picture.values.length / this.grain);
    const most = Math.max(220, Math.min(420, Math.round(0.35 * innerHeight)));
    this.size = 0;
    // powers of two make the words and lines of the layouts visible
    for (const columns of [64, 32, 16, 8]) {
      const rows = Math.ceil(squares / columns);
      const size = Math.min(LARGEST_CELL, Math.floor(width / columns), Math.floor(most / rows));
      if (Math.min(size, WIDE_CELL) > Math.min(this.size, WIDE_CELL)) {
        this.size = size;
        this.columns = columns;
      }
    }
    if (this.size < SMALLEST_CELL) {
      this.size = SMALLEST_CELL;
      this.columns = width >= 64 * SMALLEST_CELL ? 64 : 32;
    }
    this.element.dataset.columns = String(this.columns);
    const parts =
      this.grain === 1 ? picture.parts : [{ first: 0, cells: picture.values.length, label: '' }];
    let top = 0;
    this.rows = parts.map((part, i) => {
      const labelled = part.label !== '';
      top += (i > 0 && labelled ? GAP : 0) + (labelled ? LABEL : 0);
      const row = { ...part, top };
      top += Math.ceil(part.cells / this.grain / this.columns) * this.size;
      return row;
    });
    return top;
  }

  draw() {
    this.drawCanvas();
    this.drawTrace();
  }

  drawCanvas() {
    const height = this.layout();
    const { picture, canvas } = this;
    if (!picture || height === 0) {
      return;
    }
    const width = this.columns * this.size;
    const scale = devicePixelRatio || 1;
    if (
      canvas.width !== Math.round(width * scale) ||
      canvas.height !== Math.round(height * scale)
    ) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext('2d');
    if (!context) {
      return;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const colours = {
      line: colour('--cell-line'),
      set: colour('--cell-set'),
      text: colour('--text'),
      onSet: colour('--on-set'),
    };
    if (this.grain > 1) {
      this.drawDensity(context, picture, colours.set, colours.line);
    } else {
      this.drawCells(context, picture, colours);
    }
    const cursor = this.cursor >= 0 ? this.place(this.cursor) : null;
    if (cursor) {
      context.lineWidth = 2;
      context.strokeStyle = colours.text;
      context.strokeRect(cursor.x - 0.5, cursor.y - 0.5, this.size, this.size);
      context.lineWidth = 1;
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Picture} picture
   * @param {Record<string, string>} colours
   */
  drawCells(context, picture, colours) {
    const { size } = this;
    const inner = size - (size > 9 ? 2 : 1);
    context.font = `${Math.max(8, Math.floor(size * 0.6))}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const row of this.rows) {
      this.drawLabel(context, row, colours.text);
      context.strokeStyle = colours.line;
      context.fillStyle = colours.set;
      for (let i = 0; i < row.cells; i++) {
        const x = (i % this.columns) * size;
        const y = row.top + Math.floor(i / this.columns) * size;
        const value = picture.values[row.first + i];
        if (value > 0) {
          context.fillRect(x + 0.5, y + 0.5, inner, inner);
        } else {
          context.strokeRect(x + 1, y + 1, inner - 1, inner - 1);
        }
        if (picture.counting && value > 0 && size >= 10) {
          context.fillStyle = colours.onSet;
          context.fillText(value === 15 ? '∞' : String(value), x + inner / 2, y + inner / 2 + 1);
          context.fillStyle = colours.set;
        }
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {{top: number, label: string}} row
   * @param {string} text
   */
  drawLabel(context, row, text) {
    if (row.label) {
      context.save();
      context.fillStyle = text;
      context.textAlign = 'left';
      context.font = '12px system-ui, sans-serif';
      context.fillText(row.label, 0, row.top - LABEL / 2);
      context.restore();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Picture} picture
   * @param {string} set
   * @param {string} line
   */
  drawDensity(context, picture, set, line) {
    const { values } = picture;
    const squares = Math.ceil(values.length / this.grain);
    const shares = new Float32Array(squares);
    for (let i = 0; i < squares; i++) {
      const end = Math.min(values.length, (i + 1) * this.grain);
      let ones = 0;
      for (let cell = i * this.grain; cell < end; cell++) {
        ones += values[cell] > 0 ? 1 : 0;
      }
      shares[i] = ones / (end - i * this.grain);
    }
    drawShares(context, shares, this.columns, this.size, set, line);
  }

  drawTrace() {
    const trace = this.picture?.trace;
    if (!trace || this.rows.length === 0) {
      fill(this.lines);
      return;
    }
    const width = this.columns * this.size;
    const { canvas, size } = this;
    this.lines.setAttribute('width', String(width));
    this.lines.setAttribute('height', String(canvas.offsetTop + canvas.clientHeight));
    const label = (
      /** @type {number} */ x,
      /** @type {string} */ anchor,
      /** @type {string} */ text,
    ) => svg('text', { x, y: 16, 'text-anchor': anchor }, text);
    const characters = [...trace.key];
    const key =
      characters.slice(0, KEY_CHARACTERS).join('') + (characters[KEY_CHARACTERS] ? '…' : '');
    const from = Math.min(width, 460) - 74;
    const marks = trace.probes.flatMap(({ cell, set }) => {
      const at = this.place(cell);
      if (!at) {
        return [];
      }
      const [x, y] = [at.x, at.y + canvas.offsetTop];
      const [toX, toY] = [x + size / 2 - 1, y + 1];
      const bend = (toY - 24) / 2;
      const kind = { class: set ? 'hit' : 'miss', 'data-cell': cell };
      const line = `M${from} 24C${from} ${24 + bend} ${toX} ${toY - bend} ${toX} ${toY}`;
      const [far, low] = [x + size - 3, y + size - 3];
      // a cross, so that a missing bit differs by more than colour
      const cross = set
        ? ''
        : `M${x + 3} ${y + 3}L${far - 1} ${low - 1}M${far - 1} ${y + 3}L${x + 3} ${low - 1}`;
      const frame = `M${x + 1} ${y + 1}H${far + 1}V${low + 1}H${x + 1}Z${cross}`;
      return [
        svg('path', { ...kind, class: `line ${kind.class}`, d: line, pathLength: 1 }),
        svg('path', { ...kind, class: `frame ${kind.class}`, d: frame }),
      ];
    });
    const group = svg('g', { class: this.moving ? 'moving' : '' }, ...marks);
    this.moving = false;
    fill(
      this.lines,
      label(from - 72, 'end', `${key === '' ? '“”' : key} → XXH3 →`),
      label(from + 63, 'end', trace.hash),
      group,
    );
  }

  /** @param {number} cell */
  place(cell) {
    const row = this.rows.find(({ first, cells }) => cell >= first && cell < first + cells);
    if (!row) {
      return null;
    }
    const i = Math.floor((cell - row.first) / this.grain);
    return {
      x: (i % this.columns) * this.size,
      y: row.top + Math.floor(i / this.columns) * this.size,
    };
  }

  /** @param {PointerEvent} event */
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.size);
    const y = event.clientY - box.top;
    for (const row of this.rows) {
      const line = Math.floor((y - row.top) / this.size);
      const cell = row.first + (line * this.columns + column) * this.grain;
      if (
        line >= 0 &&
        column >= 0 &&
        column < this.columns &&
        cell >= row.first &&
        cell < row.first + row.cells
      ) {
        this.explore(cell);
        return;
      }
    }
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const cells = this.picture?.values.length ?? 0;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: this.columns,
      ArrowUp: -this.columns,
    };
    const step = steps[event.key];
    const at = Math.max(0, this.cursor);
    const to =
      { Home: 0, End: cells - 1 }[event.key] ??
      (step === undefined ? undefined : at + step * this.grain);
    if (to !== undefined) {
      event.preventDefault();
      this.explore(
        this.cursor < 0 && step !== undefined ? 0 : Math.min(cells - 1, Math.max(0, to)),
      );
    }
  }

  /** @param {number} cell */
  explore(cell) {
    if (cell !== this.cursor) {
      this.cursor = cell;
      this.drawCanvas();
      this.onexplore(cell);
    }
  }
}

/**
 * Draws shares from 0 to 1 as squares that fill from below, darker the fuller.
 * @param {CanvasRenderingContext2D} context
 * @param {ArrayLike<number>} shares
 * @param {number} columns
 * @param {number} size of a square
 * @param {string} set
 * @param {string} line
 */
export function drawShares(context, shares, columns, size, set, line) {
  context.strokeStyle = line;
  context.fillStyle = set;
  for (let i = 0; i < shares.length; i++) {
    const x = (i % columns) * size;
    const y = Math.floor(i / columns) * size;
    context.globalAlpha = 0.08 + 0.92 * shares[i];
    context.fillRect(x, y, size - 1, size - 1);
  }
  context.globalAlpha = 1;
}
