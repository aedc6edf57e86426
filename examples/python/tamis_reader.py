#!/usr/bin/env python3
"""Reads Tamis files of version 1 and says which lines may be in them.

Written from docs/format.md alone, with nothing but the standard library (Python 3.9 or newer), as
a proof that the document is enough and as a start for readers in other languages. Every byte is
checked before an answer is given. What is not understood is refused.

    from tamis_reader import load
    seen = load("seen.tamis")
    seen.might_contain(b"https://example.org/")
"""

import argparse
import os
import re
import sys
import time

from tamis_frame import FormatError, Frame, check
from tamis_kinds import CountMinSketch, DistinctCounter, content_of


def load(path, secret_key=None, clock=time.time_ns):
    """Reads the one frame of a file.

    secret_key is the 16 bytes of the key for a file whose hash is SipHash-2-4. clock gives the
    nanoseconds since 1970, which only a window of time asks for. Raises FormatError for a file that
    is not sound, OSError for one that cannot be read.
    """
    with open(path, "rb") as file:
        return parse(file.read(), secret_key, clock)


def parse(data, secret_key=None, clock=time.time_ns):
    """Reads the one frame that data is, as load does."""
    frame = Frame(memoryview(data), secret_key, clock)
    check(frame.size == len(data), f"{len(data) - frame.size} bytes follow the frame")
    return content_of(frame)


def read_key_file(path):
    """Returns the 16 bytes of a secret key: 32 hexadecimal digits in a file."""
    with open(path, "rb") as file:
        text = file.read(1024).strip()
    check(re.fullmatch(b"[0-9a-fA-F]{32}", text), "a secret key is 32 hexadecimal digits")
    return bytes.fromhex(text.decode("ascii"))


def answer(content, lines, out):
    """Prints the lines that may be in, for a sketch each with its count; returns whether any is."""
    if isinstance(content, DistinctCounter):
        raise FormatError("a distinct counter cannot tell which keys it was given; use --info")
    found = False
    for line in lines:
        key = line[:-1] if line.endswith(b"\n") else line
        if isinstance(content, CountMinSketch):
            count = content.count(key)
            out.write(b"%d\t%s\n" % (count, key))
            found = found or count > 0
        elif content.might_contain(key):
            out.write(key + b"\n")
            found = True
    out.flush()
    return found


def main(arguments=None):
    """Runs the command; returns 0 if a line may be in, 1 if none is, 2 after an error."""
    parser = argparse.ArgumentParser(
        description="Prints the lines of standard input that may be in a Tamis filter, or for a"
        " count-min sketch each line after its count."
    )
    parser.add_argument("filter", metavar="FILTER")
    parser.add_argument("--info", action="store_true", help="say what the file holds instead")
    parser.add_argument("--key-file", metavar="FILE", help="32 hexadecimal digits: the secret key")
    parser.add_argument("--now", metavar="NANOS", type=int, help="nanoseconds since 1970: the time")
    options = parser.parse_args(arguments)
    clock = time.time_ns if options.now is None else lambda: options.now
    path = options.key_file
    try:
        key = read_key_file(path) if path else None
        path = options.filter
        content = load(path, key, clock)
        if options.info:
            for fact, value in content.info().items():
                print(f"{fact.replace('_', ' ')}: {value}")
            return 0
        return 0 if answer(content, sys.stdin.buffer, sys.stdout.buffer) else 1
    except FormatError as error:
        print(f"{parser.prog}: {path}: {error}", file=sys.stderr)
    except BrokenPipeError:
        # whoever reads has seen enough; Python must not complain when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
