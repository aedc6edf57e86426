/**
 * Makes the one file that the page is: src/main/resources/dev/tamis/explorer/index.html.
 *
 * `node build.mjs` writes it; `node build.mjs --check` only says whether it is what the sources make.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const PAGE = fileURLToPath(new URL('src/main/page/', import.meta.url));
const BUILT = fileURLToPath(
  new URL('src/main/resources/dev/tamis/explorer/index.html', import.meta.url),
);
const MODULES = fileURLToPath(new URL('node_modules/', import.meta.url));

/** The most bytes that the page may have. */
const MOST_BYTES = 300_000;

/** What is built in, with the file that has its licence. */
const VENDORED = { 'hash-wasm': 'LICENSE', uplot: 'LICENSE' };

const OPTIONS = {
  bundle: true,
  write: false,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  target: ['chrome105', 'firefox115', 'safari16.4'],
};

/** @param {esbuild.BuildOptions} options */
async function text(options) {
  const { outputFiles } = await esbuild.build({ ...OPTIONS, ...options });
  return outputFiles[0].text.trim();
}

/** @param {string} content */
function digest(content) {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

function licences() {
  return Object.entries(VENDORED)
    .map(([name, file]) => {
      const { version } = JSON.parse(readFileSync(`${MODULES}${name}/package.json`, 'utf8'));
      return `${name} ${version}\n\n${readFileSync(`${MODULES}${name}/${file}`, 'utf8').trim()}`;
    })
    .join('\n\n')
    .replaceAll('--', '- -');
}

async function page() {
  // a script ends at the first end tag, whatever it is part of
  const script = (await text({ entryPoints: [`${PAGE}main.js`], format: 'iife' })).replaceAll(
    '</script',
    '<\\/script',
  );
  const style = await text({
    stdin: {
      contents: "@import 'uplot/dist/uPlot.min.css'; @import './style.css';",
      loader: 'css',
      resolveDir: PAGE,
    },
  });
  const policy = [
    "default-src 'none'",
    `script-src ${digest(script)} 'wasm-unsafe-eval'`,
    `style-src ${digest(style)}`,
    'img-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types tamis',
  ].join('; ');
  const parts = { policy, licences: licences(), style, script };
  const template = readFileSync(`${PAGE}template.html`, 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

const built = await page();
const size = Buffer.byteLength(built);
if (size > MOST_BYTES) {
  console.error(`the page must have at most ${MOST_BYTES} bytes, got ${size}`);
  process.exit(1);
}
if (process.argv.includes('--check')) {
  if (readFileSync(BUILT, 'utf8') !== built) {
    console.error('index.html is not what the sources make: run npm run build in explorer');
    process.exit(1);
  }
} else {
  writeFileSync(BUILT, built);
}
console.log(`${size} bytes`);
