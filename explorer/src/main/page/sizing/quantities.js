/** Counts, sizes and probabilities as people type them, and as the command prints them. */
import { MAX_BITS } from '../core/placement.js';
import { javaFixed, roundedFpp, SizingError } from './numbers.js';

const NUMBER =
  /^((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)?(?:\.[0-9]+|(?<=[0-9]))(?:[eE][+-]?[0-9]{1,3})?)\s*([A-Za-z]*)$/;
const ONE_IN = /^1\s*(?:in|[/:])\s*(.+)$/i;

/** @type {Record<string, bigint>} */
const COUNT_UNITS = {
  '': 1n,
  k: 1_000n,
  m: 1_000_000n,
  g: 1_000_000_000n,
  b: 1_000_000_000n,
  thousand: 1_000n,
  million: 1_000_000n,
  billion: 1_000_000_000n,
};

/** @type {Record<string, bigint>} */
const SIZE_UNITS = {
  '': 1n,
  b: 1n,
  k: 1n << 10n,
  m: 1n << 20n,
  g: 1n << 30n,
  t: 1n << 40n,
  kib: 1n << 10n,
  mib: 1n << 20n,
  gib: 1n << 30n,
  tib: 1n << 40n,
  kb: 1_000n,
  mb: 1_000_000n,
  gb: 1_000_000_000n,
  tb: 1_000_000_000_000n,
};

/** The most keys that this page computes with: beyond, a double is not exact. */
const MAX_KEYS = Number.MAX_SAFE_INTEGER;

/** The most bytes of a filter. */
const MAX_BYTES = MAX_BITS / 8;

/**
 * Returns a number of keys, such as `1,000,000`, `10M`, `1 billion` or `1e9`.
 * @param {string} text
 */
export function parseCount(text) {
  return whole(
    text,
    COUNT_UNITS,
    MAX_KEYS,
    'a whole number of at least 1, such as 1,000,000, 10M or 1e9',
  );
}

/**
 * Returns a number of bytes, such as `64MiB` or `2G`.
 * @param {string} text
 */
export function parseSize(text) {
  return whole(
    text,
    SIZE_UNITS,
    MAX_BYTES,
    `a size from 1 to ${MAX_BYTES} bytes, such as 64KiB or 1.5G`,
  );
}

/**
 * Returns a number of hashes.
 * @param {string} text
 */
export function parseHashes(text) {
  return whole(text, { '': 1n }, 32, 'a whole number from 1 to 32');
}

/**
 * Returns a number between 0 and 1, such as `0.01`, `1e-6`, `1 %` or `1 in 1000`.
 * @param {string} text
 */
export function parseProbability(text) {
  const trimmed = text.trim();
  const oneIn = ONE_IN.exec(trimmed);
  const percent = /\s*%$/.exec(trimmed);
  const match = NUMBER.exec(percent ? trimmed.slice(0, percent.index) : trimmed);
  let value = Number.NaN;
  if (oneIn) {
    value = 1 / parseCount(oneIn[1]);
  } else if (match && match[2] === '' && !/[_,]/.test(match[1])) {
    // the exponent is moved, because a division would round
    value = Number(percent ? percentage(match[1]) : match[1]);
  }
  if (!(value > 0 && value < 1)) {
    throw new SizingError(
      `expected a probability between 0 and 1, such as 0.01, 1e-6, 1 % or 1 in 1000, got '${text}'`,
    );
  }
  return value;
}

/** @param {string} decimal */
function percentage(decimal) {
  const [mantissa, exponent = '0'] = decimal.toLowerCase().split('e');
  return `${mantissa}e${Number(exponent) - 2}`;
}

/**
 * @param {string} text
 * @param {Record<string, bigint>} units
 * @param {number} most
 * @param {string} expected
 */
function whole(text, units, most, expected) {
  const match = NUMBER.exec(text.trim());
  const unit = match ? units[match[2].toLowerCase()] : undefined;
  const value = match && unit !== undefined ? exact(match[1].replaceAll(/[_,]/g, ''), unit) : null;
  if (value === null || value < 1n || value > BigInt(most)) {
    throw new SizingError(`expected ${expected}, got '${text}'`);
  }
  return Number(value);
}

/**
 * Returns a decimal number times a unit if that is whole, else null.
 * @param {string} decimal
 * @param {bigint} unit
 */
function exact(decimal, unit) {
  const [mantissa, exponent = '0'] = decimal.toLowerCase().split('e');
  const [integer, fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(integer + fraction) * unit;
  if (power >= 0) {
    return power > 40 ? null : digits * 10n ** BigInt(power);
  }
  const divisor = 10n ** BigInt(-power);
  return digits % divisor === 0n ? digits / divisor : null;
}

/**
 * Returns a number to three digits, such as `0.0123`, `9.8e-7` or `12345`.
 * @param {number} value at least 0
 */
export function formatNumber(value) {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : 'Infinity';
  }
  if (value >= 1000) {
    const below = Math.floor(value);
    const half = value - below === 0.5;
    return BigInt(half ? below + (below % 2) : Math.round(value)).toString();
  }
  return roundedFpp(value);
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/**
 * Returns a number of bytes in decimal units, such as `2.396 GB`.
 * @param {number} bytes
 * @param {number} [decimals]
 */
export function formatBytes(bytes, decimals = 3) {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${javaFixed(value, unit === 0 ? 0 : decimals)} ${UNITS[unit]}`;
}

/**
 * Returns the cells of a row of `tamis size`: bits per key, size, bytes, keys, k and fpp.
 * @param {import('./sizers.js').Row} row
 */
export function rowCells(row) {
  const bytes = Math.ceil(row.bits / 8);
  return [
    row.type,
    row.layout,
    javaFixed(row.bits / row.keys, 2),
    formatBytes(bytes),
    String(BigInt(bytes)),
    String(row.keys),
    row.hashes === null ? '-' : String(row.hashes),
    formatNumber(row.fpp),
  ];
}
