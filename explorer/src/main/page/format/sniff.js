/** Recognizes files that are not Tamis filters by their first bytes and length, as `tamis info` does. */

const HEAD_BYTES = 16;

/** @type {[magic: string, name: string, advice: string][]} */
const MAGICS = [
  ['8954424c4b530d0a', 'a block list', 'see tamis block check'],
  ['00050003', 'a cache digest', 'see tamis digest show'],
  ['1f8b', 'gzip', 'unpack it first'],
  ['50415231', 'a whole Parquet file', "extract a column's filter first, with parquet-java"],
];

/**
 * Returns what a file is and what to do with it, or null if its format is unknown.
 * @param {import('./bytes.js').Bytes} bytes
 */
export function hint(bytes) {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(bytes.copy(0, Math.min(HEAD_BYTES, bytes.size)));
  const digits = Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const known = MAGICS.find(([magic]) => digits.startsWith(magic));
  if (known) {
    return `it looks like ${known[1]}; ${known[2]}`;
  }
  const program = programOf(new DataView(head.buffer), bytes.size);
  return (
    program &&
    `it looks like a ${program} filter. Try: tamis convert --from ${program.toLowerCase()} --to tamis FILE OUT`
  );
}

/**
 * @param {DataView} head zeros follow the end of a shorter file
 * @param {number} size of the file
 */
function programOf(head, size) {
  /** @param {number} at of the number of 64-bit words, which are the rest of the file */
  const wordsFollow = (at) => {
    const words = head.getInt32(at);
    return words >= 1 && size === at + 4 + 8 * words;
  };
  const version = head.getInt32(0);
  const hashes = head.getInt32(4);
  if ((version === 1 || version === 2) && hashes >= 1 && hashes <= 1075) {
    if (wordsFollow(version === 1 ? 8 : 12)) {
      return 'Spark';
    }
  }
  if (size >= 16 && head.getBigInt64(0, true) === 1n && head.getBigInt64(8, true) >= 1n) {
    return 'DCSO';
  }
  return head.getUint8(0) <= 1 && head.getUint8(1) !== 0 && wordsFollow(2) ? 'Guava' : null;
}
