import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytesOfText } from '../../main/page/core/hashes.js';
import { RESULT } from '../../main/page/core/u64.js';
import { Bytes } from '../../main/page/format/bytes.js';
import { compare, openFile } from '../../main/page/format/open.js';

const GOLDEN = new URL('../../../../core/src/test/resources/golden/', import.meta.url);

async function open(content) {
  return openFile(await Bytes.of(new Blob([content])), { secret: null, now: 0n });
}

const [golden, foreign] = [GOLDEN, new URL('../interop/', GOLDEN)].map((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tamis') && !/count-min|distinct/.test(name))
    .map((name) => [name, readFileSync(new URL(name, folder))]),
);

test('every golden file is read, and its keys are in it', async () => {
  for (const [name, content] of golden) {
    const { hash, mightContain } = await open(content);
    for (let i = 0; i < 100; i++) {
      hash.hash(bytesOfText(`key-${i}`));
      assert.ok(mightContain(...RESULT), `${name}: key-${i}`);
    }
  }
});

test('every truncation and every flipped bit is refused', async () => {
  for (const [name, content] of golden) {
    for (let i = 0; i < content.length; i += 1) {
      const flipped = Buffer.from(content);
      flipped[i] ^= 1 << (i % 8);
      await assert.rejects(open(flipped), /not a valid|needs the secret key/, `${name} at ${i}`);
      await assert.rejects(open(content.subarray(0, i)), /not a valid/, `${name} cut at ${i}`);
    }
    await assert.rejects(
      open(Buffer.concat([content, Buffer.of(0)])),
      /no more bytes, got more/,
      name,
    );
  }
});

test('compares two filters, and names what differs', async () => {
  const one = await open(golden.find(([name]) => name === 'v1-split.tamis')[1]);
  const other = await open(golden.find(([name]) => name === 'v1-classic.tamis')[1]);
  assert.equal(Math.round(compare(one, one).overlap?.intersection.value ?? 0), 100);
  assert.match(compare(one, other).problem ?? '', /layout differs: split and classic/);
  const fuse = await open(golden.find(([name]) => name === 'v1-fuse.tamis')[1]);
  assert.match(
    compare(one, fuse).problem ?? '',
    /must be bloom or counting to be compared, got fuse/,
  );
});

test('names the program of a wrapped filter, and the kind of a sketch', async () => {
  for (const [name, content] of foreign) {
    const program = /^v1-(\w+)/.exec(name)[1];
    await assert.rejects(open(content), {
      message: `is a filter of ${program}; see tamis info, or tamis convert --from tamis --to ${program}`,
    });
  }
  for (const kind of ['count-min', 'distinct']) {
    await assert.rejects(open(readFileSync(new URL(`v1-${kind}.tamis`, GOLDEN))), {
      message: `is a sketch of kind ${kind}, not a filter; see tamis info`,
    });
  }
});

test('reads across the borders of its segments', async () => {
  const content = new Uint8Array((1 << 24) + 100).map((_, i) => i * 7);
  const bytes = await Bytes.of(new Blob([content]));
  for (const at of [0, (1 << 24) - 9, (1 << 24) - 1, 1 << 24]) {
    assert.deepEqual(bytes.copy(at, 20), content.slice(at, at + 20));
  }
});
