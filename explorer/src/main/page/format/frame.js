/** Frames: a header of 128 bytes, a payload and checksums; docs/format.md, "Frame". */
import { crc32c } from '../core/hashes.js';
import { SizingError } from '../sizing/numbers.js';
import { Words } from './bytes.js';

/** The bytes before the payload. */
export const HEADER_BYTES = 128;

const TRAILER_BYTES = 4;
const HEADER_CHECKSUM_AT = 124;
const MAGIC = '8954414d49530d0a';

/** The kinds by number, under the names that `tamis info` has for them. */
const KINDS = [
  '',
  'bloom',
  'scalable',
  'counting',
  'cuckoo',
  'windowed',
  'fuse',
  'ribbon',
  'count-min',
  'distinct',
  'foreign',
];

/** Bytes that are not what docs/format.md says, in the words of `tamis info`. */
export class FormatError extends Error {
  /**
   * @param {string} what
   * @param {string} field
   * @param {number} offset
   * @param {string} problem
   */
  constructor(what, field, offset, problem) {
    super(`not a valid ${what}: ${field} at byte ${offset}: ${problem}`);
  }
}

/** A file that needs a secret key, or another one, before its keys can be queried. */
export class KeyNeeded extends Error {
  /** @param {bigint} id of the secret key */
  constructor(id) {
    super(`needs the secret key of id ${hex64(id)}`);
    this.id = hex64(id);
  }
}

/** @param {bigint} value */
export function hex64(value) {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
}

/** One frame: its header is checked when it is opened, its parameters on demand. */
export class Frame {
  /**
   * Reads and checks a header.
   * @param {string} what is read, for messages
   * @param {import('./bytes.js').Bytes} bytes
   * @param {number} start of the frame
   * @param {number} mostPayload bytes that the payload may claim
   */
  static async open(what, bytes, start, mostPayload) {
    const frame = new Frame(what, bytes, start);
    await frame.checkHeader(mostPayload);
    return frame;
  }

  /**
   * @param {string} what
   * @param {import('./bytes.js').Bytes} bytes
   * @param {number} start
   */
  constructor(what, bytes, start) {
    this.what = what;
    this.bytes = bytes;
    this.start = start;
    if (bytes.size - start < HEADER_BYTES) {
      throw this.endOfInput('header');
    }
    this.header = bytes.copy(start, HEADER_BYTES);
    this.view = new DataView(this.header.buffer);
    this.payload = new Words(bytes, start + HEADER_BYTES);
  }

  /** @param {number} mostPayload */
  async checkHeader(mostPayload) {
    const magic = Array.from(this.header.subarray(0, 8), (b) =>
      b.toString(16).padStart(2, '0'),
    ).join('');
    if (magic !== MAGIC) {
      throw this.invalid(0, 'magic', MAGIC, magic);
    }
    this.expect(8, 'version', 1, this.u16(8));
    const crc = await crc32c();
    const checksum = Number.parseInt(
      crc.init().update(this.header.subarray(0, HEADER_CHECKSUM_AT)).digest(),
      16,
    );
    if (this.u32(HEADER_CHECKSUM_AT) !== checksum) {
      throw this.invalid(
        HEADER_CHECKSUM_AT,
        'header checksum',
        checksum.toString(16),
        this.u32(HEADER_CHECKSUM_AT).toString(16),
      );
    }
    this.expect(12, 'header length', HEADER_BYTES, this.u32(12));
    this.kind = KINDS[this.u16(10)];
    if (!this.kind) {
      throw this.invalid(10, 'kind', `1 to ${KINDS.length - 1}`, this.u16(10));
    }
    const payload = this.i64(16);
    if (payload < 0n || payload > BigInt(mostPayload)) {
      throw this.invalid(
        16,
        'payload length',
        `at most ${mostPayload} bytes`,
        BigInt.asUintN(64, payload),
      );
    }
    this.payloadBytes = Number(payload);
  }

  /** Returns the length of the whole frame. */
  get size() {
    return HEADER_BYTES + /** @type {number} */ (this.payloadBytes) + TRAILER_BYTES;
  }

  /** @param {number} at */
  u16(at) {
    return this.view.getUint16(at, true);
  }

  /** @param {number} at */
  u32(at) {
    return this.view.getUint32(at, true);
  }

