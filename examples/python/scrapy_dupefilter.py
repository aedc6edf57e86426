"""Scrapy's filter of requests as a Tamis file, which keeps its size and survives the crawl.

    tamis build -n 10M -p 1e-6 -o seen.tamis /dev/null

and in settings.py, with the directory of this file on the path:

    DUPEFILTER_CLASS = "scrapy_dupefilter.TamisDupeFilter"
    TAMIS_DUPEFILTER_FILE = "seen.tamis"

A request whose fingerprint is a false positive is not sent: one in a million at 1e-6. One spider at
a time may use a file.
"""

import os
import struct

from scrapy.dupefilters import BaseDupeFilter

from tamis_frame import HEADER
from tamis_hashes import crc32c
from tamis_kinds import BloomFilter
from tamis_reader import parse


class TamisDupeFilter(BaseDupeFilter):
    """Remembers fingerprints of requests in the Bloom filter of a file."""

    def __init__(self, path, fingerprinter):
        self.path, self.fingerprinter = path, fingerprinter
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        self.filter = parse(self.data)
        if not isinstance(self.filter, BloomFilter):
            raise ValueError(f"{path}: must be a Bloom filter, got a {self.filter.name}")

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings["TAMIS_DUPEFILTER_FILE"], crawler.request_fingerprinter)

    def request_seen(self, request):
        """Puts a request; returns whether it was probably there."""
        bits, seen = self.filter.payload, True
        key = self.fingerprinter.fingerprint(request)
        for i in self.filter.positions(self.filter.hash_of(key)):
            seen = seen and bool(bits[i >> 3] >> (i & 7) & 1)
            bits[i >> 3] |= 1 << (i & 7)
        return seen

    def close(self, reason):
        """Replaces the file by one with the requests of this crawl too."""
        end = HEADER + len(self.filter.payload)
        struct.pack_into("<I", self.data, end, crc32c(memoryview(self.data)[:end]))
        with open(self.path + ".new", "wb") as file:
            file.write(self.data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)
