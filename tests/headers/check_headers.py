#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each public header alone: check_headers.py INCLUDE_FOLDER COMPILER. Fails when one needs another to come
before it, names a CUDA header, or takes too long: more than a second of processor time. On a machine that is slow or
busy a second is as long as a fixed share of the standard library takes there, measured beside it."""
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 1.0
# What nearly every public header needs; where a second is one (g++ 12 on 3 GHz) these take two thirds of it.
REFERENCE = "".join(f"#include <{name}>\n" for name in ("memory", "optional", "span", "string", "vector"))
REFERENCES_A_SECOND = 1.5


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
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        source, reference = pathlib.Path(folder) / "alone.cpp", pathlib.Path(folder) / "reference.cpp"
        reference.write_text(REFERENCE)
        for header in headers:
            name = header.relative_to(include).as_posix()
            # Twice, for the include guard.
            source.write_text(f'#include "{name}"\n#include "{name}"\n')
            command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}"]
            best, limit = float("inf"), LIMIT
            for _ in range(3):
                seconds, errors = processor_seconds(command + [str(source)])
                best = min(best, seconds)
                if errors or best <= limit:
                    break
                limit = max(limit, REFERENCES_A_SECOND * processor_seconds(command + [str(reference)])[0])
            if errors:
                wrong += 1
                print(f"{name}: does not compile alone\n{errors}")
            elif best > limit:
                wrong += 1
                print(f"{name}: {best:.2f} s, more than {limit:.2f} s")
            if "cuda.h" in header.read_text(encoding="utf-8"):
                wrong += 1
                print(f"{name}: names a CUDA header")
    print(f"{len(headers)} headers, {wrong} problems")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
