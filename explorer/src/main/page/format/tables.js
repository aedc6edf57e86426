/** Kinds 4, 6 and 7: filters of fingerprints in tables. */
import { MAX_BITS } from '../core/placement.js';
import { bitCount, draw, fromBigInt, mulHigh32, RESULT, reduce } from '../core/u64.js';
import { exactFpp, requireFpp, SizingError, withSharedHashes } from '../sizing/numbers.js';
import { fuseFingerprintBits } from '../sizing/others.js';
import { formatNumber } from '../sizing/quantities.js';
import { Words } from './bytes.js';
import { HEADER_BYTES } from './frame.js';
import { densityOf, formatEstimate, hashFacts, hashOfFrame } from './shapes.js';

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./shapes.js').Content} Content */
/** @typedef {import('./shapes.js').Reading} Reading */

/** @param {number} keys */
function exactly(keys) {
  return { value: keys, low: keys, high: keys };
}

/**
 * Refuses bits in the last word that belong to no slot.
 * @param {Frame} frame
 * @param {number} bits of all slots
 */
function requireEndInZeros(frame, bits) {
  const used = bits % 64;
  const at = frame.size - 4 - 8;
  const last = new Words(frame.bytes, frame.start + at).i64(0);
  if (used !== 0 && BigInt.asUintN(64, last) >> BigInt(used) !== 0n) {
    throw frame.invalid(at, 'last word', 'zeros past the last slot', 'set bits');
  }
}

/**
 * Reads a cuckoo filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readCuckoo(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const width = frame.u16(26);
  frame.range(26, 'fingerprint bits', 'fingerprintBits', 4, 32, width);
  frame.expectZeros(28, 32);
  const found = frame.i64(32);
  const mostBuckets = Math.floor(MAX_BITS / 4 / width);
  if (found < 2n || found > BigInt(mostBuckets) || found % 2n !== 0n) {
    throw frame.problem(
      32,
      'buckets',
      `buckets must be even and 2 to ${mostBuckets}, got ${found}`,
    );
  }
  const buckets = Number(found);
  const slots = 4 * buckets;
  const expectedKeys = frame.i64(48);
  if (expectedKeys < 1n || expectedKeys > BigInt(slots)) {
    throw frame.problem(
      48,
      'expected keys',
      `expectedKeys must be 1 to the ${slots} slots, got ${expectedKeys}`,
    );
  }
  const requested = frame.checked(56, 'fpp', () => requireFpp(frame.f64(56)));
  frame.expectZeros(64);
  frame.expectPayload(8 * Math.ceil((slots * width) / 64), `${slots * width} bits`);
  frame.expectWholePayload();
  requireEndInZeros(frame, slots * width);
  const checksum = await frame.finish();
  const table = new CuckooTable(frame.payload, width, buckets);
  const { used, pairs } = table.summarize();
  const fpp = withSharedHashes((2 * pairs) / buckets / table.fingerprints, used);
  return {
    kind: 'cuckoo',
    facts: [
      ['bits', String(slots * width)],
      ['fingerprint bits', String(width)],
      ['buckets', String(buckets)],
      ['slots', String(slots)],
      ['expected keys', String(expectedKeys)],
      ['requested fpp', formatNumber(requested)],
      ...hashFacts(frame),
      ['load', formatNumber(used / slots)],
      ['keys', formatEstimate(exactly(used))],
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys: exactly(used),
    hash,
    mightContain: (high, low) => table.mightContain(high, low),
    density: (cells) => table.density(cells),
    comparable: null,
    checksum,
  };
}

/** Buckets of four fingerprints. */
class CuckooTable {
  /**
   * @param {Words} words
   * @param {number} width of a fingerprint
   * @param {number} buckets
   */
  constructor(words, width, buckets) {
    this.words = words;
    this.width = width;
    this.buckets = buckets;
    this.fingerprints = 2 ** width - 1;
  }

  /**
   * @param {number} bucket
   * @param {number} slot
   */
  get(bucket, slot) {
    return this.words.field((4 * bucket + slot) * this.width, this.width);
  }

