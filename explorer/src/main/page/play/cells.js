/**
 * The arrays that a playground fills: one class for each way in which filters use them.
 *
 * Each knows where the cells of a hash are, puts and queries. A cell is a bit, or a counter.
 */
import { positions } from '../core/placement.js';
import { draw, RESULT, reduce } from '../core/u64.js';
import { fppOf } from '../sizing/bloom.js';
import { firstStage, nextStage, windowFpp } from '../sizing/others.js';

/** @typedef {import('../core/placement.js').Shape} Shape */

/**
 * @typedef {object} Hash
 * @property {number} high
 * @property {number} low
 */

/**
 * @typedef {object} Probe one cell of a key
 * @property {number} cell
 * @property {boolean} set
 */

/** The value at which a counter of four bits stays. */
const SATURATED = 15;

/** An array in which nothing can be removed or cleared. */
class Cells {
  /**
   * @param {number} size
   * @param {boolean} [counting]
   */
  constructor(size, counting = false) {
    this.values = new Uint8Array(size);
    this.counting = counting;
    this.capacity = 0;
  }

  /** @param {number} cells to add at the end */
  grow(cells) {
    const before = this.values;
    this.values = new Uint8Array(before.length + cells);
    this.values.set(before);
  }

  /** @param {Hash} _hash @returns {number[]} the cells of the key, if it was removed */
  remove(_hash) {
    return [];
  }

  /** @param {Hash} _hash @returns {number[]} the cells that were set to zero */
  clear(_hash) {
    return [];
  }
}

/** One array of bits, or of counters that can be removed from. */
export class BloomCells extends Cells {
  /**
   * @param {Shape} shape
   * @param {boolean} counting
   */
  constructor(shape, counting) {
    super(shape.bits, counting);
    this.shape = shape;
    this.found = new Float64Array(shape.hashes);
  }

  /** Returns the parts of the array under which it is shown, by their first cells. */
  parts() {
    return [{ first: 0, cells: this.shape.bits, label: '' }];
  }

  /** @param {Hash} hash */
  cellsOf({ high, low }) {
    positions(this.shape, high, low, this.found);
    return Array.from(this.found);
  }

  /**
   * @param {Hash} hash
   * @returns {Probe[]}
   */
  probes(hash) {
    return this.cellsOf(hash).map((cell) => ({ cell, set: this.values[cell] > 0 }));
  }

  /** @param {Hash} hash */
  mightContain({ high, low }) {
    positions(this.shape, high, low, this.found);
    return this.found.every((cell) => this.values[cell] > 0);
  }

  /**
   * Puts a key; returns its cells.
   * @param {Hash} hash
   */
  put(hash) {
    const cells = this.cellsOf(hash);
    for (const cell of cells) {
      this.values[cell] = this.counting ? Math.min(SATURATED, this.values[cell] + 1) : 1;
    }
    return cells;
  }

  /** @param {Hash} hash */
  remove(hash) {
    if (!this.counting || !this.mightContain(hash)) {
      return [];
    }
    const cells = this.cellsOf(hash);
    for (const cell of cells) {
      if (this.values[cell] > 0 && this.values[cell] < SATURATED) {
        this.values[cell]--;
      }
    }
    return cells;
  }

  /** Sets bits to zero, which no Bloom filter does. @param {Hash} hash */
  clear(hash) {
    const cells = this.cellsOf(hash);
    for (const cell of cells) {
      this.values[cell] = 0;
    }
    return cells;
  }

  /**
   * Returns the fpp that the number of keys predicts.
   * @param {number} keys
   */
  predictedFpp(keys) {
    return fppOf(this.shape, keys);
  }
}

/** Stages of growing size. */
export class ScalableCells extends Cells {
  /**
   * @param {number} initialKeys
   * @param {number} fpp in total
   */
  constructor(initialKeys, fpp) {
    super(0);
    this.stage = firstStage(initialKeys, fpp);
    /** @type {{cells: BloomCells, first: number, keys: number, most: number}[]} */
    this.stages = [];
    this.addStage();
  }

  addStage() {
    const { shape, expectedKeys } = this.stage;
    const first = this.values.length;
    this.grow(shape.bits);
    this.stages.push({ cells: new BloomCells(shape, false), first, keys: 0, most: expectedKeys });
    for (const stage of this.stages) {
      stage.cells.values = this.values.subarray(stage.first, stage.first + stage.cells.shape.bits);
    }
    this.capacity = this.stages.reduce((sum, stage) => sum + stage.most, 0);
  }

