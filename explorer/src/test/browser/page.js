/** What the page promises, tested as a user meets it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { FILE, FILE_URL, golden, goldenPath, keyedFile, open, SERVED_URL } from './harness.js';

const TABS = ['learn', 'play', 'size', 'measure', 'open'];
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

test('opened from disk it asks for nothing and complains of nothing', async () => {
  const { page, complaints, requests, close } = await open(FILE_URL);
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    await page.waitForSelector(`#panel-${tab}:not([hidden])`);
  }
  await page.click('#tab-size');
  await page.waitForSelector('.size table');
  await page.waitForSelector('.size .uplot canvas');
  assert.deepEqual(complaints, []);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith('blob:')),
    [FILE_URL],
  );
  await close();
});

test('is one file of at most 300 kB, and painted soon', async () => {
  assert.ok(statSync(FILE).size <= 300_000);
  const { page, close } = await open(SERVED_URL || FILE_URL);
  const paint = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({
          type: 'paint',
          buffered: true,
        });
      }),
  );
  console.log(`# first paint after ${Math.round(paint)} ms`);
  assert.ok(paint < 10_000); // half a second on a machine that is not busy
  await close();
});

test(
  'served by tamis explore it opens the file of the command',
  {
    skip: !SERVED_URL,
  },
  async () => {
    const { page, complaints, requests, close } = await open(SERVED_URL);
    await page.waitForSelector('text=v1-split.tamis is sound');
    assert.match(await page.innerText('#panel-open table'), /checksum\s+8bd5edc0/);
    const paths = requests
      .filter((url) => url.startsWith('http'))
      .map((url) => new URL(url).pathname);
    const root = new URL(SERVED_URL).pathname;
    assert.deepEqual(paths, [root, `${root}filter`]);
    assert.deepEqual(complaints, []);
    await close();
  },
);

test('play: puts, queries, names the keys a false positive is owed to, and undoes', async () => {
  const { page, complaints, close } = await open(`${FILE_URL}#play?type=classic&m=64&k=3`);
  const panel = page.locator('#panel-play');
  await panel.getByLabel('Key to put').fill('apple');
  await panel.getByRole('button', { name: 'Put', exact: true }).click();
  await panel.getByLabel('Key to query').fill('apple');
  await panel.getByRole('button', { name: 'Query', exact: true }).click();
  await panel.getByText('“apple” may be in the filter, and it is.').waitFor();
  assert.match(await panel.locator('.steps').innerText(), /XXH3 hash:\s+[0-9a-f]{16}/);
  await panel.getByLabel('Key to put').fill('pear');
  await page.keyboard.press('Enter');
  await panel.getByLabel('Speed').selectOption({ label: 'all at once' });
  await panel.getByRole('button', { name: 'Fill to capacity' }).click();
  await page.waitForFunction(() =>
    /^9 \/ 9/.test(document.querySelector('#panel-play dd').textContent),
  );
  await panel.getByRole('button', { name: 'Find a false positive' }).click();
  const answer = panel.locator('.answer');
  await answer.getByText('False positive').waitFor();
  assert.match(await answer.innerText(), /Keys that set these bits: .*(key-\d|apple|pear)/s);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() =>
    /^2 \/ 9/.test(document.querySelector('#panel-play dd').textContent),
  );
  assert.deepEqual(complaints, []);
  await close();
});

test('play: a link reproduces what it shows', async () => {
  const { page, close } = await open(`${FILE_URL}#play?type=counting&m=128&k=4`);
  const panel = page.locator('#panel-play');
  for (const key of ['a&b=c#d', '漢字', '']) {
    await panel.getByLabel('Key to put').fill(key);
    await page.keyboard.press('Enter');
  }
  await panel.getByLabel('Key to query').fill('漢字');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('q='));
  const figures = await panel.locator('.figures').innerText();
  const picture = await picturesOf(page);
  const again = await open(page.url());
  assert.equal(await again.page.locator('#panel-play .figures').innerText(), figures);
  assert.equal(await picturesOf(again.page), picture);
  await again.close();
  await close();
});

/** @param {import('playwright-core').Page} page */
function picturesOf(page) {
  return page.evaluate(() => document.querySelector('#panel-play canvas').toDataURL());
}

