/** A filter to play with: operations that can be undone, and the true set of keys. */
import { BadKey, bytesOfKey, canonicalKey, KEY_FORMS } from '../core/keys.js';
import { LAYOUTS, LISTED_LAYOUTS } from '../core/placement.js';
import { draw, RESULT, toHex } from '../core/u64.js';
import { mostKeysOf, requireHashes, requireShape } from '../sizing/bloom.js';
import { BloomCells, ScalableCells, WindowedCells } from './cells.js';

/** @typedef {import('../core/keys.js').KeyForm} KeyForm */
/** @typedef {import('../core/placement.js').LayoutName} LayoutName */
/** @typedef {import('./cells.js').Hash} Hash */

/**
 * @typedef {object} Settings
 * @property {string} type a layout, or counting, scalable, windowed
 * @property {number} bits m; counters of a counting filter
 * @property {number} hashes k
 * @property {KeyForm} [form] of the keys, text if absent
 */

/**
 * @typedef {{op: 'put' | 'remove' | 'clear', key: string} | {op: 'fill', count: number}
 *   | {op: 'rotate'}} Operation
 */

/** @typedef {ReturnType<Playground['query']>} Trace a key on its way to its cells */

/** The types of filter to play with. */
export const PLAY_TYPES = [...LISTED_LAYOUTS, 'counting', 'scalable', 'windowed'];

/** The most cells that are drawn one by one. */
export const MOST_DRAWN = 4096;

/** The most cells of a playground. */
const MOST_CELLS = 1 << 20;

/** The requested fpp at which a filter counts as full. */
export const PLAY_FPP = 0.05;

const SCALABLE_KEYS = 20;

/** The keys that are queried to measure the fpp. */
const OTHER_KEYS = 1000;

/**
 * Returns settings that are possible, the nearest to those given.
 * @param {Settings} wanted
 * @returns {Required<Settings>}
 */
export function possible({ type, bits, hashes, form = 'text' }) {
  const known = PLAY_TYPES.includes(type) ? type : 'classic';
  const rules = LAYOUTS[layoutOf(known)];
  const k = Number.isFinite(hashes) ? Math.round(hashes) : 4;
  const steps = Math.round((Math.min(rules.maxHashes, k) - rules.minHashes) / rules.hashStep);
  const possibleHashes = rules.minHashes + Math.max(0, steps) * rules.hashStep;
  const unit = rules.granularity(possibleHashes);
  const least = Math.max(rules.minBits(possibleHashes), unit);
  const m = Number.isFinite(bits) ? Math.min(MOST_CELLS, Math.max(least, bits)) : 256;
  return {
    type: known,
    bits: Math.max(least, Math.floor(m / unit) * unit),
    hashes: possibleHashes,
    form: KEY_FORMS.includes(form) ? form : 'text',
  };
}

/**
 * Refuses a number of hashes that a type of filter cannot have, in the words of `tamis size`.
 * @param {Settings} settings
 * @param {number} hashes
 */
export function checkHashes({ type }, hashes) {
  requireHashes(layoutOf(type), hashes);
}

/**
 * @param {string} type
 * @returns {LayoutName}
 */
function layoutOf(type) {
  return type in LAYOUTS ? /** @type {LayoutName} */ (type) : 'classic';
}

/**
 * @param {Settings} settings
 * @returns {BloomCells | ScalableCells | WindowedCells}
 */
function cellsFor({ type, bits, hashes }) {
  if (type === 'scalable') {
    return new ScalableCells(SCALABLE_KEYS, PLAY_FPP);
  }
  if (type === 'windowed') {
    return new WindowedCells(bits, hashes, PLAY_FPP);
  }
  const shape = requireShape({ layout: layoutOf(type), bits, hashes });
  const cells = new BloomCells(shape, type === 'counting');
  cells.capacity = Math.max(1, mostKeysOf(shape, PLAY_FPP));
  return cells;
}

/**
 * Returns a key to fill with or to look for.
 * @param {KeyForm} form
 * @param {'key' | 'other'} name of the series
 * @param {number} i from 1 on
 */
