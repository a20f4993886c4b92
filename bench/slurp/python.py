#!/usr/bin/env python3
"""Whole-file reading and writing in python.

Prints size, group, name and nanoseconds of the fastest of many short runs, with tabs between them.
"""

import os
import pathlib
import sys
import tempfile
import time


def fastest(size, group, name, run):
    repeats = 1_000_000 // (10_000 + size) + 1
    best = None
    for _ in range(60):
        begin = time.perf_counter_ns()
        for _ in range(repeats):
            run()
        taken = (time.perf_counter_ns() - begin) / repeats
        best = taken if best is None else min(best, taken)
    print(size, group, name, f"{best:.0f}", sep="\t")


def measure(directory, size):
    text = bytes(10 if at % 61 == 60 else 97 + at % 26 for at in range(size))
    source, target = (os.path.join(directory, "python." + name) for name in ("source", "target"))
    path = pathlib.Path(source)
    path.write_bytes(text)
    buffer = bytearray(size)

    def read():
        with open(source, "rb") as file:
            return file.read()

    def read_unbuffered():
        with open(source, "rb", buffering=0) as file:
            return file.read()

    def read_into():
        with open(source, "rb", buffering=0) as file:
            return file.readinto(buffer)

    def lines():
        with open(source, "rb") as file:
            return sum(len(line) for line in file)

    def line_list():
        with open(source, "rb") as file:
            return file.readlines()

    def write():
        with open(target, "wb", buffering=0) as file:
            file.write(text)

    def write_atomically():
        with tempfile.NamedTemporaryFile("wb", dir=directory, delete=False, buffering=0) as file:
            file.write(text)
        os.replace(file.name, target)

    fastest(size, "read", "python open", read)
    fastest(size, "read", "python open, unbuffered", read_unbuffered)
    fastest(size, "read", "python pathlib", path.read_bytes)
    fastest(size, "read into buffer", "python readinto", read_into)
    fastest(size, "lines", "python for line", lines)
    fastest(size, "list of lines", "python readlines", line_list)
    fastest(size, "write", "python open", write)
    fastest(size, "write atomically", "python tempfile", write_atomically)
    os.remove(source)
    os.remove(target)


for size in (512, 9_100, 121_000, 1_048_576):
    measure(sys.argv[1], size)