  /**
   * @param {number} bucket
   * @param {number} fingerprint
   */
  slotOf(bucket, fingerprint) {
    for (let slot = 0; slot < 4; slot++) {
      if (this.get(bucket, slot) === fingerprint) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * Returns the other bucket of a fingerprint.
   * @param {number} bucket
   * @param {number} fingerprint
   */
  partner(bucket, fingerprint) {
    const { width } = this;
    draw(0, fingerprint | 0, 1);
    let [high, low] = RESULT;
    // the fingerprint in the highest bits, the draw below it
    if (width === 32) {
      low = high;
      high = fingerprint | 0;
    } else {
      low = (low >>> width) | (high << (32 - width));
      high = (high >>> width) | (fingerprint << (32 - width));
    }
    const sum = 2 * reduce(high, low, this.buckets / 2) + 1;
    return sum >= bucket ? sum - bucket : sum - bucket + this.buckets;
  }

  /**
   * @param {number} high
   * @param {number} low
   */
  mightContain(high, low) {
    draw(high, low, 1);
    const fingerprint = 1 + reduce(RESULT[0], RESULT[1], this.fingerprints);
    const bucket = reduce(high, low, this.buckets);
    return (
      this.slotOf(bucket, fingerprint) >= 0 ||
      this.slotOf(this.partner(bucket, fingerprint), fingerprint) >= 0
    );
  }

  /** Counts the slots in use, and the pairs of buckets that a fingerprint is in. */
  summarize() {
    let used = 0;
    let pairs = 0;
    for (let bucket = 0; bucket < this.buckets; bucket++) {
      for (let slot = 0; slot < 4; slot++) {
        const fingerprint = this.get(bucket, slot);
        if (fingerprint !== 0) {
          used++;
          if (this.slotOf(bucket, fingerprint) === slot) {
            const other = this.partner(bucket, fingerprint);
            pairs += bucket < other || this.slotOf(other, fingerprint) < 0 ? 1 : 0;
          }
        }
      }
    }
    return { used, pairs };
  }

  /** @param {number} cells */
  density(cells) {
    const parts = Math.min(cells, this.buckets);
    return Float32Array.from({ length: parts }, (_, i) => {
      const from = Math.floor((i * this.buckets) / parts);
      const to = Math.floor(((i + 1) * this.buckets) / parts);
      let used = 0;
      for (let bucket = from; bucket < to; bucket++) {
        for (let slot = 0; slot < 4; slot++) {
          used += this.get(bucket, slot) === 0 ? 0 : 1;
        }
      }
      return used / 4 / (to - from);
    });
  }
}

/**
 * Reads a binary fuse filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readFuse(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const requested = frame.f64(56);
  const width = frame.checked(56, 'fpp', () => fuseFingerprintBits(requested));
  frame.expect(28, 'fingerprint bits', width, frame.u32(28));
  const { arity, shards, segment, starts } = fuseSizing(frame);
  const shardSlots = (starts + arity - 1) * segment;
  const slots = shards * shardSlots;
  const keys = frame.i64(48);
  if (keys < 0n || keys > BigInt(slots)) {
    throw frame.invalid(48, 'keys', `0 to ${slots}, the slots`, keys);
  }
  frame.expectKeyType(72);
  frame.range(68, 'segments', `slots of ${width} bits`, 1, Math.floor(MAX_BITS / width), slots);
  const seedWords = Math.ceil(shards / 8);
  frame.expect(
    16,
    'payload length',
    8 * (seedWords + Math.ceil((slots * width) / 64)),
    frame.i64(16),
  );
  frame.expectWholePayload();
  const seeds = frame.bytes.copy(frame.start + HEADER_BYTES, 8 * seedWords);
  for (let i = shards; i < seeds.length; i++) {
    if (seeds[i] !== 0) {
      throw frame.invalid(HEADER_BYTES + i, 'byte after the seeds', 0, (seeds[i] << 24) >> 24);
    }
  }
  requireEndInZeros(frame, slots * width);
  const checksum = await frame.finish();
  const n = Number(keys);
  const fpp = n === 0 ? 0 : withSharedHashes(2 ** -width, n);
  const table = new Words(frame.bytes, frame.start + HEADER_BYTES + 8 * seedWords);
  const log = Math.log2(segment);
  return {
    kind: 'fuse',
    facts: [
      ['bits', String(slots * width)],
      ['arity', String(arity)],
      ['fingerprint bits', String(width)],
      ['shards', String(shards)],
      ['keys', formatEstimate(exactly(n))],
      ['requested fpp', formatNumber(requested)],
      ...hashFacts(frame),
      ...perKey(slots * width, n),
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys: exactly(n),
    hash,
    mightContain(high, low) {
      if (n === 0) {
        return false;
      }
      const shard = reduce(high, low, shards);
      draw(high, low, seeds[shard]);
      const [xHigh, xLow] = RESULT;
      const first = shard * shardSlots + reduce(xHigh, xLow, starts * segment);
      let left = table.field(first * width, width);
      for (let j = 1; j < arity; j++) {
        const offset = shiftedRight(xHigh, xLow, (j - 1) * log) & (segment - 1);
        const plain = first + j * segment;
        const inSegment = plain % segment;
        const slot = plain - inSegment + (inSegment ^ offset);
        left ^= table.field(slot * width, width);
      }
      // the highest bits of x times 9E3779B97F4A7C15
      const mixed =
        mulHigh32(xLow, 0x7f4a7c15) + Math.imul(xHigh, 0x7f4a7c15) + Math.imul(xLow, 0x9e3779b9);
      return (left ^ (mixed >>> (32 - width))) === 0;
    },
    density: densityOf(Math.ceil((slots * width) / 64) * 2, (i) => table.word(i)),
    comparable: null,
    checksum,
  };
}

/**
 * @param {number} high
 * @param {number} low
 * @param {number} by 0 to 36
 */
function shiftedRight(high, low, by) {
  if (by === 0) {
    return low;
  }
  return by >= 32 ? high >>> (by - 32) : (low >>> by) | (high << (32 - by));
}

/** @param {Frame} frame */
function fuseSizing(frame) {
  const arity = frame.u16(26);
  if (arity !== 3 && arity !== 4) {
    throw frame.problem(26, 'arity', `arity must be 3 or 4, got ${arity}`);
  }
  const shards = smallInteger(frame, 32, 'shards', frame.i64(32));
  powerOfTwo(frame, 32, 'shards', shards, 2 ** 20);
  const segment = smallInteger(frame, 64, 'segment length', BigInt(frame.u32(64)));
  powerOfTwo(frame, 64, 'segment length', segment, 262144);
  const starts = smallInteger(frame, 68, 'segments', BigInt(frame.u32(68)));
  const most = Math.floor(2147221504 / segment) - (arity - 1);
  frame.range(68, 'segments', `segments of ${segment}`, 1, most, starts);
  return { arity, shards, segment, starts };
}

/**
 * @param {Frame} frame
 * @param {number} at
 * @param {string} field
 * @param {bigint} found
 */
function smallInteger(frame, at, field, found) {
  if (found < 0n || found > 2147483647n) {
    throw frame.invalid(at, field, '0 to 2147483647', BigInt.asUintN(64, found));
  }
  return Number(found);
}

/**
 * @param {Frame} frame
 * @param {number} at
 * @param {string} field
 * @param {number} found
 * @param {number} most
 */
function powerOfTwo(frame, at, field, found, most) {
  if (found < 1 || found > most || (found & (found - 1)) !== 0) {
    throw frame.problem(
      at,
      field,
      `${field} must be a power of two from 1 to ${most}, got ${found}`,
    );
  }
}

/**
 * @param {number} bits
 * @param {number} keys
 * @returns {import('./shapes.js').Fact[]}
 */
function perKey(bits, keys) {
  return keys > 0 ? [['bits per key', formatNumber(bits / keys)]] : [];
}

/**
 * Reads a ribbon filter.
 * @param {Frame} frame
 * @param {Reading} reading
 * @returns {Promise<Content>}
 */
export async function readRibbon(frame, reading) {
  const hash = await hashOfFrame(frame, reading);
  const columns = frame.u16(26);
  if (columns < 1 || columns > 32) {
    throw frame.invalid(26, 'columns', '1 to 32', columns);
  }
  frame.expectZeros(32, 40);
  const keys = frame.i64(48);
  frame.range(48, 'keys', 'keys', 0n, 2n ** 41n, keys);
  const layerCount = frame.u32(28);
  if (keys === 0n) {
    frame.expect(28, 'layers', 0, layerCount);
  } else if (layerCount < 1 || layerCount > 64) {
    throw frame.invalid(28, 'layers', '1 to 64', layerCount);
  }
  const requested = frame.checked(56, 'fpp', () => requireRibbonFpp(frame.f64(56)));
  frame.expectKeyType(64);
  const payloadBytes = frame.size - HEADER_BYTES - 4;
  const mostWords = 2 ** 38;
  if (payloadBytes % 8 !== 0 || payloadBytes / 8 > mostWords) {
    throw frame.invalid(
      16,
      'payload length',
      `a multiple of 8, at most ${mostWords * 8}`,
      payloadBytes,
    );
  }
  frame.expectWholePayload();
  const checksum = await frame.finish();
  const words64 = payloadBytes / 8;
  const layers = frame.checked(HEADER_BYTES, 'layers', () =>
    ribbonLayers(frame.payload, words64, columns, layerCount),
  );
  const n = Number(keys);
  const fpp = withSharedHashes(
    layers.reduceRight((below, layer) => layer.fpp(below), 0),
    n,
  );
  return {
    kind: 'ribbon',
    facts: [
      ['bits', String(words64 * 64)],
      ['columns', String(columns)],
      ['layers', String(layerCount)],
      ['keys', formatEstimate(exactly(n))],
      ['requested fpp', formatNumber(requested)],
      ...hashFacts(frame),
      ...perKey(words64 * 64, n),
      ['fpp', formatNumber(fpp)],
    ],
    fpp,
    keys: exactly(n),
    hash,
    mightContain: (high, low) => ribbonHolds(layers, high, low),
    density: densityOf(2 * words64, (i) => frame.payload.word(i)),
    comparable: null,
    checksum,
  };
}

/** @param {number} fpp */
function requireRibbonFpp(fpp) {
  requireFpp(fpp);
  if (fpp < 2 ** -31) {
    throw new SizingError(`fpp must be at least 2^-31, got ${exactFpp(fpp)}`);
  }
  return fpp;
}

/**
 * @param {RibbonLayer[]} layers
 * @param {number} high
 * @param {number} low
 */
function ribbonHolds(layers, high, low) {
  let h = high;
  let l = low;
  for (const layer of layers) {
    const start = reduce(h, l, 64 * (layer.blocks - 1));
    if (!layer.isBumped(start)) {
      return layer.matches(start, h, l);
    }
    draw(h, l, 3);
    [h, l] = RESULT;
  }
  return false;
}

/**
 * @param {Words} words
 * @param {number} count of words of 64 bits
 * @param {number} columns
 * @param {number} layerCount
 */
function ribbonLayers(words, count, columns, layerCount) {
  /** @type {RibbonLayer[]} */
  const layers = [];
  let at = 0;
  for (let i = 0; i < layerCount; i++) {
    require(count - at >= 2, 'the words end before layer', i);
    const blocks = words.i64(at);
    require(blocks >= 2n && blocks <= 2n ** 38n, `blocks must be 2 to ${2 ** 38}`, blocks);
    const narrow = words.i64(at + 1);
    require(narrow >= 0n && narrow <= blocks, `narrow blocks must be 0 to ${blocks}`, narrow);
    const layer = new RibbonLayer(words, at, Number(blocks), Number(narrow), columns);
    require(layer.end <= count, `a layer must end by word ${count}`, layer.end);
    require(layer.endsInZeros(), 'zeros must follow the thresholds of layer', i);
    layers.push(layer);
    at = layer.end;
  }
  require(at === count, `the layers must end at word ${count}`, at);
  const last = layers[layerCount - 1];
  require(!last || last.bumpsNone(), 'thresholds must be 0 in the last layer', layerCount - 1);
  return layers;
}

/**
 * @param {boolean} holds
 * @param {string} rule
 * @param {number | bigint} found
 */
function require(holds, rule, found) {
  if (!holds) {
    throw new SizingError(`${rule}, got ${found}`);
  }
}

const LEVELS = [0, 16, 40, 128];

/** One layer of a ribbon filter. */
class RibbonLayer {
  /**
   * @param {Words} words
   * @param {number} at number of its first word of 64 bits
   * @param {number} blocks
   * @param {number} narrow
   * @param {number} columns of the wide blocks
   */
  constructor(words, at, blocks, narrow, columns) {
    this.words = words;
    this.blocks = blocks;
    this.narrow = narrow;
    this.columns = columns;
    this.buckets = Math.floor(blocks / 2);
    this.thresholdsAt = at + 2;
    this.columnsAt = this.thresholdsAt + Math.ceil(this.buckets / 32);
    this.end = this.columnAt(blocks);
  }

  /** @param {number} block */
  columnAt(block) {
    return this.columnsAt + block * this.columns - Math.min(block, this.narrow);
  }

  /** @param {number} bucket */
  threshold(bucket) {
    return LEVELS[this.words.field(64 * this.thresholdsAt + 2 * bucket, 2)];
  }

  /** @param {number} start */
  isBumped(start) {
    return start % 128 < this.threshold(Math.floor(start / 128));
  }

  endsInZeros() {
    const used = (this.buckets % 32) * 2;
    return (
      used === 0 || BigInt.asUintN(64, this.words.i64(this.columnsAt - 1)) >> BigInt(used) === 0n
    );
  }

  bumpsNone() {
    for (let i = this.thresholdsAt; i < this.columnsAt; i++) {
      if (this.words.i64(i) !== 0n) {
        return false;
      }
    }
    return true;
  }

  /**
   * @param {number} start
   * @param {number} high of the hash
   * @param {number} low
   */
  matches(start, high, low) {
    draw(high, low, 1);
    const ones = (BigInt(RESULT[0] >>> 0) << 32n) | BigInt((RESULT[1] | 1) >>> 0);
    draw(high, low, 2);
    const results = RESULT[1];
    const block = Math.floor(start / 64);
    const shift = BigInt(start % 64);
    fromBigInt(ones << shift);
    const [hereHigh, hereLow] = RESULT;
    fromBigInt(shift === 0n ? 0n : ones >> (64n - shift));
    const [beyondHigh, beyondLow] = RESULT;
    const count = this.columns - (block < this.narrow ? 1 : 0);
    const at = this.columnAt(block);
    for (let i = 0; i < count; i++) {
      const here = 2 * (at + i);
      const beyond = 2 * (at + i + count);
      const sum =
        bitCount((this.words.word(here) & hereLow) ^ (this.words.word(beyond) & beyondLow)) +
        bitCount(
          (this.words.word(here + 1) & hereHigh) ^ (this.words.word(beyond + 1) & beyondHigh),
        );
      if (((sum ^ (results >>> i)) & 1) !== 0) {
        return false;
      }
    }
    return true;
  }

  /** @param {number} end */
  keptBefore(end) {
    let kept = 0;
    for (let block = 0; block < end; block++) {
      const bumped = this.threshold(Math.floor(block / 2)) - 64 * (block % 2);
      kept += 64 - Math.max(0, Math.min(64, bumped));
    }
    return kept;
  }

  /** @param {number} below the fpp of the layers below */
  fpp(below) {
    const starts = (this.blocks - 1) * 64;
    const kept = this.keptBefore(this.blocks - 1);
    const keptInNarrow = this.keptBefore(Math.min(this.narrow, this.blocks - 1));
    return ((kept + keptInNarrow) * 2 ** -this.columns + (starts - kept) * below) / starts;
  }
}
