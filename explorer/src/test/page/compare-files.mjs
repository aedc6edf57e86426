/**
 * Prints what `tamis info` says of each file on standard input, for a test in Java. A file is its
 * length in four bytes, little-endian, and then its bytes; what is said is a line of JSON.
 */
import { readFileSync } from 'node:fs';
import { Bytes } from '../../main/page/format/bytes.js';
import { openFile } from '../../main/page/format/open.js';

const input = readFileSync(0);
const now = BigInt(Date.now()) * 1_000_000n;
for (let at = 0; at < input.length;) {
  const size = input.readUInt32LE(at);
  const file = new Blob([input.subarray(at + 4, at + 4 + size)]);
  at += 4 + size;
  try {
    const { facts } = await openFile(await Bytes.of(file), { secret: null, now });
    console.log(facts.map(([name, text]) => `${name} ${text}`).join('|'));
  } catch (e) {
    console.log(e instanceof Error && e.constructor === Error ? String(e.stack) : e.message);
  }
}
