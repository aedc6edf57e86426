import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../../main/page/text/en.js';
import { ja } from '../../main/page/text/ja.js';
import { zh } from '../../main/page/text/zh.js';

const PAGE = new URL('../../main/page/', import.meta.url);

test('every language has every text, with the same values in it', () => {
  for (const [name, texts] of Object.entries({ zh, ja })) {
    assert.deepEqual(Object.keys(texts), Object.keys(en), name);
    for (const id of Object.keys(en)) {
      assert.deepEqual(placeholders(texts[id]), placeholders(en[id]), `${name}: ${id}`);
      assert.ok(texts[id].trim() !== '', `${name}: ${id}`);
    }
  }
});

test('no text is left in English', () => {
  for (const [name, texts] of Object.entries({ zh, ja })) {
    const same = Object.keys(en).filter((id) => texts[id] === en[id]);
    assert.deepEqual(
      same.filter((id) => !['type.fuse', 'type.ribbon', 'size.column.hashes'].includes(id)),
      [],
      name,
    );
  }
});

test('every text that the page asks for exists', () => {
  const asked = sources().flatMap((source) =>
    [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, id]) => id),
  );
  assert.ok(asked.length > 80);
  assert.deepEqual(
    asked.filter((id) => !(id in en)),
    [],
  );
});

test('nothing turns text into HTML', () => {
  const risky =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser/;
  assert.deepEqual(
    sources().filter((source) => risky.test(source)),
    [],
  );
});

function placeholders(text) {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
}

function sources() {
  return readdirSync(PAGE, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js') && !name.startsWith('text/'))
    .map((name) => readFileSync(new URL(name, PAGE), 'utf8'));
}
