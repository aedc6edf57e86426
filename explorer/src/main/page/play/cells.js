/**
 * The arrays that a playground fills: one class for each way in which filters use them.
 *
 * Each knows where the cells of a hash are, puts and queries. A cell is a bit, or a counter.
 */
import { positions } from '../core/placement.js';
import { draw, RESULT, reduce } from '../core/u64.js';
import { fppOf } from '../sizing/bloom.js';
import { firstStage, GENERATIONS, nextStage } from '../sizing/others.js';

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

/** An array in which nothing can be removed or cleared, and which forgets nothing. */
class Cells {
  /**
   * @param {number} size
   * @param {boolean} [counting]
   */
  constructor(size, counting = false) {
    this.values = new Uint8Array(size);
    this.counting = counting;
    this.capacity = 0;
    this.rotations = 0;
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

  /** Begins a generation, where there are any. */
  rotate() {}

  /** @param {number} _rotations that there had been when a key was put */
  remembers(_rotations) {
    return true;
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

/**
 * A window that forgets: each position has a bit for every generation. A put sets the bits of the
 * youngest generation; a key is in if one generation has all of its bits.
 */
export class WindowedCells extends Cells {
  /**
   * @param {number} bits of all generations
   * @param {number} hashes k
   * @param {number} fpp to keep, whatever was put
   */
  constructor(bits, hashes, fpp) {
    const positions = Math.max(8, Math.floor(bits / GENERATIONS));
    super(GENERATIONS * positions);
    this.positions = positions;
    this.hashes = hashes;
    this.puts = 0;
    const fill = (/** @type {number} */ keys) => 1 - (1 - 1 / positions) ** (hashes * keys);
    this.generationKeys = 1;
    while (1 - (1 - fill(this.generationKeys + 1) ** hashes) ** GENERATIONS <= fpp) {
      this.generationKeys++;
    }
    // the youngest may have no keys yet
    this.capacity = (GENERATIONS - 1) * this.generationKeys;
  }

  /** @param {number} age 0 of the youngest generation */
  firstOf(age) {
    const { positions, rotations } = this;
    return positions * ((((rotations - age) % GENERATIONS) + GENERATIONS) % GENERATIONS);
  }

  parts() {
    const parts = Array.from({ length: GENERATIONS }, (_, age) => ({
      first: this.firstOf(age),
      cells: this.positions,
      label: String(age),
      age,
    }));
    return parts.sort((a, b) => a.first - b.first);
  }

  /** @param {Hash} hash */
  positionsOf({ high, low }) {
    return Array.from({ length: this.hashes }, (_, i) => {
      draw(high, low, i);
      return reduce(RESULT[0], RESULT[1], this.positions);
    });
  }

  /**
   * Returns the age of the youngest generation that has a key, or of the youngest of all.
   * @param {number[]} positions
   */
  ageOf(positions) {
    for (let age = 0; age < GENERATIONS; age++) {
      const first = this.firstOf(age);
      if (positions.every((position) => this.values[first + position] > 0)) {
        return { age, found: true };
      }
    }
    return { age: 0, found: false };
  }

  /** @param {Hash} hash */
  mightContain(hash) {
    return this.ageOf(this.positionsOf(hash)).found;
  }

  /**
   * @param {Hash} hash
   * @returns {Probe[]}
   */
  probes(hash) {
    const positions = this.positionsOf(hash);
    const first = this.firstOf(this.ageOf(positions).age);
    return positions.map((position) => {
      const cell = first + position;
      return { cell, set: this.values[cell] > 0 };
    });
  }

  /** @param {Hash} hash */
  put(hash) {
    const first = this.firstOf(0);
    const cells = this.positionsOf(hash).map((position) => first + position);
    for (const cell of cells) {
      this.values[cell] = 1;
    }
    this.puts++;
    if (this.puts === this.generationKeys) {
      this.rotate();
    }
    return cells;
  }

  /** Begins a generation where the oldest was. */
  rotate() {
    this.rotations++;
    this.puts = 0;
    const first = this.firstOf(0);
    this.values.fill(0, first, first + this.positions);
  }

  /** @param {number} rotations */
  remembers(rotations) {
    return this.rotations - rotations < GENERATIONS;
  }

  predictedFpp() {
    let absent = 1;
    for (let age = 0; age < GENERATIONS; age++) {
      const first = this.firstOf(age);
      const generation = this.values.subarray(first, first + this.positions);
      const fill = generation.reduce((ones, value) => ones + value, 0) / this.positions;
      absent *= 1 - fill ** this.hashes;
    }
    return 1 - absent;
  }
}
