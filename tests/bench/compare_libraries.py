#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of the software device, compared on one machine in one session:

  compare_libraries.py [--passes N] [--rounds N] KERNEL_BENCH BEFORE.so AFTER.so [KERNEL…]

Runs kernel_bench with each library in turn, so that both meet the machine in the same moods. Prints a row a kernel
(median of all rounds, milliseconds; after divided by before), the geometric mean, and the kernels over 1.05.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


def measure(bench, library, rounds, kernels):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "times.json"
        environment = dict(os.environ, WARPLIGHT_SOFTWARE_LIBRARY=str(library.resolve()))
        ran = subprocess.run([bench, "--rounds", str(rounds), "--json", output, *kernels], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if ran.returncode != 0 or not output.exists():
            sys.exit(f"{bench} with {library}:\n{ran.stdout}")
        return {each["name"]: each["software"] for each in json.loads(output.read_text())["kernels"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    libraries = {"before": options.before, "after": options.after}
    times = {which: {} for which in libraries}
    for turn in range(options.passes):
        for which in list(libraries)[:: 1 if turn % 2 else -1]:
            for name, result in measure(options.bench, libraries[which], options.rounds, options.kernels).items():
                if "ms" not in result:
                    sys.exit(f"{name} did not run with {libraries[which]}: {result}")
                times[which].setdefault(name, []).extend(result["ms"])
    print(f"{'kernel':20} {'before':>9} {'after':>9} {'ratio':>7}")
    ratios = {}
    for name, before in times["before"].items():
        before, after = statistics.median(before), statistics.median(times["after"][name])
        ratios[name] = after / before
        print(f"{name:20} {before:9.3f} {after:9.3f} {ratios[name]:7.3f}")
    mean = math.exp(statistics.mean(math.log(ratio) for ratio in ratios.values()))
    slower = [name for name, ratio in ratios.items() if ratio > 1.05]
    print(f"{'geometric mean':40} {mean:7.3f}")
    print("over 1.05: " + (", ".join(slower) or "none"))


if __name__ == "__main__":
    main()
