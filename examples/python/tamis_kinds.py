"""The kinds of Tamis files, 1 to 9, in the order of docs/format.md.

Each takes a frame, checks all of it, and answers for keys or for their 64-bit hashes.
"""

import math

from tamis_frame import Frame, check
from tamis_hashes import MASK

MAX_BITS = 2**44
MAX_LONG = 2**63 - 1
GOLDEN = 0x9E3779B97F4A7C15


def reduce(x, bound):
    """Maps 64 bits to a number below bound, in proportion."""
    return x * bound >> 64


def draw(h, i):
    """Returns draw(i) of the hash h: the SplitMix64 generator that begins at h."""
    z = h + i * GOLDEN & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def words_for(bits):
    """Returns the words of 64 bits that hold so many bits."""
    return -(-bits // 64)


def read_bits(data, bit, count):
    """Returns bits bit to bit + count - 1 of data as a number, the least significant first."""
    span = int.from_bytes(data[bit >> 3 : (bit + count + 7) >> 3], "little")
    return span >> (bit & 7) & ((1 << count) - 1)


def is_power_of_two(number):
    return number > 0 and number & (number - 1) == 0


class Content:
    """What a frame holds: it has a name, facts about it, and a way to hash keys."""

    name = ""
    facts = ()

    def __init__(self, frame):
        self.payload = frame.payload
        self.hash_bytes, self.hash = frame.hasher()

    def hash_of(self, key):
        """Returns the hash of bytes, or of text as UTF-8; half a surrogate pair is "?"."""
        return self.hash_bytes(key.encode("utf-8", "replace") if isinstance(key, str) else key)

    def info(self):
        """Returns what the header says, by name."""
        return {"kind": self.name, **{fact: getattr(self, fact) for fact in self.facts}}


class Filter(Content):
    """A content that says whether a key may be in."""

    def might_contain(self, key):
        """Says whether a key, as bytes or text, may be in; False is certain."""
        return self.might_contain_hash(self.hash_of(key))

    def might_contain_hash(self, h):
        """Says whether a key with this hash of 64 bits may be in."""
        raise NotImplementedError


# lines of a key and bits of a word, in each of which the key has as many bits; 0 lines: not blocked
LAYOUTS = {
    1: ("classic", 0, 0),
    2: ("partitioned", 0, 0),
    3: ("line", 1, 512),
    4: ("split", 1, 64),
    6: ("split-pair", 2, 64),
}


class Places(Filter):
    """The shape of kinds 1 and 3: m positions, of which each key has k."""

    facts = ("hash", "layout", "k", "m", "expected_keys", "fpp")

    def __init__(self, frame):
        super().__init__(frame)
        self.set_shape(frame.u16(26), frame.u32(28), frame.u64(32))
        self.expected_keys, self.fpp = frame.u64(48), frame.fpp(56, one_allowed=True)
        check(1 <= self.expected_keys <= MAX_LONG, f"{self.expected_keys} expected keys")

    def set_shape(self, layout, k, m):
        """Takes a layout by its id, k and m."""
        check(layout in LAYOUTS, f"layout {layout}, known are {list(LAYOUTS)}")
        self.layout, self.lines, self.word = LAYOUTS[layout]
        self.k, self.m = k, m
        check(1 <= k <= 32 and 1 <= m <= MAX_BITS, f"k = {k}, m = {m}")
        if self.lines:
            step = self.lines * 512 // self.word
            fits = k % step == 0 and k <= 16 * self.lines and m % 512 == 0 and m >= 512 * self.lines
        elif self.layout == "partitioned":
            fits = m % k == 0 and m >= 2 * k
        else:
            fits = m >= 64
        check(fits, f"k = {k} and m = {m} do not go with layout {self.layout}")

    def positions(self, h):
        """Yields the k positions of a hash."""
        k, m = self.k, self.m
        if self.layout == "classic":
            for j in range(k):
                yield reduce(draw(h, j), m)
        elif self.layout == "partitioned":
            part = m // k
            for j in range(k):
                yield j * part + reduce(draw(h, j), part)
        else:
            in_line = in_words if self.word == 64 else anywhere
            for number, line in enumerate(self.lines_of(h)):
                yield from in_line(h, number, line, k // self.lines)

    def lines_of(self, h):
        """Yields the cache lines of a hash."""
        lines = self.m // 512
        a = reduce(h, lines)
        yield a
        if self.lines == 2:
            b = reduce(draw(h, 4), lines - 1)
            yield b + (b >= a)


def in_words(h, number, line, count):
    """Yields the positions of a hash in the words of its first (number 0) or second line."""
    for j in range(count):
        i, w = 2 * number + j // 8, j % 8
        d = draw(h, i) if i else h * GOLDEN & MASK
        yield 512 * line + 64 * w + (d >> (58 - 6 * w)) % 64


def anywhere(h, number, line, count):
    """Yields the positions of a hash anywhere in its only line."""
    for i in range(count):
        if i % 7 == 0:
            d = draw(h, 1 + i // 7)
        yield 512 * line + (d >> (55 - 9 * (i % 7))) % 512


class BloomFilter(Places):
    """Kind 1."""

    name = "Bloom filter"
    facts = Places.facts

    def __init__(self, frame):
        super().__init__(frame)
        frame.key_type(64, 124)
        words = words_for(self.m)
        frame.payload_is(words)
        rest = read_bits(self.payload, self.m, 64 * words - self.m)
        check(rest == 0, f"bits past bit {self.m}")

    def might_contain_hash(self, h):
        bits = self.payload
        return all(bits[i >> 3] >> (i & 7) & 1 for i in self.positions(h))


class ScalableBloomFilter(Filter):
    """Kind 2."""

    name = "scalable Bloom filter"
    facts = ("hash", "stages", "bits", "fpp")

    def __init__(self, frame):
        self.stages, self.fpp = frame.u32(24), frame.fpp(32)
        check(1 <= self.stages <= 64, f"{self.stages} stages")
        frame.zeros(28, 32)
        frame.zeros(40, 124)
        self.parts, rest, fpp_left = [], frame.payload, self.fpp
        for _ in range(self.stages):
            stage = Frame(rest, frame.secret_key, frame.clock)
            check(stage.kind == 1, f"a stage of kind {stage.kind}")
            rest = rest[stage.size :]
            self.parts.append(BloomFilter(stage))
            fpp_left -= self.parts[-1].fpp
        check(not rest, f"{len(rest)} bytes after the last stage")
        check(fpp_left >= 0, f"stages whose fpps add up to more than {self.fpp}")
        self.hash, self.hash_of = self.parts[0].hash, self.parts[0].hash_of
        check(all(part.hash == self.hash for part in self.parts), "stages of different hashes")
        self.bits = sum(part.m for part in self.parts)

    def might_contain_hash(self, h):
        return any(part.might_contain_hash(h) for part in self.parts)


class CountingBloomFilter(Places):
    """Kind 3."""

    name = "counting Bloom filter"
    facts = (*Places.facts, "counter_bits")

    def __init__(self, frame):
        super().__init__(frame)
        self.counter_bits = width = frame.u16(64)
        check(2 <= width <= 16, f"counters of {width} bits")
        frame.zeros(66, 124)
        self.of_a_word = 64 // width
        words = -(-self.m // self.of_a_word)
        check(words <= 2**38, f"{words} words of counters")
        frame.payload_is(words)
        counted = frame.words()
        used = self.of_a_word * width
        check(not any(word >> used for word in counted), "bits that belong to no counter")
        used = (self.m - (words - 1) * self.of_a_word) * width
        check(counted[-1] >> used == 0, "bits past the last counter")

    def count_at(self, i):
        word, slot = divmod(i, self.of_a_word)
        return read_bits(self.payload, 64 * word + self.counter_bits * slot, self.counter_bits)

    def might_contain_hash(self, h):
        return all(self.count_at(i) for i in self.positions(h))


class CuckooFilter(Filter):
    """Kind 4."""

    name = "cuckoo filter"
    facts = ("hash", "buckets", "fingerprint_bits", "expected_keys", "fpp")

    def __init__(self, frame):
        super().__init__(frame)
        self.fingerprint_bits, self.buckets = frame.u16(26), frame.u64(32)
        self.expected_keys, self.fpp = frame.u64(48), frame.fpp(56)
        f, buckets = self.fingerprint_bits, self.buckets
        check(4 <= f <= 32, f"fingerprints of {f} bits")
        frame.zeros(28, 32)
        frame.zeros(64, 124)
        check(buckets >= 2 and buckets % 2 == 0, f"{buckets} buckets")
        bits = 4 * buckets * f
        check(bits <= MAX_BITS, f"{buckets} buckets of {f}-bit fingerprints")
        check(1 <= self.expected_keys <= 4 * buckets, f"{self.expected_keys} expected keys")
        frame.payload_is(words_for(bits))
        check(read_bits(self.payload, bits, -bits % 64) == 0, f"bits past bit {bits}")

    def might_contain_hash(self, h):
        f, buckets = self.fingerprint_bits, self.buckets
        value = 1 + reduce(draw(h, 1), 2**f - 1)
        mixed = (value << (64 - f)) + (draw(value, 1) >> f)
        first = reduce(h, buckets)
        other = (2 * reduce(mixed, buckets // 2) + 1 - first) % buckets
        return any(
            read_bits(self.payload, f * (4 * bucket + slot), f) == value
            for bucket in (first, other)
            for slot in range(4)
        )


class WindowedBloomFilter(Filter):
    """Kind 5."""

    name = "windowed Bloom filter"
    facts = ("hash", "k", "generations", "slice_bits", "generation_keys", "generation_nanos", "fpp")

    def __init__(self, frame):
        super().__init__(frame)
        self.k, self.generations, self.slice_bits = frame.u16(26), frame.u32(28), frame.u64(32)
        self.generation_keys, self.fpp = frame.u64(48), frame.fpp(56)
        self.generation_nanos = nanos = frame.u64(64)
        self.state, self.youngest = frame.i64(72), frame.u32(80)
        self.clock = frame.clock
        frame.zeros(84, 124)
        k, generations, bits, keys = self.k, self.generations, self.slice_bits, self.generation_keys
        check(1 <= k <= 64 and 1 <= generations <= 1024, f"k = {k}, l = {generations}")
        self.slices = k + generations
        fits = bits >= 64 and bits % 64 == 0 and self.slices * bits <= MAX_BITS
        check(fits, f"{self.slices} slices of {bits} bits")
        check(1 <= keys <= MAX_LONG // generations, f"{keys} keys of a generation")
        check(nanos <= MAX_LONG // generations, f"generations of {nanos} ns")
        check(nanos or 0 <= self.state <= keys, f"{self.state} puts since the last turn")
        check(self.youngest < self.slices, f"slice {self.youngest} of {self.slices}")
        frame.payload_is(self.slices * bits // 64)

    def turns_due(self):
        """Returns how often the window would have to turn before a put."""
        if self.generation_nanos == 0:
            return int(self.state == self.generation_keys)
        now = max(-MAX_LONG - 1, min(MAX_LONG, self.clock()))
        return max(0, (now - self.state) // self.generation_nanos)

    def might_contain_hash(self, h):
        row = 0
        for age in range(max(0, self.slices - self.turns_due())):
            index = (self.youngest + age) % self.slices
            bit = index * self.slice_bits + reduce(draw(h, index), self.slice_bits)
            row = row + 1 if self.payload[bit >> 3] >> (bit & 7) & 1 else 0
            if row == self.k:
                return True
        return False


class FuseFilter(Filter):
    """Kind 6."""

    name = "binary fuse filter"
    facts = ("hash", "arity", "fingerprint_bits", "shards", "shard_slots", "keys", "fpp")

    def __init__(self, frame):
        super().__init__(frame)
        self.arity, self.fingerprint_bits, self.shards = frame.u16(26), frame.u32(28), frame.u64(32)
        self.keys, self.fpp = frame.u64(48), frame.fpp(56, low=2.0**-32, low_allowed=True)
        self.segment, self.starts = frame.u32(64), frame.u32(68)
        frame.key_type(72, 124)
        check(self.arity in (3, 4), f"an arity of {self.arity}")
        f = self.fingerprint_bits
        # the fpp is x * 2**exponent with 1/2 <= x < 1
        check(f == 1 - math.frexp(self.fpp)[1], f"{f} bits for an fpp of {self.fpp}")
        shards, segment, starts = self.shards, self.segment, self.starts
        check(is_power_of_two(shards) and shards <= 2**20, f"{shards} shards")
        check(is_power_of_two(segment) and segment <= 262144, f"segments of {segment} slots")
        check(starts >= 1, "no segments to begin in")
        self.shard_slots = (starts + self.arity - 1) * segment
        slots = shards * self.shard_slots
        check(self.shard_slots <= 2147221504, f"shards of {self.shard_slots} slots")
        check(slots * f <= MAX_BITS, f"{slots} slots of {f} bits")
        check(self.keys <= slots, f"{self.keys} keys in {slots} slots")
        seed_words = words_for(8 * shards)
        frame.payload_is(seed_words + words_for(slots * f))
        check(not any(self.payload[shards : 8 * seed_words]), "bytes after the last seed")
        self.table = self.payload[8 * seed_words :]
        check(read_bits(self.table, slots * f, -slots * f % 64) == 0, "bits past the last slot")

    def might_contain_hash(self, h):
        if self.keys == 0:
            return False
        shard, segment = reduce(h, self.shards), self.segment
        x = draw(h, self.payload[shard])
        first = shard * self.shard_slots + reduce(x, self.starts * segment)
        left = self.slot(first)
        for j in range(1, self.arity):
            left ^= self.slot((first + j * segment) ^ x // segment ** (j - 1) % segment)
        return left == (x * GOLDEN & MASK) >> (64 - self.fingerprint_bits)

    def slot(self, i):
        return read_bits(self.table, self.fingerprint_bits * i, self.fingerprint_bits)


class RibbonLayer:
    """One layer of a ribbon filter, which begins at a word of the payload."""

    def __init__(self, words, at, columns, last):
        check(len(words) - at >= 2, "cut off before a layer")
        self.blocks, self.narrow = words[at], words[at + 1]
        check(2 <= self.blocks <= 2**38, f"a layer of {self.blocks} blocks")
        check(self.narrow <= self.blocks, f"{self.narrow} narrow blocks of {self.blocks}")
        self.words, self.columns, self.codes = words, columns, at + 2
        pairs = self.blocks // 2
        self.first = self.codes + -(-pairs // 32)
        self.end = self.first + self.blocks * columns - self.narrow
        check(self.end <= len(words), "cut off in a layer")
        used = 2 * ((pairs - 1) % 32 + 1)
        check(words[self.first - 1] >> used == 0, "bits past the last threshold")
        bumps = any(words[self.codes : self.first])
        check(not (last and bumps), "thresholds in the last layer")

    def bumps(self, start):
        """Says whether keys that begin at this slot are in a later layer."""
        pair = start // 128
        code = self.words[self.codes + pair // 32] >> 2 * (pair % 32) & 3
        return start % 128 < (0, 16, 40, 128)[code]

    def holds(self, start, ones, result):
        """Says whether the slots picked by ones, the first of them at start, give the result."""
        block, shift = divmod(start, 64)
        at = self.columns_of(block)
        after = self.columns_of(block + 1)
        for i in range(after - at):
            picked = self.words[at + i] & ones << shift
            if shift:
                picked ^= self.words[after + i] & ones >> (64 - shift)
            if (bin(picked).count("1") ^ result >> i) & 1:
                return False
        return True

    def columns_of(self, block):
        """Returns where the words of a block begin, and so where those of the one before end."""
        return self.first + block * self.columns - min(block, self.narrow)


class RibbonFilter(Filter):
    """Kind 7."""

    name = "ribbon filter"
    facts = ("hash", "columns", "layers", "keys", "fpp")

    def __init__(self, frame):
        super().__init__(frame)
        self.columns, self.layers, self.keys = frame.u16(26), frame.u32(28), frame.u64(48)
        self.fpp = frame.fpp(56, low=2.0**-31, low_allowed=True)
        frame.zeros(32, 40)
        frame.key_type(64, 124)
        check(1 <= self.columns <= 32, f"{self.columns} columns")
        check(self.layers <= 64, f"{self.layers} layers")
        check((self.layers == 0) == (self.keys == 0), f"{self.layers} layers, {self.keys} keys")
        check(self.keys <= 2**41, f"{self.keys} keys")
        length = len(self.payload)
        check(length % 8 == 0, f"a payload of {length} bytes, not whole words")
        words, end = frame.words(), 0
        self.parts = []
        for i in range(self.layers):
            self.parts.append(RibbonLayer(words, end, self.columns, i == self.layers - 1))
            end = self.parts[-1].end
        check(end == len(words), f"{len(words) - end} words after the last layer")

    def might_contain_hash(self, h):
        for layer in self.parts:
            start = reduce(h, 64 * (layer.blocks - 1))
            if not layer.bumps(start):
                return layer.holds(start, draw(h, 1) | 1, draw(h, 2))
            h = draw(h, 3)
        return False


class CountMinSketch(Content):
    """Kind 8: how often each key was put, never less than the truth."""

    name = "count-min sketch"
    facts = ("hash", "update", "rows", "row_counters", "puts")

    def __init__(self, frame):
        super().__init__(frame)
        update, self.rows, self.row_counters = frame.u16(26), frame.u32(28), frame.u64(32)
        self.puts = frame.u64(48)
        frame.zeros(56, 124)
        check(update in (1, 2), f"update {update}, known are 1 and 2")
        self.update = ("plain", "conservative")[update - 1]
        rows, width = self.rows, self.row_counters
        check(1 <= rows <= 44 and width >= 3, f"{rows} rows of {width} counters")
        check(rows * width <= 2**38, f"{rows} rows of {width} counters")
        check(self.puts <= MAX_LONG, f"{self.puts} puts")
        frame.payload_is(rows * width)
        self.counters = frame.words()
        check(max(self.counters) <= MAX_LONG, "a counter past 2^63 - 1")
        starts = range(0, rows * width, width)
        sums = [min(MAX_LONG, sum(self.counters[at : at + width])) for at in starts]
        if self.update == "plain":
            sound = all(total == self.puts for total in sums)
        else:
            sound = max(sums) <= self.puts <= sum(sums)
        check(sound, f"rows that add up to {sums} for {self.puts} puts")

    def count(self, key):
        """Returns how often the key was put, or more."""
        h, width = self.hash_of(key), self.row_counters
        return min(self.counters[i * width + reduce(draw(h, i), width)] for i in range(self.rows))


class DistinctCounter(Content):
    """Kind 9: registers alone, for how a number is made of them is not part of the format."""

    name = "distinct counter"
    facts = ("hash", "precision", "registers", "registers_used")

    def __init__(self, frame):
        super().__init__(frame)
        self.precision = p = frame.u16(26)
        self.registers = len(self.payload)
        check(3 <= p <= 26, f"a precision of {p}")
        frame.zeros(28, 40)
        frame.zeros(48, 124)
        check(self.registers == 1 << p, f"{self.registers} registers instead of {1 << p}")
        wrong = set(self.payload) - {0, 4 * (p - 1), 4 * p, 4 * p + 2, *range(4 * (p + 1), 256)}
        check(not wrong, f"registers that no keys make: {sorted(wrong)}")
        self.registers_used = sum(register > 0 for register in self.payload)


KINDS = (
    *(BloomFilter, ScalableBloomFilter, CountingBloomFilter, CuckooFilter, WindowedBloomFilter),
    *(FuseFilter, RibbonFilter, CountMinSketch, DistinctCounter),
)


def content_of(frame):
    """Returns the filter or sketch that a frame holds."""
    check(1 <= frame.kind <= len(KINDS), f"kind {frame.kind}, known are 1 to {len(KINDS)}")
    return KINDS[frame.kind - 1](frame)
