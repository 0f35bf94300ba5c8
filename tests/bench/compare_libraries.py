#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of the software device, compared on one machine in one session:

  compare_libraries.py [--passes N] [--rounds N] [--processor-time] [--more] KERNEL_BENCH BEFORE.so AFTER.so [KERNEL…]
  compare_libraries.py [--passes N] [--rounds N] --after-bench KERNEL_BENCH.exe KERNEL_BENCH BEFORE.so AFTER.dll [KERNEL…]

  compare_libraries.py [--passes N] [--rounds N] --after-checks LIST KERNEL_BENCH LIBRARY.so LIBRARY.so [KERNEL…]
  compare_libraries.py [--passes N] [--rounds N] --after-profile KERNEL_BENCH LIBRARY.so LIBRARY.so [KERNEL…]

The second compares Linux with Windows: programs of Windows run under Wine. The third tells what checks of running
kernels cost (docs/checks.md), the fourth what a profile of them costs (docs/profile.md).

Each kernel runs alone in a process, with one library and then with the other, in turns: one process may be faster than
the next by a third, and a machine's speed drifts. Prints a row a kernel (median milliseconds; the median over the passes
of after divided by before, with its quartiles), the geometric mean, and the kernels over 1.05. KERNEL: part of a name.
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


WINE = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "wine.sh"


def under_wine(bench):
    return bench.suffix == ".exe" and os.name != "nt"


def path_for(bench, path):
    """An absolute path as the benchmark's system names it."""
    return "Z:" + str(path).replace("/", "\\") if under_wine(bench) else str(path)


def names_of(bench, more):
    listed = subprocess.run([bench, "--list"] + more, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.strip()]


def measure(bench, library, instrument, options, kernel):
    """The median time of one process."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "times.json"
        environment = dict(os.environ, WARPLIGHT_SOFTWARE_LIBRARY=path_for(bench, library.resolve()),
                           **instrument)
        command = ([WINE] if under_wine(bench) else []) + [bench]
        ran = subprocess.run(command + (["--processor-time"] if options.processor_time else []) + options.more +
                             ["--rounds", str(options.rounds), "--json", path_for(bench, output), kernel],
                             env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if ran.returncode != 0 or not output.exists():
            sys.exit(f"{bench} {kernel} with {library} ended with {ran.returncode}:\n{ran.stdout}")
        result = next(each for each in json.loads(output.read_text())["kernels"] if each["name"] == kernel)["software"]
        if "ms" not in result:
            sys.exit(f"{kernel} did not run with {library}: {result}")
        return statistics.median(result["ms"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--after-bench", type=pathlib.Path, help="the benchmark that runs AFTER; default: KERNEL_BENCH")
    parser.add_argument("--after-checks", default="", help="checks of running kernels, made with AFTER alone")
    parser.add_argument("--after-profile", action="store_true", help="AFTER profiles the kernels")
    parser.add_argument("--processor-time", action="store_true", help="as KERNEL_BENCH has it, for busy machines")
    parser.add_argument("--more", action="store_const", const=["--more"], default=[], help="KERNEL_BENCH's other kernels")
    parser.add_argument("--passes", type=int, default=8, help="processes of each library and kernel, at least 2")
    parser.add_argument("--rounds", type=int, default=7, help="launches measured in a process")
    options = parser.parse_args()
    if options.passes < 2:
        parser.error("--passes takes 2 or more")
    kernels = [name for name in names_of(options.bench, options.more)
               if not options.kernels or any(part in name for part in options.kernels)]
    if not kernels:
        sys.exit("no kernel has such a name")
    instrument = {"WARPLIGHT_SOFTWARE_CHECKS": options.after_checks,
                  "WARPLIGHT_SOFTWARE_PROFILE": "1" if options.after_profile else "0"}
    nothing = {"WARPLIGHT_SOFTWARE_CHECKS": "", "WARPLIGHT_SOFTWARE_PROFILE": "0"}
    print(f"{'kernel':20} {'before':>9} {'after':>9} {'ratio':>7}  quartiles")
    ratios = {}
    for name in kernels:
        before, after = [], []
        for turn in range(options.passes):
            order = [(options.bench, options.before, nothing, before),
                     (options.after_bench or options.bench, options.after, instrument, after)]
            for bench, library, looked_at, times in order if turn % 2 else reversed(order):
                times.append(measure(bench, library, looked_at, options, name))
        pairs = [b / a for a, b in zip(before, after)]
        ratios[name] = statistics.median(pairs)
        low, _, high = statistics.quantiles(pairs, n=4)
        print(f"{name:20} {statistics.median(before):9.3f} {statistics.median(after):9.3f} {ratios[name]:7.3f}"
              f"  {low:.3f} to {high:.3f}", flush=True)
    mean = math.exp(statistics.mean(math.log(ratio) for ratio in ratios.values()))
    slower = [name for name, ratio in ratios.items() if ratio > 1.05]
    print(f"{'geometric mean':40} {mean:7.3f}")
    print("over 1.05: " + (", ".join(slower) or "none"))


if __name__ == "__main__":
    main()