export function numberedKey(form, name, i) {
  switch (form) {
    case 'text':
      return `${name}-${i}`;
    case 'hex':
      return (name === 'key' ? '00' : 'ff') + i.toString(16).padStart(6, '0');
    default:
      return String(name === 'key' ? i : -i);
  }
}

/** A filter, the operations that made it, and the set it represents. */
export class Playground {
  /**
   * @param {Settings} settings
   * @param {import('../core/hashes.js').KeyHash} hasher
   */
  constructor(settings, hasher) {
    this.hasher = hasher;
    this.settings = possible(settings);
    /** @type {Operation[]} */
    this.operations = [];
    this.cells = cellsFor(this.settings);
    /** @type {Map<string, {cells: number[], rotations: number}[]>} the puts of each key */
    this.keys = new Map();
    this.filled = 0;
  }

  /** @param {string} key @returns {Hash} */
  hashOf(key) {
    this.hasher.hash(bytesOfKey(key, this.settings.form));
    return { high: RESULT[0], low: RESULT[1] };
  }

  /**
   * Performs an operation; it can be undone.
   * @param {Operation} operation
   */
  perform(operation) {
    const last = this.operations[this.operations.length - 1];
    if (operation.op === 'fill' && last?.op === 'fill') {
      last.count += operation.count;
    } else {
      this.operations.push({ ...operation });
    }
    return this.apply(operation);
  }

  /** @param {Operation} operation */
  apply(operation) {
    if (operation.op === 'fill') {
      for (let i = 0; i < operation.count; i++) {
        this.filled++;
        this.put(numberedKey(this.settings.form, 'key', this.filled));
      }
      return [];
    }
    if (operation.op === 'rotate') {
      this.cells.rotate();
      return [];
    }
    return this[operation.op](operation.key);
  }

  /** Takes the last operation back. */
  undo() {
    const left = this.operations.slice(0, -1);
    Object.assign(this, new Playground(this.settings, this.hasher));
    left.forEach((operation) => this.perform(operation));
  }

  /** @param {string} key */
  put(key) {
    const { rotations } = this.cells;
    const cells = this.cells.put(this.hashOf(key));
    const puts = this.keys.get(key) ?? [];
    puts.push({ cells, rotations });
    this.keys.set(key, puts);
    return cells;
  }

  /** @param {string} key */
  remove(key) {
    const cells = this.cells.remove(this.hashOf(key));
    const puts = this.keys.get(key);
    if (cells.length > 0 && puts) {
      puts.pop();
      if (puts.length === 0) {
        this.keys.delete(key);
      }
    }
    return cells;
  }

  /** @param {string} key */
  clear(key) {
    const cells = this.cells.clear(this.hashOf(key));
    this.keys.delete(key);
    return cells;
  }

  /**
   * Returns whether a key is truly in: in a window, whether its generation is live.
   * @param {string} key
   */
  holds(key) {
    const puts = this.keys.get(key) ?? [];
    return puts.some(({ rotations }) => this.cells.remembers(rotations));
  }

  /**
   * Queries a key: returns its bytes, its hash, the cells that the hash selects, what is in them,
   * and the answer.
   * @param {string} key
   */
  query(key) {
    const bytes = bytesOfKey(key, this.settings.form);
    const hash = this.hashOf(key);
    const answer = this.cells.mightContain(hash);
    const present = this.holds(key);
    const probes = this.cells.probes(hash).map((probe, i) => {
      draw(hash.high, hash.low, i);
      const owners = probe.set ? this.ownersOf(probe.cell) : [];
      return { ...probe, draw: toHex(RESULT[0], RESULT[1]), owners };
    });
    return { key, bytes, hash: toHex(hash.high, hash.low), answer, present, probes };
  }

  /** Returns how many of the other keys, none of which was put, are reported as present. */
  falsePositives() {
    let found = 0;
    let queried = 0;
    for (let i = 1; i <= OTHER_KEYS; i++) {
      const key = numberedKey(this.settings.form, 'other', i);
      if (!this.holds(key)) {
        queried++;
        found += this.cells.mightContain(this.hashOf(key)) ? 1 : 0;
      }
    }
    return { found, queried };
  }

