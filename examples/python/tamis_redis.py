"""Queries and fills a Bloom filter that Tamis keeps in Redis or Valkey, over a plain socket.

    seen = RedisFilter("localhost", 6379, "visited")
    seen.put("https://example.org/")            # True: new, for no other process
    seen.might_contain("https://example.org/")  # True

Java creates the filter: tamis build -n 1e6 -p 0.01 -o redis://localhost/visited < /dev/null. Written
from "The string" in docs/redis.md, for one server without TLS. Clusters and windows are refused.
"""

import socket

from tamis_frame import Frame, check
from tamis_hashes import xxh3_64
from tamis_kinds import Places


class FilterLost(Exception):
    """The filter was flushed, evicted, expired or replaced since it was opened."""


class Header(Frame):
    """The first 64 bytes of a shard, whose bytes 24 to 63 are those of a file."""

    payload = b""

    def __init__(self, data, secret_key):
        self.data, self.secret_key = data, secret_key
        check(len(data) == 64 and data[16:20] == b"TR\2\0", "no filter of version 2")
        check(self.stamp(0) == int.from_bytes(data[:8], "big", signed=True), "a damaged header")

    def stamp(self, shard):
        """Returns the stamp of a shard as BITFIELD does, a signed number."""
        hashed = xxh3_64(self.data[8:22] + shard.to_bytes(2, "little") + self.data[24:]) or 1
        return hashed - (hashed >> 63 << 64)


class RedisFilter(Places):
    """A filter on a server, for one thread."""

    def __init__(self, host, port, name, password=None, secret_key=None, timeout=5):
        self.socket = socket.create_connection((host, port), timeout)
        self.replies = self.socket.makefile("rb")
        self.name = name
        if password:
            self.call("AUTH", password)
        self.header = Header(self.call("GETRANGE", self.key(0), 0, 63), secret_key)
        super().__init__(self.header)
        self.shard_bits = -(-(-(-self.m // 512)) // self.header.u16(20)) * 512

    def key(self, shard):
        return f"{self.name}:{{{self.name}#{shard}}}"

    def put(self, key):
        """Puts a key as bytes or text; True if it is certainly new. After an OSError it may be in."""
        return not all(self.bits(self.hash_of(key), "BITFIELD", "SET", 1))

    def might_contain_hash(self, h):
        return all(self.bits(h, "BITFIELD_RO", "GET"))

    def bits(self, h, command, operation, *value):
        """Returns the bits of a hash as they were, by one command, which sets them for SET."""
        positions = list(self.positions(h))
        shard = positions[0] // self.shard_bits  # a blocked key has all its bits in one
        fields = ["GET", "i64", 0]
        for i in positions:
            fields += [operation, "u1", 512 + (i - shard * self.shard_bits ^ 7), *value]
        stamp, *bits = self.call(command, self.key(shard), *fields)
        if stamp != self.header.stamp(shard):
            raise FilterLost(self.name)
        return bits

    def call(self, *words):
        """Sends a command and returns its reply."""
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        bulk = b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        self.socket.sendall(b"*%d\r\n%s" % (len(parts), bulk))
        return self.reply()

    def reply(self):
        line = self.replies.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, value = line[:1], line[1:-2]
        if kind == b"$":
            return self.replies.read(int(value) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(value))]
        if kind == b"-":
            raise ConnectionError(value.decode("utf-8", "replace"))
        return int(value) if kind == b":" else value
