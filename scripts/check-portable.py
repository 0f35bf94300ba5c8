#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the sources of a build with the preset `windows` by clang, for Windows, and tells extensions that MSVC lacks:

  check-portable.py BUILD_FOLDER [PART_OF_A_PATH…]

It makes no objects. GCC takes these extensions without a word, and no MSVC is at hand. Tests are not among the sources.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

CLANG = "clang++-19"
# Pedantic: extensions of the language. The rest is what pedantic leaves out.
WARNINGS = ["-Werror", "-Wpedantic", "-Wgnu", "-Wvla", "-Wc99-extensions", "-Wzero-length-array", "-Wlanguage-extension-token",
            "-Wmicrosoft", "-Wno-unknown-warning-option", "-Wno-unknown-attributes", "-Wno-unused-command-line-argument",
            "-Wno-ignored-pragmas", "-Wno-ignored-gch", "-Wno-pragma-system-header-outside-header",
            # clang's cpuid.h and mm3dnow.h do not go with mingw-w64's intrin.h.
            "-D__CPUID_H", "-Wno-#warnings",
            # What MSVC knows as well: `, ##__VA_ARGS__` and `__COUNTER__`, and windows.h's casts of functions.
            "-Wno-gnu-zero-variadic-macro-arguments", "-Wno-cast-function-type-mismatch"]
TAKES_OUT = ("-Werror", "-fno-keep-inline-dllexport")
ROOT = pathlib.Path(__file__).resolve().parent.parent


def command_of(entry):
    words = shlex.split(entry["command"])
    while not words[0].endswith("g++-posix"):
        words.pop(0)
    kept = [CLANG, "--target=x86_64-w64-mingw32", "-fsyntax-only"]
    words = iter(words[1:])
    for word in words:
        if word in ("-o", "-include"):  # -include: a header that GCC compiled beforehand
            header = next(words)
            if word == "-include":
                kept += [word, header]
        elif word not in TAKES_OUT:
            kept.append(word)
    return kept + WARNINGS


def check(entry):
    done = subprocess.run(command_of(entry), cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return entry["file"], done.returncode, done.stdout


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    wanted = sys.argv[2:]
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
    chosen = []
    for entry in entries:
        path = pathlib.Path(entry["file"])
        place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if place.startswith(("core/", "ui/", "app/")) and (not wanted or any(part in place for part in wanted)):
            chosen.append(entry)
    if not chosen:
        sys.exit("no source of core, ui or app is in that build")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, code, text in pool.map(check, chosen):
            if code:
                failed += 1
                print(f"-- {file}\n{text}")
    print(f"{len(chosen)} sources, {failed} with something that is not portable")
    sys.exit(1 if failed else 0)


main()
