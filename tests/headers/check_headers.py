#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each public header alone: check_headers.py INCLUDE_FOLDER COMPILER. Fails when one needs another to come
before it, has a warning of those that careful programs turn on, names a CUDA header, or takes more than a second of
processor time: the best of some runs, because a busy machine is slower."""
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 1.0
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast",
            "-Wnon-virtual-dtor", "-Woverloaded-virtual", "-Werror"]
RUNS = 9


def processor_seconds(command):
    """Seconds that a command took of the processor, and its output when it failed."""
    before = os.times()
    result = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, "" if result.returncode == 0 else result.stderr


def main():
    include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    headers = sorted(include.glob("**/*.hpp"))
    if not headers:
        sys.exit(f"no headers in {include}")
    wrong, slowest = 0, (0.0, "none")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "alone.cpp"
        for header in headers:
            name = header.relative_to(include).as_posix()
            # Twice, for the include guard.
            source.write_text(f'#include "{name}"\n#include "{name}"\n')
            command = [compiler, "-std=c++20", *WARNINGS, "-fsyntax-only", f"-I{include}"]
            best = float("inf")
            for _ in range(RUNS):
                seconds, errors = processor_seconds(command + [str(source)])
                best = min(best, seconds)
                if errors or best <= LIMIT:
                    break
            slowest = max(slowest, (best, name))
            if errors:
                wrong += 1
                print(f"{name}: does not compile alone\n{errors}")
            elif best > LIMIT:
                wrong += 1
                print(f"{name}: {best:.2f} s, more than {LIMIT:.0f} s")
            if "cuda.h" in header.read_text(encoding="utf-8"):
                wrong += 1
                print(f"{name}: names a CUDA header")
    print(f"{len(headers)} headers, {wrong} problems; the slowest {slowest[1]}: {slowest[0]:.2f} s")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