  /** @param {number} at */
  i64(at) {
    return this.view.getBigInt64(at, true);
  }

  /** @param {number} at */
  f64(at) {
    return this.view.getFloat64(at, true);
  }

  /**
   * Returns the error of a field.
   * @param {number} at
   * @param {string} field
   * @param {unknown} expected
   * @param {unknown} got
   */
  invalid(at, field, expected, got) {
    return new FormatError(this.what, field, this.start + at, `expected ${expected}, got ${got}`);
  }

  /**
   * Returns the error of a field with any other problem.
   * @param {number} at
   * @param {string} field
   * @param {string} problem
   */
  problem(at, field, problem) {
    return new FormatError(this.what, field, this.start + at, problem);
  }

  /** @param {string} field */
  endOfInput(field) {
    return new FormatError(this.what, field, this.bytes.size, 'unexpected end of input');
  }

  /**
   * @param {number} at
   * @param {string} field
   * @param {number | bigint} expected
   * @param {number | bigint} found
   */
  expect(at, field, expected, found) {
    if (BigInt(found) !== BigInt(expected)) {
      throw this.invalid(
        at,
        field,
        BigInt.asUintN(64, BigInt(expected)),
        BigInt.asUintN(64, BigInt(found)),
      );
    }
  }

  /**
   * Refuses a parameter unless it is in a range.
   * @param {number} at
   * @param {string} field
   * @param {string} name of the parameter in the message
   * @param {number | bigint} least
   * @param {number | bigint} most
   * @param {bigint | number} found
   */
  range(at, field, name, least, most, found) {
    if (found < least || found > most) {
      throw this.problem(at, field, `${name} must be ${least} to ${most}, got ${found}`);
    }
  }

  /**
   * Returns the result of a check, whose refusal becomes that of the field.
   * @template V
   * @param {number} at
   * @param {string} field
   * @param {() => V} check
   * @returns {V}
   */
  checked(at, field, check) {
    try {
      return check();
    } catch (e) {
      throw e instanceof SizingError ? this.problem(at, field, e.message) : e;
    }
  }

  /**
   * @param {number} from
   * @param {number} [end]
   */
  expectZeros(from, end = HEADER_CHECKSUM_AT) {
    for (let at = from; at < end; at++) {
      this.expect(at, 'reserved byte', 0, this.header[at]);
    }
  }

  /**
   * Refuses what is neither a type of keys nor a rule, followed by zeros.
   * @param {number} from
   */
  expectKeyType(from) {
    let at = from;
    const known = String.fromCharCode(this.header[from]) === '-' ? /[ -~]/ : /[bilt()]/;
    while (at < HEADER_CHECKSUM_AT && this.header[at] !== 0) {
      if (!known.test(String.fromCharCode(this.header[at]))) {
        throw this.invalid(at, 'key type', 'one of bilt() or 0', this.header[at]);
      }
      at++;
    }
    this.expectZeros(at);
  }

  /**
   * @param {number | bigint} bytes
   * @param {string} content
   */
  expectPayload(bytes, content) {
    if (BigInt(bytes) !== BigInt(this.payloadBytes ?? 0)) {
      throw this.invalid(16, 'payload length', `${bytes} for ${content}`, this.payloadBytes);
    }
  }

  /** Refuses the file if it ends within the payload. */
  expectWholePayload() {
    if (this.bytes.size < this.start + this.size - TRAILER_BYTES) {
      throw this.endOfInput('payload');
    }
  }

  /** Compares the checksum at the end with that of all bytes before it; returns it in digits. */
  async finish() {
    const at = this.start + this.size - TRAILER_BYTES;
    if (this.bytes.size < at + TRAILER_BYTES) {
      throw this.endOfInput('checksum');
    }
    const crc = await crc32c();
    crc.init();
    this.bytes.forEach(this.start, at, (part) => crc.update(part));
    const expected = Number.parseInt(crc.digest(), 16);
    const found = new DataView(this.bytes.copy(at, TRAILER_BYTES).buffer).getUint32(0, true);
    if (found !== expected) {
      throw this.invalid(at - this.start, 'checksum', expected.toString(16), found.toString(16));
    }
    return found.toString(16).padStart(8, '0');
  }
}
