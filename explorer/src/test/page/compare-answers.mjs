/**
 * Prints the answers of the files in a folder for the keys in it, for a test in Java: one line for
 * each file by number, with 1 or 0 for each key.
 *
 * `node compare-answers.mjs FOLDER SECRET NANOS [FORM]`: keys are in `keys`, each after its length in
 * four bytes, little-endian; the files are `0.tamis`, `1.tamis` and so on. With a form the keys are
 * text as a reader types it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { bytesOfKey } from '../../main/page/core/keys.js';
import { RESULT } from '../../main/page/core/u64.js';
import { Bytes } from '../../main/page/format/bytes.js';
import { openFile } from '../../main/page/format/open.js';

const [folder, secret, nanos, form] = process.argv.slice(2);
const packed = readFileSync(`${folder}/keys`);
const keys = [];
for (let at = 0; at < packed.length;) {
  const size = packed.readUInt32LE(at);
  const key = packed.subarray(at + 4, at + 4 + size);
  keys.push(form ? bytesOfKey(key.toString(), form) : key);
  at += 4 + size;
}
const reading = { secret: Uint8Array.from(Buffer.from(secret, 'hex')), now: BigInt(nanos) };
for (let i = 0; existsSync(`${folder}/${i}.tamis`); i++) {
  const bytes = await Bytes.of(new Blob([readFileSync(`${folder}/${i}.tamis`)]));
  const { hash, mightContain } = await openFile(bytes, reading);
  const answers = keys.map((key) => {
    hash.hash(key);
    return Number(mightContain(...RESULT));
  });
  console.log(answers.join(' '));
}
