/** Prints what `tamis size` prints for each line of options on standard input, for a test in Java. */
import { readFileSync } from 'node:fs';
import {
  parseCount,
  parseHashes,
  parseProbability,
  parseSize,
  rowCells,
} from '../../main/page/sizing/quantities.js';
import { sizeRows } from '../../main/page/sizing/sizers.js';

const OPTIONS = {
  '-n': ['keys', parseCount],
  '-p': ['fpp', parseProbability],
  '-m': ['bytes', parseSize],
  '-k': ['hashes', parseHashes],
};

for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const request = { keys: null, fpp: null, bytes: null, hashes: null };
  const words = line.split(' ');
  for (let i = 0; i < words.length; i += 2) {
    const [name, parse] = OPTIONS[words[i]];
    request[name] = parse(words[i + 1]);
  }
  const { rows, problems } = sizeRows(request);
  console.log(`tamis size ${line}`);
  console.log([...rows.map((row) => rowCells(row).join(' ')), ...problems].join('\n'));
}
