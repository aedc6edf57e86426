/** The bytes of a file in segments, so that no single buffer or string has to hold all of it. */

/** The bytes of a segment. */
const SEGMENT_BYTES = 1 << 24;

const SEGMENT_WORDS = SEGMENT_BYTES / 4;

/** Bytes that are read in order and then looked at anywhere; little-endian, as all platforms are. */
export class Bytes {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    /** @type {Int32Array[]} */
    this.words = [];
    for (let at = 0; at < size; at += SEGMENT_BYTES) {
      const bytes = Math.min(SEGMENT_BYTES, size - at);
      this.words.push(new Int32Array(Math.ceil(bytes / 4)));
    }
  }

  /**
   * Reads a file, segment by segment.
   * @param {Blob} blob
   * @param {(share: number) => void} [progress]
   */
  static async of(blob, progress = () => {}) {
    const bytes = new Bytes(blob.size);
    for (let i = 0; i < bytes.words.length; i++) {
      const at = i * SEGMENT_BYTES;
      const part = await blob.slice(at, Math.min(blob.size, at + SEGMENT_BYTES)).arrayBuffer();
      bytes.segment(i).set(new Uint8Array(part));
      progress((i + 1) / bytes.words.length);
    }
    return bytes;
  }

  /**
   * Returns the bytes of a segment, without what pads the last one to whole words.
   * @param {number} i
   */
  segment(i) {
    return new Uint8Array(
      this.words[i].buffer,
      0,
      Math.min(SEGMENT_BYTES, this.size - i * SEGMENT_BYTES),
    );
  }

  /**
   * Returns the word of 32 bits that begins at byte 4·i.
   * @param {number} i
   */
  word(i) {
    const segment = (i / SEGMENT_WORDS) | 0;
    return this.words[segment][i - segment * SEGMENT_WORDS];
  }

  /**
   * Copies some bytes.
   * @param {number} start
   * @param {number} length
   */
  copy(start, length) {
    const copy = new Uint8Array(length);
    this.forEach(start, start + length, (part, at) => copy.set(part, at - start));
    return copy;
  }

  /**
   * Goes over bytes from `start` to before `end` in parts.
   * @param {number} start
   * @param {number} end
   * @param {(part: Uint8Array, at: number) => void} action
   */
  forEach(start, end, action) {
    for (let at = start; at < end;) {
      const i = Math.floor(at / SEGMENT_BYTES);
      const from = at - i * SEGMENT_BYTES;
      const to = Math.min(SEGMENT_BYTES, end - i * SEGMENT_BYTES);
      action(this.segment(i).subarray(from, to), at);
      at += to - from;
    }
  }
}

/** A part of the bytes as words of 32 bits and as bits, numbered from its beginning. */
export class Words {
  /**
   * @param {Bytes} bytes
   * @param {number} start a multiple of 4
   */
  constructor(bytes, start) {
    this.bytes = bytes;
    this.first = start / 4;
  }

  /** @param {number} i */
  word(i) {
    return this.bytes.word(this.first + i);
  }

  /** @param {number} position of a bit */
  bit(position) {
    const word = Math.floor(position / 32);
    return (this.word(word) >>> (position - 32 * word)) & 1;
  }

  /**
   * Returns bits as an unsigned number, the least significant first.
   * @param {number} position of the first
   * @param {number} count 1 to 32
   */
  field(position, count) {
    const word = Math.floor(position / 32);
    const shift = position - 32 * word;
    let bits = this.word(word) >>> shift;
    if (shift + count > 32) {
      bits |= this.word(word + 1) << (32 - shift);
    }
    return count === 32 ? bits >>> 0 : (bits & ((1 << count) - 1)) >>> 0;
  }

  /**
   * Returns a word of 64 bits as a signed number.
   * @param {number} i
   */
  i64(i) {
    return (BigInt(this.word(2 * i + 1)) << 32n) | BigInt(this.word(2 * i) >>> 0);
  }
}
