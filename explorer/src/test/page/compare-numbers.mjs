/** Prints what the page reads in each line of standard input, for a test in Java. */
import { readFileSync } from 'node:fs';
import { SizingError } from '../../main/page/sizing/numbers.js';
import { parseCount, parseProbability, parseSize } from '../../main/page/sizing/quantities.js';

const PARSERS = [parseCount, parseSize, parseProbability];

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const read = PARSERS.map((parse) => {
    try {
      return parse(line);
    } catch (e) {
      if (e instanceof SizingError) {
        return 'refused';
      }
      throw e;
    }
  });
  console.log(read.join(' '));
}
