/** A browser, pages in it that report every complaint, and files to open. */
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { crc32c, keyId } from '../../main/page/core/hashes.js';

const BUILT = new URL('../../main/resources/dev/tamis/explorer/index.html', import.meta.url);
const GOLDEN = new URL('../../../../core/src/test/resources/golden/', import.meta.url);

/** Where the page is on disk. */
export const FILE = fileURLToPath(BUILT);

/** The page as it is opened from disk. */
export const FILE_URL = BUILT.href;

/** The page as the server shows it, with v1-split.tamis; empty where no server runs. */
export const SERVED_URL = process.argv[2] ?? '';

/** Nothing that is waited for takes as long, however busy the machine. */
export const TIMEOUT = 60_000;

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox'],
});

after(() => browser.close());

/**
 * Opens the page and waits until it is there.
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function open(url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  return { page, complaints, requests, close: () => context.close() };
}

/** @param {string} name */
export function golden(name) {
  return readFileSync(new URL(name, GOLDEN));
}

/** @param {string} name */
export function goldenPath(name) {
  return fileURLToPath(new URL(name, GOLDEN));
}

/** Returns a golden file as if its keys were hashed with a secret key. */
export async function keyedFile(/** @type {Uint8Array} */ secret) {
  const file = Buffer.from(golden('v1-classic.tamis'));
  file.writeUInt16LE(2, 24);
  file.writeBigUInt64LE(await keyId(secret), 40);
  for (const at of [124, file.length - 4]) {
    const crc = await crc32c();
    file.writeUInt32LE(Number.parseInt(crc.init().update(file.subarray(0, at)).digest(), 16), at);
  }
  return file;
}