  parts() {
    return this.stages.map(({ first, cells, keys, most }, i) => ({
      first,
      cells: cells.shape.bits,
      label: `${i + 1}: ${keys}/${most}`,
    }));
  }

  /** @param {Hash} hash */
  mightContain(hash) {
    return this.stages.some((stage) => stage.cells.mightContain(hash));
  }

  /**
   * Returns the probes in the stage that answers: the first that has the key, else the last.
   * @param {Hash} hash
   * @returns {Probe[]}
   */
  probes(hash) {
    const stage =
      this.stages.find((s) => s.cells.mightContain(hash)) ?? this.stages[this.stages.length - 1];
    return stage.cells.probes(hash).map(({ cell, set }) => ({ cell: stage.first + cell, set }));
  }

  /** @param {Hash} hash */
  put(hash) {
    if (this.mightContain(hash)) {
      return this.probes(hash).map(({ cell }) => cell);
    }
    let last = this.stages[this.stages.length - 1];
    if (last.keys >= last.most) {
      this.stage = nextStage(this.stage);
      this.addStage();
      last = this.stages[this.stages.length - 1];
    }
    last.keys++;
    return last.cells.put(hash).map((cell) => last.first + cell);
  }

  predictedFpp() {
    let fpp = 0;
    for (const stage of this.stages) {
      fpp += (1 - fpp) * fppOf(stage.cells.shape, stage.keys);
    }
    return fpp;
  }
}

/** A ring of slices that forgets what is older than a window. */
export class WindowedCells extends Cells {
  /**
   * @param {number} hashes k
   * @param {number} generations l
   * @param {number} sliceBits
   * @param {number} generationKeys
   */
  constructor(hashes, generations, sliceBits, generationKeys) {
    super((hashes + generations) * sliceBits);
    this.hashes = hashes;
    this.generations = generations;
    this.sliceBits = sliceBits;
    this.generationKeys = generationKeys;
    this.slices = hashes + generations;
    this.capacity = generations * generationKeys;
    this.youngest = 0;
    this.puts = 0;
    this.rotations = 0;
  }

  parts() {
    return Array.from({ length: this.slices }, (_, index) => ({
      first: index * this.sliceBits,
      cells: this.sliceBits,
      label: String((index - this.youngest + this.slices) % this.slices),
    }));
  }

  /**
   * @param {Hash} hash
   * @param {number} index of a slice
   */
  cellIn({ high, low }, index) {
    draw(high, low, index);
    return index * this.sliceBits + reduce(RESULT[0], RESULT[1], this.sliceBits);
  }

  /** Returns how many rotations are due before the next put. */
  due() {
    return this.puts === this.generationKeys ? 1 : 0;
  }

  /**
   * Returns the ages of k slices in a row that have the bit, or none.
   * @param {Hash} hash
   */
  run(hash) {
    let run = 0;
    for (let age = 0; age < this.slices - this.due(); age++) {
      run = this.values[this.cellIn(hash, this.indexOf(age))] > 0 ? run + 1 : 0;
      if (run === this.hashes) {
        return age - run + 1;
      }
    }
    return -1;
  }

  /** @param {number} age */
  indexOf(age) {
    return (this.youngest + age) % this.slices;
  }

  /** @param {Hash} hash */
  mightContain(hash) {
    return this.run(hash) >= 0;
  }

  /**
   * @param {Hash} hash
   * @returns {Probe[]}
   */
  probes(hash) {
    const from = Math.max(0, this.run(hash));
    return Array.from({ length: this.hashes }, (_, i) => {
      const cell = this.cellIn(hash, this.indexOf(from + i));
      return { cell, set: this.values[cell] > 0 };
    });
  }

  /** @param {Hash} hash */
  put(hash) {
    if (this.due() > 0) {
      this.rotate();
    }
    const cells = [];
    for (let age = 0; age < this.hashes; age++) {
      const cell = this.cellIn(hash, this.indexOf(age));
      this.values[cell] = 1;
      cells.push(cell);
    }
    this.puts++;
    return cells;
  }

  rotate() {
    this.youngest = (this.youngest + this.slices - 1) % this.slices;
    const first = this.youngest * this.sliceBits;
    this.values.fill(0, first, first + this.sliceBits);
    this.puts = 0;
    this.rotations++;
  }

  predictedFpp() {
    const fills = Array.from({ length: this.slices - this.due() }, (_, age) => {
      const first = this.indexOf(age) * this.sliceBits;
      const slice = this.values.subarray(first, first + this.sliceBits);
      return slice.reduce((ones, value) => ones + value, 0) / this.sliceBits;
    });
    return windowFpp(this.hashes, fills);
  }
}
