"""Frames of Tamis files: the header of 128 bytes, the payload, the checksums; docs/format.md."""

import hashlib
import re
import struct

from tamis_hashes import crc32c, siphash_2_4, xxh3_64

MAGIC = b"\x89TAMIS\r\n"
BLOCKLIST_MAGIC = b"\x89TBLKS\r\n"
HEADER = 128


class FormatError(ValueError):
    """Bytes that are not what docs/format.md describes, or a file that needs another secret key."""


def check(condition, message):
    """Raises FormatError with the message unless the condition holds."""
    if not condition:
        raise FormatError(message)


class Frame:
    """One frame at the beginning of data: a header and a payload, lengths and checksums right."""

    def __init__(self, data, secret_key, clock):
        magic = bytes(data[:8])
        check(magic != BLOCKLIST_MAGIC, "a block list, which this program does not read")
        check(magic == MAGIC, f"no Tamis file: it begins with {magic!r}")
        check(len(data) >= HEADER, f"cut off: {len(data)} bytes, a header has {HEADER}")
        self.data, self.secret_key, self.clock = data, secret_key, clock
        self.version, self.kind, header = struct.unpack_from("<HHI", data, 8)
        check(self.version == 1, f"version {self.version} of the format, known is 1")
        check(self.u32(124) == crc32c(data[:124]), "the header's checksum is wrong")
        check(header == HEADER, f"a header of {header} bytes, not {HEADER}")
        length = self.u64(16)
        self.size = HEADER + length + 4
        check(len(data) >= self.size, f"cut off: {len(data)} bytes of {self.size}")
        end = HEADER + length
        check(self.u32(end) == crc32c(data[:end]), "the checksum of the file is wrong")
        self.payload = data[HEADER:end]

    def u16(self, offset):
        return struct.unpack_from("<H", self.data, offset)[0]

    def u32(self, offset):
        return struct.unpack_from("<I", self.data, offset)[0]

    def u64(self, offset):
        return struct.unpack_from("<Q", self.data, offset)[0]

    def i64(self, offset):
        return struct.unpack_from("<q", self.data, offset)[0]

    def f64(self, offset):
        return struct.unpack_from("<d", self.data, offset)[0]

    def fpp(self, offset, low=0.0, low_allowed=False, one_allowed=False):
        """Returns the fpp at an offset: above low or from it on, below 1 or up to it."""
        fpp = self.f64(offset)
        above = fpp > low or low_allowed and fpp == low
        check(above and (fpp < 1 or one_allowed and fpp == 1), f"an fpp of {fpp}")
        return fpp

    def zeros(self, start, end):
        """Raises FormatError unless the header is zero from start to before end."""
        check(not any(self.data[start:end]), f"not only zeros in bytes {start} to {end - 1}")

    def key_type(self, start, end):
        """Raises FormatError unless these bytes spell a type of keys, or are zero."""
        check(re.fullmatch(rb"([bilt()]*|-[ -~]*)\0*", self.data[start:end]), "unknown keys")

    def payload_is(self, words):
        """Raises FormatError unless the payload has so many words of 64 bits."""
        length = len(self.payload)
        check(length == 8 * words, f"a payload of {length} bytes instead of {8 * words}")

    def words(self):
        """Returns the payload as words of 64 bits."""
        return struct.unpack("<%dQ" % (len(self.payload) // 8), self.payload)

    def hasher(self):
        """Returns the function from bytes to 64 bits that the header names, and its name."""
        algorithm, number = self.u16(24), self.u64(40)
        if algorithm == 1:
            return (lambda key: xxh3_64(key, number)), f"XXH3-64, seed {number}"
        check(algorithm == 2, f"hash {algorithm}, known are 1 (XXH3-64) and 2 (SipHash-2-4)")
        key = self.secret_key
        check(key is not None, f"needs the secret key of id {number:016x}")
        digest = hashlib.sha256(b"tamis hash key id 1" + key).digest()
        found = int.from_bytes(digest[:8], "little")
        check(found == number, f"needs the secret key of id {number:016x}, not of id {found:016x}")
        return (lambda data: siphash_2_4(data, key)), f"SipHash-2-4, key id {number:016x}"