test('play: puts numbers of 64 bits, and says what is none', async () => {
  const { page, close } = await open(`${FILE_URL}#play?type=classic&m=256&k=4&o=%2Bapple&o=%2B17`);
  const panel = page.locator('#panel-play');
  await panel.getByLabel('Keys are').selectOption({ label: 'whole numbers of 64 bits' });
  await page.waitForURL(/#play\?type=classic&m=256&k=4&keys=i64&o=%2B17$/);
  const put = panel.getByLabel('Key to put');
  await put.fill('9223372036854775808');
  await page.keyboard.press('Enter');
  await panel.getByText('“9223372036854775808” is not a whole number of 64 bits.').waitFor();
  assert.equal(await put.getAttribute('aria-invalid'), 'true');
  await put.fill('-9007199254740993');
  await page.keyboard.press('Enter');
  await panel.getByText('Its 8 bytes, the lowest first: ff ff ff ff ff ff df ff').waitFor();
  assert.equal(await put.getAttribute('aria-invalid'), 'false');
  const query = async (key, answer) => {
    await panel.getByLabel('Key to query').fill(key);
    await page.keyboard.press('Enter');
    await panel.getByText(answer).waitFor();
  };
  await query('-9007199254740992', '“-9007199254740992” is certainly not in the filter');
  await query('017', '“17” may be in the filter, and it is.');
  await close();
});

test('play: opens with example keys, and draws the way of one to its bits', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const { page, close } = await open(`${FILE_URL}#play`, { reducedMotion });
    const panel = page.locator('#panel-play');
    await panel.getByText('“apple” may be in the filter, and it is.').waitFor();
    assert.match(await panel.locator('.trace').innerHTML(), /apple → XXH3 →.*[0-9a-f]{16}/);
    assert.equal(await panel.locator('.trace .line.hit').count(), 4);
    const moves = () => page.evaluate(() => document.getAnimations().length > 0);
    await panel.getByLabel('Key to query').fill('pear');
    await page.keyboard.press('Enter');
    assert.equal(await moves(), reducedMotion === 'no-preference');
    await panel.getByText('“pear” is certainly not in the filter.').waitFor();
    assert.ok((await panel.locator('.trace .line.miss').count()) > 0);
    await close();
  }
});

test('play: a number of hashes that cannot be is refused as in Size', async () => {
  const { page, close } = await open(`${FILE_URL}#play?type=split&m=1024&k=8&o=*9`);
  const panel = page.locator('#panel-play');
  const hashes = panel.getByLabel('Hashes (k)');
  for (const [text, problem] of [
    ['99', "expected a whole number from 1 to 32, got '99'"],
    ['', "expected a whole number from 1 to 32, got ''"],
    ['9', 'hashes of layout split must be'],
  ]) {
    await hashes.fill(text);
    await page.keyboard.press('Enter');
    await panel.getByText(problem).waitFor();
    assert.equal(await hashes.getAttribute('aria-invalid'), 'true');
    assert.match(page.url(), /k=8&o=\*9$/);
  }
  await hashes.fill('16');
  await page.keyboard.press('Enter');
  await page.waitForURL(/k=16&o=\*9$/);
  assert.equal(await hashes.getAttribute('aria-invalid'), 'false');
  await page.goto(`${FILE_URL}#size?n=1000&m=64KiB&k=99`);
  await page.getByText("expected a whole number from 1 to 32, got '99'").last().waitFor();
  await close();
});

