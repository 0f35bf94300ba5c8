#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Links inside the docs lead somewhere, docs/jit.md names each file of the JIT once, and the code of docs/library.md is
# that of the programs that are tested.
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
problems = []


def tracked(pattern):
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", pattern]
    return [Path(line) for line in subprocess.run(command, cwd=ROOT, check=True, capture_output=True,
                                                  text=True).stdout.splitlines()]


def anchors_of(page):
    """The anchors that a Markdown page's headings get, as code hosts make them."""
    anchors = set()
    for heading in re.findall(r"^#+ +(.+?)\s*$", without_code(page), re.M):
        text = re.sub(r"[^\w\- ]", "", heading.lower())
        anchors.add(text.replace(" ", "-"))
    return anchors


def without_code(page):
    return re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)


def check_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists():
            problems.append(f"{page}: the link to {target} leads nowhere")
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file.resolve().relative_to(ROOT)):
            problems.append(f"{page}: {target} has no such heading")


def check_files_of_jit():
    folder = Path("core/software/jit")
    units = {str(file.relative_to(folder).with_suffix("")) for file in tracked(f"{folder}/*")
             if file.suffix in (".cpp", ".hpp")}
    # A file has a row of its own: | `emit/emitter` | … |
    named = re.findall(r"^\| `([\w/]+)` \|", (ROOT / "docs/jit.md").read_text(), re.M)
    for unit in sorted(units - set(named)):
        problems.append(f"docs/jit.md has no row for {folder}/{unit}")
    for unit in sorted(set(named) - units):
        problems.append(f"docs/jit.md has a row for {folder}/{unit}, which does not exist")
    for unit in sorted({unit for unit in named if named.count(unit) > 1}):
        problems.append(f"docs/jit.md has two rows for {unit}")


def check_code_of_library():
    page = "docs/library.md"
    text = (ROOT / page).read_text()
    programs = {str(file) for file in tracked("examples/library/*.cpp")}
    quoted = set()
    # A block of C++ stands below the name of the program that it is a part of.
    for program, code in re.findall(r"(?:^<!-- (\S+) -->\n)?^```cpp\n(.*?)^```$", text, re.M | re.S):
        first = code.strip().splitlines()[0]
        if program not in programs:
            problems.append(f"{page}: the code that begins with '{first}' names no program")
        elif code not in (ROOT / program).read_text():
            problems.append(f"{page}: the code that begins with '{first}' is not that of {program}")
        quoted.add(program)
    program = "examples/library/from_pycuda.cpp"
    source = (ROOT / program).read_text()
    for cells in re.findall(r"^\| (?!PyCUDA).*? \| (`.*) \|$", text.partition("## From PyCUDA")[2], re.M):
        for code in re.findall(r"`([^`]+)`", cells):
            if code not in source:
                problems.append(f"{page}: {program} has no '{code}'")
    for missing in sorted(programs - quoted - {program}):
        problems.append(f"{page} shows nothing of {missing}")


for page in tracked("*.md"):
    check_links(page)
check_code_of_library()
check_files_of_jit()
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
