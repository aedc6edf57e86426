/**
 * Prints what pairs of files in a folder have in common, for a test in Java: one line for each pair,
 * `0.tamis` and `1.tamis`, `2.tamis` and `3.tamis` and so on, with value, low and high of each estimate.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Bytes } from '../../main/page/format/bytes.js';
import { compare, openFile } from '../../main/page/format/open.js';

const [folder] = process.argv.slice(2);

async function open(i) {
  const bytes = await Bytes.of(new Blob([readFileSync(`${folder}/${i}.tamis`)]));
  return openFile(bytes, { secret: null, now: 0n });
}

for (let i = 0; existsSync(`${folder}/${i}.tamis`); i += 2) {
  const { overlap } = compare(await open(i), await open(i + 1));
  const { first, second, union, intersection, jaccard } = overlap;
  const estimates = [first, second, union, intersection, jaccard];
  console.log(estimates.flatMap(({ value, low, high }) => [value, low, high]).join(' '));
}