test('play: a windowed filter forgets while the reader watches', async () => {
  const { page, close } = await open(`${FILE_URL}#learn?step=window`);
  const panel = page.locator('#panel-learn');
  const rotate = panel.getByRole('button', { name: 'Begin a generation' });
  for (let age = 2; age < 8; age++) {
    await panel.getByText('“apple” may be in the filter, and it is.').waitFor();
    await rotate.click();
  }
  await panel.getByText('“apple” is certainly not in the filter.').waitFor();
  await close();
});

test('play: pointing at a bit tells its owners', async () => {
  const { page, close } = await open(`${FILE_URL}#play?type=classic&m=64&k=3&o=%2Bapple`);
  const canvas = page.locator('#panel-play canvas');
  const box = await canvas.boundingBox();
  const columns = Number(await page.locator('#panel-play .bits').getAttribute('data-columns'));
  const size = box.width / columns;
  const point = (cell) =>
    canvas.hover({
      position: {
        x: ((cell % columns) + 0.5) * size,
        y: (Math.floor(cell / columns) + 0.5) * size,
      },
    });
  // 44, 47 and 60 are the bits of “apple”
  await point(44);
  await page.getByText('Cell 44: 1, set by apple.').waitFor();
  await point(45);
  await page.getByText('Cell 45: not set.').waitFor();
  await close();
});

test('play: stays smooth while it fills 4,096 bits', async () => {
  const { page, close } = await open(`${FILE_URL}#play?type=classic&m=4096&k=4`);
  await page.getByLabel('Speed').last().selectOption({ label: '100 per second' });
  await page.locator('#panel-play').getByRole('button', { name: 'Fill to capacity' }).click();
  const frames = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const step = (now) => {
          times.push(now);
          if (times.length === 120) {
            resolve(times);
          } else {
            requestAnimationFrame(step);
          }
        };
        requestAnimationFrame(step);
      }),
  );
  const gaps = frames
    .slice(1)
    .map((now, i) => now - frames[i])
    .sort((a, b) => a - b);
  const median = gaps[Math.floor(gaps.length / 2)];
  console.log(`# filling 4,096 bits: a frame takes ${median.toFixed(1)} ms in the median`);
  assert.ok(median < 200);
  await close();
});

test('size: has the figures of the command, in a link too', async () => {
  const { page, close } = await open(`${FILE_URL}#size?n=1e9&p=1+in+10k&now=1.2G`);
  await page.waitForSelector('.size table');
  const text = await page.innerText('.size table');
  assert.match(
    text,
    /classic formula\s+-\s+19\.17\s+2\.396 GB\s+2,396,264,595\s+1,000,000,000\s+-\s+0\.0001/,
  );
  assert.match(text, /ribbon\s+-\s+13\.38\s+1\.673 GB\s+1,672,999,212/);
  await page.getByLabel('Keys (n)').fill('');
  await page.getByLabel('Memory (m)').fill('64MiB');
  await page.waitForFunction(() => location.hash === '#size?p=1+in+10k&m=64MiB&now=1.2G');
  await page.waitForFunction(() =>
    /blocked\s*split.*67\.109 MB/s.test(document.querySelector('.size table').innerText),
  );
  await page.getByLabel('Keys (n)').fill('ten');
  await page
    .getByText("expected a whole number of at least 1, such as 1,000,000, 10M or 1e9, got 'ten'")
    .waitFor();
  assert.equal(await page.getByLabel('Keys (n)').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Keys (n)').fill('1M');
  await page.getByText('Give only two of').waitFor();
  await close();
});

test('measure: runs, stays responsive and stops at once', async () => {
  const { page, complaints, close } = await open(`${FILE_URL}#measure?n=1000&p=0.05`);
  const panel = page.locator('#panel-measure');
  await panel.getByRole('button', { name: 'Measure' }).click();
  await panel.getByText('Done.').waitFor();
  assert.equal(await panel.getByText(/within|outside/).count(), 4);
  await panel.getByLabel('Keys').selectOption('10000000');
  await page.evaluate(() => {
    window.ticks = 0;
    setInterval(() => window.ticks++, 20);
  });
  await panel.getByRole('button', { name: 'Measure' }).click();
  await page.waitForFunction(() => document.querySelector('.measure progress')?.value > 500_000);
  assert.ok((await page.evaluate(() => window.ticks)) > 3);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByText('Stopped.').waitFor({ timeout: 5_000 });
  const value = await page.evaluate(() => document.querySelector('.measure progress').value);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => document.querySelector('.measure progress').value), value);
  assert.deepEqual(complaints, []);
  await close();
});

