"""The hashes and the checksum of Tamis files: XXH3-64, SipHash-2-4, CRC-32C.

Written from their public descriptions: doc/xxhash_spec.md of xxHash for XXH3-64 with its default
secret, Aumasson and Bernstein 2012 for SipHash, RFC 3720 for CRC-32C. All take bytes and return an
int.
"""

import struct

MASK = 2**64 - 1

PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2, PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME64_4, PRIME64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
STRIPES_OF_A_BLOCK = (len(SECRET) - 64) // 8


def xxh3_64(data, seed=0):
    """Returns the XXH3-64 of data with a seed below 2**64."""
    length = len(data)
    if length > 240:
        return _long(data, seed)
    if length > 16:
        return _medium(data, seed)
    if length > 8:
        low = ((_word(SECRET, 24) ^ _word(SECRET, 32)) + seed & MASK) ^ _word(data, 0)
        high = ((_word(SECRET, 40) ^ _word(SECRET, 48)) - seed & MASK) ^ _word(data, length - 8)
        return _avalanche(length + _swap(low, 8) + high + _fold(low, high) & MASK)
    if length > 3:
        seed ^= _swap(seed & 0xFFFFFFFF, 4) << 32
        ends = _half(data, length - 4) | _half(data, 0) << 32
        x = ((_word(SECRET, 8) ^ _word(SECRET, 16)) - seed & MASK) ^ ends
        x ^= _rotate(x, 49) ^ _rotate(x, 24)
        x = x * PRIME_MX2 & MASK
        x ^= (x >> 35) + length
        x = x * PRIME_MX2 & MASK
        return x ^ x >> 28
    if length > 0:
        ends = data[-1] | length << 8 | data[0] << 16 | data[length >> 1] << 24
        return _avalanche_xxh64(((_half(SECRET, 0) ^ _half(SECRET, 4)) + seed & MASK) ^ ends)
    return _avalanche_xxh64(seed ^ _word(SECRET, 56) ^ _word(SECRET, 64))


def _medium(data, seed):
    length = len(data)
    total = length * PRIME64_1
    if length <= 128:
        for i in range((length - 1) >> 5, -1, -1):
            total += _mix(data, 16 * i, 32 * i, seed)
            total += _mix(data, length - 16 * i - 16, 32 * i + 16, seed)
        return _avalanche(total & MASK)
    for i in range(8):
        total += _mix(data, 16 * i, 16 * i, seed)
    total = _avalanche(total & MASK)
    for i in range(8, length >> 4):
        total += _mix(data, 16 * i, 16 * (i - 8) + 3, seed)
    total += _mix(data, length - 16, 119, seed)
    return _avalanche(total & MASK)


def _long(data, seed):
    length = len(data)
    secret = SECRET
    if seed:
        words = struct.unpack("<24Q", SECRET)
        signs = (seed, -seed) * 12
        secret = struct.pack("<24Q", *((w + s) & MASK for w, s in zip(words, signs)))
    lanes = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    # every full stripe but the last, which is taken from the end of the data instead
    for stripe in range((length - 1) // 64):
        n = stripe % STRIPES_OF_A_BLOCK
        _accumulate(lanes, data, 64 * stripe, secret, 8 * n)
        if n == STRIPES_OF_A_BLOCK - 1:
            keys = struct.unpack_from("<8Q", secret, len(secret) - 64)
            lanes = [(x ^ x >> 47 ^ key) * PRIME32_1 & MASK for x, key in zip(lanes, keys)]
    _accumulate(lanes, data, length - 64, secret, len(secret) - 71)
    keys = struct.unpack_from("<8Q", secret, 11)
    total = length * PRIME64_1
    for i in range(0, 8, 2):
        total += _fold(lanes[i] ^ keys[i], lanes[i + 1] ^ keys[i + 1])
    return _avalanche(total & MASK)


def _accumulate(lanes, data, offset, secret, secret_offset):
    stripe = struct.unpack_from("<8Q", data, offset)
    keys = struct.unpack_from("<8Q", secret, secret_offset)
    for i in range(8):
        keyed = stripe[i] ^ keys[i]
        lanes[i] = lanes[i] + stripe[i ^ 1] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & MASK


def _mix(data, offset, secret_offset, seed):
    low = _word(data, offset) ^ (_word(SECRET, secret_offset) + seed & MASK)
    high = _word(data, offset + 8) ^ (_word(SECRET, secret_offset + 8) - seed & MASK)
    return _fold(low, high)


def _fold(x, y):
    product = x * y
    return (product & MASK) ^ product >> 64


def _avalanche(x):
    x = (x ^ x >> 37) * PRIME_MX1 & MASK
    return x ^ x >> 32


def _avalanche_xxh64(x):
    x = (x ^ x >> 33) * PRIME64_2 & MASK
    x = (x ^ x >> 29) * PRIME64_3 & MASK
    return x ^ x >> 32


def _word(data, offset):
    return int.from_bytes(data[offset : offset + 8], "little")


def _half(data, offset):
    return int.from_bytes(data[offset : offset + 4], "little")


def _swap(x, size):
    return int.from_bytes(x.to_bytes(size, "little"), "big")


def _rotate(x, bits):
    return (x << bits | x >> (64 - bits)) & MASK


def siphash_2_4(data, key):
    """Returns the SipHash-2-4 of data under a key of 16 bytes."""
    k0, k1 = struct.unpack("<2Q", key)
    state = (
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    )
    end = len(data) // 8 * 8
    last = int.from_bytes(data[end:], "little") | (len(data) & 0xFF) << 56
    for m in (*struct.unpack_from("<%dQ" % (end // 8), data), last):
        a, b, c, d = state
        a, b, c, d = _sip_rounds(2, a, b, c, d ^ m)
        state = a ^ m, b, c, d
    a, b, c, d = state
    a, b, c, d = _sip_rounds(4, a, b, c ^ 0xFF, d)
    return a ^ b ^ c ^ d


def _sip_rounds(rounds, a, b, c, d):
    for _ in range(rounds):
        a = a + b & MASK
        b = _rotate(b, 13) ^ a
        a = _rotate(a, 32)
        c = c + d & MASK
        d = _rotate(d, 16) ^ c
        a = a + d & MASK
        d = _rotate(d, 21) ^ a
        c = c + b & MASK
        b = _rotate(b, 17) ^ c
        c = _rotate(c, 32)
    return a, b, c, d


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC_TABLE = _crc_table()


def crc32c(data, crc=0):
    """Returns the CRC-32C of data, or of what crc is the checksum of with data after it."""
    table = _CRC_TABLE
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF
