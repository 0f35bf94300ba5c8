#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of the device interface: which test shows each entry to work, on which device.

  table.py [--results DIR]            writes docs/device-interface.md
  table.py --check [--results DIR]    fails when an entry has no passing test on the software device, or the page is stale
  table.py --record DIR --device TEXT keeps a GPU's results: what tests/gpu/run.sh left in DIR

inventory.tsv lists the entries. A test names those that it covers in comments right above its function:
  // covers: mem_alloc(bytes), DeviceAllocation.free()
  // covers: enum ctx_flags.*
A name without its parameter list will do where there is one entry of that name. A test of constants, which no device
has a say in, says so in one more comment: // needs no device. open.txt lists the entries that have
no passing test yet; it may only shrink.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "device_interface"
PAGE = ROOT / "docs" / "device-interface.md"
NO_DEVICE = "no device needed"
CUDA_RESULTS = ROOT / "tests" / "gpu" / "results" / "cuda.tsv"
TITLES = {
    "1": "Versions and initialisation", "2": "Errors", "2b": "Result codes and their classes", "3": "Enumerations",
    "3+": "Enumerations that newer drivers added", "4": "Devices", "5": "Contexts", "6": "Streams and events",
    "7": "Device memory", "8": "Host memory", "9": "Arrays, textures, surfaces", "10": "Fills", "11": "Copies",
    "12": "Structured copies", "13": "Modules and the linker", "14": "Kernels", "15": "Profiler",
    "16": "Memory pools", "17": "Compiler",
}


class Entry:
    def __init__(self, section, name, cpp, min_cuda):
        self.section, self.name, self.cpp, self.min_cuda = section, name, cpp, min_cuda
        self.tests = []  # (program, function), in the order found

    def state(self, results):
        """The best that its tests give: pass, else fail, skip or nothing."""
        states = {results.get(test) for test in self.tests}
        return next((state for state in ("pass", "fail", "skip") if state in states), None)


def read_inventory():
    lines = (HERE / "inventory.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Entry(*line.split("\t")) for line in lines if line]


def normal(name):
    return re.sub(r"\s+", "", name)


def split_names(text):
    """At the commas that are in no parentheses."""
    names, depth, name = [], 0, ""
    for letter in text:
        depth += letter in "(["
        depth -= letter in ")]"
        if letter == "," and depth <= 0:
            names.append(name.strip())
            name = ""
        else:
            name += letter
    return [n for n in names + [name.strip()] if n]


def read_covers():
    """(program, function) → names, and where each stands; and the tests that need no device."""
    covers, without_device = [], set()
    for path in sorted((ROOT / "tests").glob("**/*.cpp")):
        pending, needs_none = [], False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.match(r"\s*// needs no device$", line):
                needs_none = True
                continue
            comment = re.match(r"\s*// covers: (.*)", line)
            if comment:
                pending.append((comment.group(1), number))
                continue
            if re.match(r"\s*//", line) or not (pending or needs_none):
                continue
            function = re.match(r"\s*void (\w+?)(?:_data)?\(\)", line)  # the rows of a test stand before it
            if not function:
                sys.exit(f"{path.relative_to(ROOT)}:{number}: a test function is to follow '// covers:'")
            for text, where in pending:
                covers.append((path.stem, function.group(1), split_names(text), f"{path.relative_to(ROOT)}:{where}"))
            if needs_none:
                without_device.add((path.stem, function.group(1)))
            pending, needs_none = [], False
        if pending:
            sys.exit(f"{path.relative_to(ROOT)}: '// covers:' at the end of the file")
    return covers, without_device


def read_enumerations():
    """The text of each enumeration and namespace of flags in the public headers."""
    found = {}
    for path in sorted((ROOT / "core" / "include" / "warplight").glob("*.hpp")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"(?:enum class|namespace) (\w+)(?: : \w+)? *\{([^{}]*)\}", text):
            found[match.group(1)] = match.group(2)
    found["device_attribute"] = (ROOT / "core" / "include" / "warplight" / "device_attributes.def").read_text(
        encoding="utf-8")
    return found


def attach(entries, covers):
    """Ties tests to entries; returns what names nothing."""
    exact, base = {}, {}
    for entry in entries:
        exact.setdefault(normal(entry.name), []).append(entry)
        base.setdefault(normal(entry.name.split("(")[0]), []).append(entry)
    problems, headers = [], read_enumerations()
    for program, function, names, where in covers:
        for name in names:
            group = re.fullmatch(r"enum (\w+)(\.\*)?", name)
            if group:
                enum = group.group(1)
                found = [e for e in entries if e.section in ("3", "3+") and
                         (e.name == enum or e.name.startswith(enum + "."))]
                # A member counts only where the headers have it.
                for entry in [e for e in found if e.section == "3"]:
                    member = entry.cpp.split("::")[-1]
                    if not re.search(rf"\b{member}\b", headers.get(enum, "")):
                        problems.append(f"{where}: no public header has {entry.cpp}")
                        found.remove(entry)
                if enum == "CUresult":
                    found = [e for e in entries if e.section == "2b"]
            else:
                found = exact.get(normal(name)) or base.get(normal(name), [])
                if len(found) > 1 and len({e.name for e in found}) > 1:
                    problems.append(f"{where}: '{name}' may be " + " or ".join(f"'{e.name}'" for e in found))
                    continue
            if not found:
                problems.append(f"{where}: there is no entry '{name}'")
            for entry in found:
                if (program, function) not in entry.tests:
                    entry.tests.append((program, function))
    return problems


def read_junit(folder):
    """Results of Qt Test programs: (program, function) → pass, fail or skip. A function with data is as good as its
    worst row."""
    rank = {"pass": 0, "skip": 1, "fail": 2}
    results = {}
    for path in sorted(folder.glob("*.xml")):
        try:
            root = xml.etree.ElementTree.parse(path).getroot()
        except xml.etree.ElementTree.ParseError:
            continue  # the program ended in the middle: none of its tests passed
        for case in root.iter("testcase"):
            function = case.get("name", "").split("(")[0]
            state = "pass"
            if case.find("failure") is not None or case.find("error") is not None:
                state = "fail"
            elif case.find("skipped") is not None:
                state = "skip"
            key = (path.stem, function)
            old = results.get(key)
            results[key] = state if old is None or rank[state] > rank[old] else old
    return results


def read_recorded():
    device, results = "", {}
    if CUDA_RESULTS.exists():
        for line in CUDA_RESULTS.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                device = line[2:]
            elif line:
                program, function, state = line.split("\t")
                results[program, function] = state
    return device, results


def record(folder, device):
    results = read_junit(folder)
    if not results:
        sys.exit(f"no results of test programs in {folder}")
    # What another machine has shown, one with two GPUs say, stays where this one skips.
    for key, state in read_recorded()[1].items():
        if state == "pass" and results.get(key) == "skip":
            results[key] = state
    CUDA_RESULTS.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"# {device}"] + ["\t".join((*key, state)) for key, state in sorted(results.items())]
    CUDA_RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def escape(text):
    return text.replace("|", "\\|")