test('open: every golden file', async () => {
  const { page, complaints, close } = await open(`${FILE_URL}#open`);
  const sketches = /count-min|distinct/;
  for (const name of readdirSync(goldenPath('')).filter((file) => !sketches.test(file))) {
    await page.setInputFiles('#open-first', goldenPath(name));
    await page.getByText(`${name} is sound`).waitFor();
    assert.match(await page.innerText('#panel-open table'), /checksum\s+[0-9a-f]{8}/);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('open: queries text, bytes and numbers, and compares two files', async () => {
  const { page, close } = await open(`${FILE_URL}#open`);
  await page.setInputFiles('#open-first', goldenPath('v1-split.tamis'));
  await page.getByText('v1-split.tamis is sound').waitFor();
  const ask = async (form, keys) => {
    await page.getByLabel('The lines are').selectOption(form);
    await page.locator('#open-keys').fill(keys);
    await page.locator('#panel-open').getByRole('button', { name: 'Query' }).click();
  };
  await ask('text', 'key-7\nnobody');
  await page.getByText('certainly not in it').waitFor();
  assert.match(
    await page.innerText('#panel-open .answers table'),
    /key-7\s+✓ may be in it.*nobody\s+✗ certainly not/s,
  );
  await ask('hex', '6b 65 79 2d 37');
  await page.waitForFunction(() =>
    /6b 65.*✓ may be in it/s.test(document.querySelector('#panel-open .answers table').innerText),
  );
  await ask('i64', '-9223372036854775809');
  await page.getByText('is not a whole number of 64 bits').waitFor();
  await page.setInputFiles('#open-second', goldenPath('v1-split.tamis'));
  await page.getByText('Jaccard index').waitFor();
  await page.setInputFiles('#open-second', goldenPath('v1-line.tamis'));
  await page.getByText('cannot be compared: layout differs: split and line').waitFor();
  await close();
});

test('open: refuses damage in the words of tamis info', async () => {
  const { page, close } = await open(`${FILE_URL}#open`);
  const file = golden('v1-split.tamis');
  const damaged = Buffer.from(file);
  damaged[200] ^= 1;
  const give = (name, buffer) =>
    page.setInputFiles('#open-first', { name, mimeType: 'application/octet-stream', buffer });
  await give('flipped.tamis', damaged);
  await page
    .getByText(
      /flipped\.tamis: not a valid filter: checksum at byte 256: expected [0-9a-f]+, got 8bd5edc0/,
    )
    .waitFor();
  await give('cut.tamis', file.subarray(0, 200));
  await page
    .getByText('cut.tamis: not a valid filter: payload at byte 200: unexpected end of input')
    .waitFor();
  await page.setInputFiles('#open-first', goldenPath('../interop/guava-33.8.0.bin'));
  await page
    .getByText(
      'guava-33.8.0.bin: is not a Tamis filter; it looks like a Guava filter. Try: tamis convert',
    )
    .waitFor();
  await give('text', Buffer.from('x'.repeat(300)));
  await page.getByText('text: not a valid filter: magic at byte 0').waitFor();
  await give('empty', Buffer.alloc(0));
  await page
    .getByText('empty: not a valid filter: header at byte 0: unexpected end of input')
    .waitFor();
  await close();
});

test('open: asks for a secret key, and keeps it nowhere', async () => {
  const secret = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
  const digits = Buffer.from(secret).toString('hex');
  const { page, close } = await open(`${FILE_URL}#open`);
  await page.setInputFiles('#open-first', {
    name: 'keyed.tamis',
    mimeType: 'application/octet-stream',
    buffer: await keyedFile(secret),
  });
  await page.getByText('hashed with a secret key of id').waitFor();
  const use = async (text) => {
    await page.locator('#secret-first').fill(text);
    await page.getByRole('button', { name: 'Use this key' }).click();
  };
  await use('00'.repeat(16));
  await page.getByText('that is not the key of id').waitFor();
  await use(digits);
  await page.getByText('keyed.tamis is sound').waitFor();
  await page.waitForFunction(() => document.getElementById('secret-first').value === '');
  const kept = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      location.href,
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
    ].join(),
  );
  assert.ok(!kept.includes(digits));
  await close();
});

test('hostile keys, links and file names are text', async () => {
  const parameters = new URLSearchParams({
    type: 'classic',
    m: '64',
    k: '3',
    o: `+${HOSTILE}`,
    q: HOSTILE,
  });
  const { page, complaints, close } = await open(`${FILE_URL}#play?${parameters}`);
  await page.locator('.verdict', { hasText: HOSTILE }).first().waitFor();
  await page.goto(`${FILE_URL}#open?served=${encodeURIComponent(HOSTILE)}`);
  await page.locator('[role=status]', { hasText: HOSTILE }).first().waitFor();
  await page.setInputFiles('#open-first', {
    name: `${HOSTILE.replaceAll('/', '')}.tamis`,
    mimeType: 'x/y',
    buffer: golden('v1-split.tamis'),
  });
  await page.getByText('.tamis is sound').waitFor();
  await page.locator('#open-keys').fill(HOSTILE);
  await page.locator('#panel-open').getByRole('button', { name: 'Query' }).click();
  await page.locator('.keys', { hasText: HOSTILE }).first().waitFor();
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(
    complaints.filter((text) => !/ERR_FAILED|fetch at 'file/.test(text)),
    [],
  );
  await close();
});

test('its policy stops scripts, styles and requests that are not its own', async () => {
  const { page, close } = await open(FILE_URL);
  const blocked = await page.evaluate(async () => {
    const found = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      found.push(event.effectiveDirective),
    );
    const attempt = async (action) => {
      try {
        await action();
      } catch {
        // what counts is the violation
      }
    };
    await attempt(() => {
      document.body.innerHTML += '<b>';
    });
    await attempt(() => {
      const script = document.createElement('script');
      script.append('window.hacked = 1');
      document.body.append(script);
    });
    await attempt(() => {
      const style = document.createElement('style');
      style.append('body { display: none }');
      document.head.append(style);
    });
    await attempt(() => {
      const image = document.createElement('img');
      image.src = 'https://example.org/x.png';
      document.body.append(image);
    });
    await attempt(() => fetch('https://example.org/'));
    await attempt(() => new Worker('data:text/javascript,0'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return found;
  });
  for (const directive of [
    'require-trusted-types-for',
    'style-src-elem',
    'img-src',
    'connect-src',
  ]) {
    assert.ok(blocked.includes(directive), `${directive} of ${blocked}`);
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await close();
});

test('works with the keyboard alone', async () => {
  const { page, close } = await open(FILE_URL);
  const press = (...keys) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
  await press('Tab');
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /Skip/);
  await press('Tab', 'Tab', 'Tab');
  assert.equal(await focused(), 'tab-learn');
  await press('ArrowRight');
  assert.equal(await focused(), 'tab-play');
  assert.ok(await page.isVisible('#panel-play'));
  await press('End');
  assert.equal(await focused(), 'tab-open');
  await press('ArrowRight', 'ArrowRight');
  assert.equal(await focused(), 'tab-play');
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await page.keyboard.type('grape');
  await press('Enter');
  await page.waitForFunction(() =>
    /^4 \//.test(document.querySelector('#panel-play dd').textContent),
  );
  for (
    let i = 0;
    i < 20 &&
    (await page.evaluate(() => document.activeElement?.getAttribute('role'))) !== 'application';
    i++
  ) {
    await press('Tab');
  }
  await press('ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'End', 'Home');
  await page.getByText(/^Cell 0: /).waitFor();
  await close();
});

test('has no violation that axe finds, in any tab, language or colour scheme', async () => {
  for (const [colorScheme, locale] of [
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'zh-CN'],
    ['dark', 'ja'],
  ]) {
    const { page, close } = await open(`${FILE_URL}#play?m=64&o=*9&q=key-1`, {
      bypassCSP: true,
      colorScheme,
      locale,
    });
    await page.evaluate(AXE);
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      if (tab === 'open') {
        await page.setInputFiles('#open-first', goldenPath('v1-split.tamis'));
        await page.waitForSelector('#panel-open table');
      }
      if (tab === 'size') {
        await page.waitForSelector('.size .uplot canvas');
      }
      const violations = await page.evaluate(async () => {
        const results = await window.axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        });
        return results.violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
              .slice(0, 3)
              .join(' | ')}`,
        );
      });
      assert.deepEqual(violations, [], `${tab}, ${colorScheme}, ${locale}`);
    }
    await close();
  }
});

test('speaks Chinese and Japanese, and remembers the choice', async () => {
  const { page, complaints, close } = await open(FILE_URL, { locale: 'zh-CN' });
  assert.equal(await page.innerText('#tab-play'), '演示');
  await page.selectOption('#language', 'ja');
  await page.waitForFunction(() => document.documentElement.lang === 'ja');
  assert.equal(await page.innerText('#tab-play'), '試す');
  assert.equal(await page.title(), 'Tamis エクスプローラー');
  await page.reload();
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(await page.innerText('#tab-play'), '試す');
  assert.deepEqual(complaints, []);
  await close();
});

test('learn: each step has a link and a playground', async () => {
  const { page, close } = await open(`${FILE_URL}#learn?step=clearing`);
  const panel = page.locator('#panel-learn');
  await panel.getByRole('heading', { name: '4. Why nothing can be removed' }).waitFor();
  await panel.getByLabel('Key to put').fill('pear');
  await panel.getByRole('button', { name: 'Clear its bits' }).click();
  await panel.getByText('False negatives: 1').waitFor();
  await page.waitForURL(/#learn\?step=clearing&.*o=%21pear/);
  await panel.getByRole('button', { name: 'Next' }).click();
  await panel.getByRole('heading', { name: '5. Counting instead' }).waitFor();
  assert.match(page.url(), /#learn\?step=counting$/);
  await page.goBack();
  await panel.getByRole('heading', { name: '4. Why nothing can be removed' }).waitFor();
  await close();
});

test('play: on a phone the bits, the answer and the field for a key come first', async () => {
  const { page, close } = await open(`${FILE_URL}#play`, { viewport: { width: 390, height: 844 } });
  const panel = page.locator('#panel-play');
  const bottom = async (part) => {
    const { y, height } = await part.boundingBox();
    return y + height;
  };
  const canvas = await bottom(panel.locator('canvas'));
  const verdict = await bottom(panel.locator('.verdict'));
  const put = await bottom(panel.getByRole('button', { name: 'Put', exact: true }));
  assert.ok(canvas < verdict && verdict < put && put <= 844, `${canvas}, ${verdict}, ${put}`);
  await close();
});

test('fits a phone, without scrolling sideways', async () => {
  const { page, close } = await open(FILE_URL, { viewport: { width: 360, height: 740 } });
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    const [scroll, client] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(scroll <= client, `${tab}: ${scroll} of ${client}`);
  }
  await close();
});

test('a scheme that is chosen counts more than that of the system, which is followed', async () => {
  const { page, close } = await open(FILE_URL, { colorScheme: 'dark' });
  const becomes = (back) =>
    page.waitForFunction((c) => getComputedStyle(document.body).backgroundColor === c, back);
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(20, 24, 29)'];
  await becomes(dark);
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes(light);
  await page.selectOption('#theme', 'dark');
  await becomes(dark);
  await page.selectOption('#theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(await page.inputValue('#theme'), 'light');
  await becomes(light);
  await close();
});

test('prints charts, tables and answers in light colours, and nothing to click', async () => {
  const { page, close } = await open(`${FILE_URL}#size`, { colorScheme: 'dark' });
  const shown = (selector) => page.locator(`${selector} >> visible=true`).count();
  for (const [tab, content] of [
    ['learn', ['#panel-learn .prose', '#panel-learn canvas', '#panel-learn .figures']],
    [
      'play',
      [
        '#panel-play canvas',
        '#panel-play .figures',
        '#panel-play .verdict',
        '#panel-play .steps table',
      ],
    ],
    ['size', ['.size table', '.size .uplot canvas']],
    ['measure', ['.measure table']],
    ['open', ['.drop table', '.drop canvas', '.answers table']],
  ]) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${FILE_URL}#${tab}${tab === 'play' ? '?m=64&o=*9&q=key-1' : ''}`);
    if (tab === 'size') {
      await page.waitForSelector('.size .uplot canvas');
    } else if (tab === 'measure') {
      await page.getByLabel('Keys', { exact: true }).selectOption('1000');
      await page.locator('.measure').getByRole('button', { name: 'Measure' }).click();
      await page.getByText('Done.').waitFor();
    } else if (tab === 'open') {
      await page.setInputFiles('#open-first', goldenPath('v1-split.tamis'));
      await page.locator('#open-keys').fill('key-7');
      await page.locator('#panel-open').getByRole('button', { name: 'Query' }).click();
      await page.waitForSelector('.answers table');
    }
    assert.ok((await shown('button')) > 0);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await shown('button, input, select, textarea, label, summary, a'), 0, tab);
    for (const selector of content) {
      assert.ok((await shown(selector)) > 0, selector);
    }
    const colours = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
    assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(27, 31, 36)']);
    assert.ok((await page.pdf()).length > 10_000);
  }
  await close();
});

test('screenshots for the documents', { skip: !process.env.SCREENSHOTS }, async () => {
  const play = '#play?type=classic&m=256&k=4&o=%2Bapple&o=%2Bbanana&o=*20&q=plum';
  const phone = { viewport: { width: 390, height: 844 } };
  for (const [name, fragment, ready, options] of [
    ['learn', '#learn?step=window', 'canvas'],
    ['play', play, 'canvas'],
    ['play-dark', play, 'canvas', { colorScheme: 'dark' }],
    ['play-phone', play, 'canvas', phone],
    ['size', '#size?n=1e9&p=0.0001&now=800M', '.size .uplot canvas'],
    ['open', '#open', 'text=Jaccard index'],
  ]) {
    const wide = { viewport: { width: 1440, height: 900 } };
    const { page, close } = await open(FILE_URL + fragment, { ...wide, ...options });
    if (name === 'open') {
      await page.setInputFiles('#open-first', goldenPath('v1-split.tamis'));
      await page.setInputFiles('#open-second', goldenPath('v1-split.tamis'));
    }
    await page.locator(`${ready} >> visible=true`).first().waitFor();
    await page.waitForTimeout(1000); // until the lines have reached the bits
    const path = new URL(`../../../../docs/explorer/${name}.png`, import.meta.url).pathname;
    await page.screenshot({ path, fullPage: name !== 'play-phone' });
    await close();
  }
});
