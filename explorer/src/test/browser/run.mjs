/**
 * Tests the page in Chromium, if there is one.
 *
 * `node src/test/browser/run.mjs [URL]`: the URL is that of `tamis explore v1-split.tamis`; without
 * it what only the server does is left out. With SCREENSHOTS=1 it also makes those of the documents.
 */
import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const browser = CANDIDATES.find((path) => path && existsSync(path));
if (browser) {
  process.env.CHROMIUM = browser;
  await import('./page.js');
  await import('./play.js');
} else {
  console.log('no browser');
}