def on_cuda(entry, software, cuda, without_device):
    """What the table says of an entry on CUDA."""
    state = entry.state(cuda)
    if state != "pass" and any(test in without_device and software.get(test) == "pass" for test in entry.tests):
        return NO_DEVICE
    return state or "—"


def page(entries, software, device, cuda, without_device, open_names):
    said = {entry: on_cuda(entry, software, cuda, without_device) for entry in entries}

    def count(text):
        return sum(each == text for each in said.values())

    lines = [
        "# The device interface, entry by entry",
        "",
        "Made by `tests/device_interface/table.py` from the tests and their results; not edited by hand.",
        "Each entry is named as in the manual, with its C++ name, and the test that shows it to work: `program::function`.",
        "",
        f"{len(entries)} entries; shown on the software device: "
        f"{sum(entry.state(software) == 'pass' for entry in entries)}, "
        f"on CUDA: {count('pass')}" + (f" ({device})" if device else "") +
        f", constants that need no device: {count(NO_DEVICE)}; open: {len(open_names)}.",
        "",
    ]
    section = None
    for entry in entries:
        if entry.section != section:
            section = entry.section
            lines += ["", f"## {TITLES.get(section, section)}", "",
                      "| entry | C++ | since CUDA | test | software | CUDA |", "|---|---|---|---|---|---|"]
        shown = next((t for state in ("pass", "fail", "skip", None) for t in entry.tests
                      if software.get(t) == state), None)
        lines.append("| " + " | ".join((
            f"`{escape(entry.name)}`", f"`{escape(entry.cpp)}`", entry.min_cuda,
            f"`{shown[0]}::{shown[1]}`" if shown else "—",
            entry.state(software) or "—", said[entry])) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "release" / "tests" / "results")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--device", default="a GPU")
    parser.add_argument("--write-open", action="store_true", help="writes open.txt as things are")
    arguments = parser.parse_args()
    if arguments.record:
        record(arguments.record, arguments.device)
        return

    entries = read_inventory()
    covers, without_device = read_covers()
    problems = attach(entries, covers)
    software = read_junit(arguments.results)
    if not software:
        sys.exit(f"no results of test programs in {arguments.results}: run ctest first")
    device, cuda = read_recorded()
    keyed = {f"{entry.section} {entry.name}": entry for entry in entries}
    open_file = HERE / "open.txt"
    missing = [key for key, entry in keyed.items() if entry.state(software) != "pass"]
    if arguments.write_open:
        open_file.write_text("".join(key + "\n" for key in missing), encoding="utf-8")
    open_names = open_file.read_text(encoding="utf-8").splitlines() if open_file.exists() else []
    for key in open_names:
        if key not in keyed:
            problems.append(f"open.txt: there is no entry '{key}'")
        elif key not in missing:
            problems.append(f"open.txt: '{key}' has a passing test: take it off the list")
    for key in missing:
        if key not in open_names:
            tests = ", ".join(f"{p}::{f} ({software.get((p, f), 'not run')})" for p, f in keyed[key].tests)
            problems.append(f"'{key}' has no passing test on the software device" + (f": {tests}" if tests else ""))
    text = page(entries, software, device, cuda, without_device, open_names)
    if arguments.check:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            problems.append(f"{PAGE.relative_to(ROOT)} is stale: run tests/device_interface/table.py")
    else:
        PAGE.write_text(text, encoding="utf-8")
    for problem in problems:
        print(problem, file=sys.stderr)
    passed = sum(entry.state(software) == "pass" for entry in entries)
    print(f"device interface: {passed} of {len(entries)} entries shown on the software device, "
          f"{len(open_names)} open, {len(problems)} problems")
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
