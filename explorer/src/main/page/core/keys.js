/** Keys as people type them, and the bytes that are hashed. */
import { bytesOfText } from './hashes.js';

/** @typedef {'text' | 'hex' | 'i64' | 'i32'} KeyForm */

/** @type {KeyForm[]} */
export const KEY_FORMS = ['text', 'hex', 'i64', 'i32'];

/** The bits of the numbers that are keys. */
const WIDTHS = { i64: 64, i32: 32 };

/** Text that is no key of its form. */
export class BadKey extends Error {
  /**
   * @param {KeyForm} form
   * @param {string} text
   */
  constructor(form, text) {
    super(`'${text}' is no key of the form ${form}`);
    this.form = form;
    this.text = text;
  }
}

/**
 * Returns a key in the one way to write it, so that the same bytes are the same text.
 * @param {string} text
 * @param {KeyForm} form
 */
export function canonicalKey(text, form) {
  if (form === 'text') {
    return text;
  }
  const trimmed = text.trim();
  if (form === 'hex') {
    const digits = trimmed.replace(/^0x/i, '').replace(/\s/g, '').toLowerCase();
    if (!/^([0-9a-f]{2})*$/.test(digits)) {
      throw new BadKey(form, text);
    }
    return digits;
  }
  // a double would round what is beyond 2^53
  const value = /^[-+]?[0-9]{1,20}$/.test(trimmed) ? BigInt(trimmed.replace('+', '')) : null;
  if (value === null || BigInt.asIntN(WIDTHS[form], value) !== value) {
    throw new BadKey(form, text);
  }
  return String(value);
}

/**
 * Returns the bytes of a key, as docs/format.md has them for its form.
 * @param {string} text
 * @param {KeyForm} form
 */
export function bytesOfKey(text, form) {
  const key = canonicalKey(text, form);
  if (form === 'text') {
    return bytesOfText(key);
  }
  if (form === 'hex') {
    return Uint8Array.from({ length: key.length / 2 }, (_, i) =>
      Number.parseInt(key.slice(2 * i, 2 * i + 2), 16),
    );
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(key), true);
  return bytes.subarray(0, WIDTHS[form] / 8);
}
