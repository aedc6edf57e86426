/** The texts of the page in the language of the reader. */
import { en } from '../text/en.js';
import { ja } from '../text/ja.js';
import { zh } from '../text/zh.js';

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { en, zh, ja };

/** The language as its speakers call it. */
export const LANGUAGE_NAMES = { en: 'English', zh: '简体中文', ja: '日本語' };

let language = 'en';

/**
 * Returns the language of a tag such as `ja-JP` if there are texts in it, else English.
 * @param {string | null | undefined} tag
 */
export function knownLanguage(tag) {
  const primary = (tag ?? '').toLowerCase().split('-')[0];
  return primary in LANGUAGES ? primary : 'en';
}

/** @param {string} name of a language in `LANGUAGES` */
export function setLanguage(name) {
  language = name;
}

export function currentLanguage() {
  return language;
}

/**
 * Returns a text, with each `{name}` replaced.
 * @param {string} id
 * @param {Record<string, string | number>} [values]
 */
export function t(id, values = {}) {
  const text = LANGUAGES[language][id] ?? en[/** @type {keyof typeof en} */ (id)] ?? id;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Returns a whole number with separators of the language, or in short, such as `1.5B`.
 * @param {number | bigint} value
 * @param {'standard' | 'compact'} [notation]
 */
export function count(value, notation = 'standard') {
  return new Intl.NumberFormat(language, { notation }).format(value);
}
