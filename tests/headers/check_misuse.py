#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Statements that must not compile, each with what the compiler's first error says:
check_misuse.py INCLUDE_FOLDER COMPILER. The same program without them compiles."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = """
#include "warplight/context.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/memory.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace warplight::driver;
using warplight::NdArray;

void use(const Function& k, const DeviceAllocation& d, const Graph& graph, std::vector<float>& x, float* p,
         const Function& f, std::size_t n, NdArray& array) {
    struct Pair {
        float a, b;
    };
    (void)k, (void)d, (void)graph, (void)x, (void)p, (void)f, (void)n, (void)array;
    %s;
}
"""

UNNAMED = "a launch names its extents: f(Grid{1}, Block{32}, ...)"
TEMPORARY = r"\bInOut\b.*deleted|deleted.*\bInOut\b"
# Statement, what the first error says (a text, or a pattern).
CASES = [
    ("k({1, 32}, d, 5)", UNNAMED),
    ("k({n, 32}, d, 5)", UNNAMED),
    ("k({{1}, {32}}, d, 5)", UNNAMED),
    ("k({{1, 1}, {32, 1}}, d, 5)", UNNAMED),
    ("k(1, 32, d, 5)", UNNAMED),
    ("k(d, 5)", UNNAMED),
    ("k(Block{32}, Grid{1}, d, 5)", UNNAMED),
    ("k({.grid = Block{1}, .block = {32}}, d, 5)", "no match"),
    ("LaunchConfig config{{1}, {32}}", re.compile("MembersByName")),
    ("graph.add_kernel_node({}, f, {1, 32}, d)", re.compile("LaunchConfig|add_kernel_node")),
    ("k(Grid{1}, Block{32}, x)", "a kernel takes no array of the host: pass In(x), Out(x) or InOut(x)"),
    ("k(Grid{1}, Block{32}, std::span(x))", "a kernel takes no array of the host"),
    ("k(Grid{1}, Block{32}, \"text\")", "a kernel takes no array of the host"),
    ("k(Grid{1}, Block{32}, p)", "a kernel takes no host pointer: pass In(x), Out(x), InOut(x)"),
    ("k(Grid{1}, Block{32}, &d)", "a kernel takes no host pointer"),
    ("k({.grid = {1}, .block = {32}}, d, x)", "a kernel takes no array of the host"),
    ("k.prepared_call({1}, {32}, x)", "a kernel takes no array of the host"),
    ("graph.add_kernel_node({}, f, {.grid = {1}, .block = {32}}, p)", "a kernel takes no host pointer"),
    ("k(Grid{1}, Block{32}, std::make_unique<float>(1.0f))", "a kernel takes numbers, trivially copyable structs"),
    ("k(Grid{1}, Block{32}, InOut(std::vector<float>(4)))", re.compile(TEMPORARY)),
    ("auto later = InOut(std::vector<float>(4))", re.compile(TEMPORARY)),
    ("k(Grid{1}, Block{32}, Out(std::array<float, 4>{}))", re.compile(TEMPORARY.replace("InOut", "Out"))),
    ("auto later = In(std::vector<float>(4))", re.compile(TEMPORARY.replace("InOut", "In"))),
]
FINE = """k(Grid{1}, Block{32}, d, 5);
    k(Grid{1, 2}, Block{32, 2, 2}, d, n, Pair{1, 2}, nullptr, true, 2.5f);
    k({1}, {32}, d, 5);
    k({.grid = {1}, .block = {32}, .shared = 64}, d, 5);
    k({.grid = {1, 2, 3}, .block = {32}}, In(x), Out(x), InOut(std::span(x)), InOut(array), In(NdArray(array)));
    k.prepared_call({1}, {32}, d);
    (void)graph.add_kernel_node({}, f, {.grid = {1}, .block = {32}}, d)"""


def first_error(include, compiler, source, statement):
    source.write_text(PROGRAM % statement, encoding="utf-8")
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", str(source)]
    result = subprocess.run(command, capture_output=True, text=True,
                            env={**os.environ, "LC_ALL": "C"})
    errors = re.findall(r"error: (.*)", result.stderr)
    return errors[0] if errors else ""


def main():
    include, compiler = sys.argv[1], sys.argv[2]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "program.cpp"
        if error := first_error(include, compiler, source, FINE):
            wrong += 1
            print(f"what is right does not compile: {error}")
        for statement, expected in CASES:
            error = first_error(include, compiler, source, statement)
            said = expected.search(error) if isinstance(expected, re.Pattern) else expected in error
            if not error or not said:
                wrong += 1
                print(f"{statement}\n  gives: {error or 'no error'}")
    print(f"{len(CASES)} statements, {wrong} problems")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