  /**
   * Returns the keys that set a cell.
   * @param {number} cell
   * @param {number} [most]
   */
  ownersOf(cell, most = 20) {
    const owners = [];
    for (const [key, puts] of this.keys) {
      if (puts.some((put) => put.cells.includes(cell) && this.cells.remembers(put.rotations))) {
        owners.push(key);
        if (owners.length === most) {
          break;
        }
      }
    }
    return owners;
  }

  /** Returns the keys that are in but are denied: the damage of clearing and of wrong removals. */
  lost() {
    const lost = [];
    for (const key of this.keys.keys()) {
      if (this.holds(key) && !this.cells.mightContain(this.hashOf(key))) {
        lost.push(key);
      }
    }
    return lost;
  }

  /** Returns how many of the keys are truly in. */
  size() {
    let size = 0;
    for (const key of this.keys.keys()) {
      size += this.holds(key) ? 1 : 0;
    }
    return size;
  }

  /**
   * Returns how many keys filling puts: up to capacity, in a scalable filter up to its fourth stage,
   * and in a window, which forgets, one window more than it has.
   */
  room() {
    const { cells } = this;
    if (cells instanceof WindowedCells) {
      return 2 * cells.capacity - Math.min(cells.capacity, this.size());
    }
    const most = cells instanceof ScalableCells ? 15 * SCALABLE_KEYS : cells.capacity;
    return Math.max(0, most - this.size());
  }

  ones() {
    return this.cells.values.reduce((ones, value) => ones + (value > 0 ? 1 : 0), 0);
  }
}

/**
 * Returns the settings, operations and query of a link, without malformed keys.
 * @param {URLSearchParams} parameters
 */
export function fromLink(parameters) {
  const settings = possible({
    type: parameters.get('type') ?? 'classic',
    bits: Number(parameters.get('m') ?? 256),
    hashes: Number(parameters.get('k') ?? 4),
    form: /** @type {KeyForm} */ (parameters.get('keys') ?? 'text'),
  });
  /** @type {Operation[]} */
  const operations = [];
  for (const text of parameters.getAll('o').slice(0, 10_000)) {
    const argument = text.slice(1);
    if (text.startsWith('*')) {
      const count = Math.min(MOST_CELLS, Math.max(0, Math.floor(Number(argument)) || 0));
      operations.push({ op: 'fill', count });
    } else if (text === '~') {
      operations.push({ op: 'rotate' });
    } else {
      const op = OPERATIONS[text[0]];
      const key = keyOrNull(argument, settings.form);
      if (op && key !== null) {
        operations.push({ op, key });
      }
    }
  }
  const query = parameters.get('q');
  return {
    settings,
    operations,
    query: query === null ? null : keyOrNull(query, settings.form),
  };
}

/**
 * Returns a key in its canonical form; null for malformed text.
 * @param {string} text
 * @param {KeyForm} form
 */
export function keyOrNull(text, form) {
  try {
    return canonicalKey(text, form);
  } catch (e) {
    if (e instanceof BadKey) {
      return null;
    }
    throw e;
  }
}

/** @type {Record<string, 'put' | 'remove' | 'clear'>} */
const OPERATIONS = { '+': 'put', '-': 'remove', '!': 'clear' };

const MARKS = { put: '+', remove: '-', clear: '!', fill: '*', rotate: '~' };

/**
 * Returns what a link to this playground has.
 * @param {Playground} playground
 */
export function toLink({ settings, operations }) {
  const parameters = new URLSearchParams({
    type: settings.type,
    m: String(settings.bits),
    k: String(settings.hashes),
  });
  if (settings.form !== 'text') {
    parameters.set('keys', settings.form);
  }
  for (const operation of operations) {
    const { op } = operation;
    const text = op === 'rotate' ? '' : op === 'fill' ? operation.count : operation.key;
    parameters.append('o', MARKS[op] + text);
  }
  return parameters;
}
