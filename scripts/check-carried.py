#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Checks a self-contained package, unpacked: check-carried.py FOLDER GLIBC [ROOT LOG…]
# - each library that a file needs is inside, or listed in packaging/linux/system-libraries.tsv
# - no file needs a symbol of a glibc later than GLIBC, or of a runtime of GCC later than systems with that glibc have
# - each library inside is found by the search path of the programs alone
# With the root that a program ran in and what LD_DEBUG=files told of it: no library of the system needs one that is
# inside, but for those named below.
import re
import subprocess
import sys
from pathlib import Path

ALLOWED = Path(__file__).resolve().parent.parent / "packaging/linux/system-libraries.tsv"
# The runtime of GCC 12, which is older than glibc 2.36. Other archives are for the release that they were made on.
GCC = {"2.36": {"GLIBCXX": "3.4.30", "CXXABI": "1.3.13", "GCC": "12.0.0"}}
# Ubuntu 24.04's libXdmcp and libICE take random numbers from libbsd, by a function that it has had since 2009.
SHARED = {"libbsd.so.0", "libmd.so.0"}
problems = []


def read(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True, capture_output=True, text=True).stdout


def entries(path, kind):
    return re.findall(rf"\({kind}\).*\[(.+)\]", read(path, "-d"))


def number(version):
    return tuple(int(part) for part in version.split("."))


def is_elf(path):
    return path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"


def check_tree(root, glibc):
    allowed = {name for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")
               for name in line.split("\t")[0].split()}
    folder = root / "lib/warplight"
    inside = {path.name for path in folder.glob("*.so*")}
    files = [path for path in root.rglob("*") if is_elf(path)]
    used, newest = set(), (0,)
    most = {"GLIBC": glibc, **GCC.get(glibc, {})}
    for path in files:
        place = path.relative_to(root)
        for name in entries(path, "NEEDED"):
            if name in inside:
                used.add(name)
            elif name not in allowed:
                problems.append(f"{place} needs {name}, which is neither inside nor in {ALLOWED.name}")
        for family, version in re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)", read(path, "-V").partition(
                "Version needs section")[2]):
            if family in most and number(version) > number(most[family]):
                problems.append(f"{place} needs {family}_{version}; the most is {most[family]}")
            if family == "GLIBC":
                newest = max(newest, number(version))
        paths = entries(path, "RPATH")
        if entries(path, "RUNPATH"):
            problems.append(f"{place} has a RUNPATH, which ends the search by the programs' RPATH")
        if path.parent == root / "bin" and paths != ["$ORIGIN/../lib/warplight"]:
            problems.append(f"{place} does not lead to lib/warplight: {paths}")
        if path.name == "libwarplight-cuda.so" and paths != ["$ORIGIN:$ORIGIN/.."]:
            problems.append(f"{place} does not lead to its folder: {paths}")
    for name in sorted(inside - used - {"libwarplight-cuda.so"}):
        problems.append(f"nothing needs {name}")
    print(f"{len(files)} files, {len(inside)} libraries inside; the newest symbols of glibc are GLIBC_" +
          ".".join(map(str, newest)))
    return inside


def check_loaded(inside, package, root, log):
    """LD_DEBUG=files names each file once its dependencies are loaded."""
    loaded = {Path(name) for name in re.findall(r"calling init: (/\S.*)", log.read_text(errors="replace"))}
    system = [path for path in loaded if package not in str(path)]
    if len(system) < 3 or len(loaded) - len(system) < 1:
        problems.append(f"{log} does not tell which libraries were loaded")
    for path in sorted(system):
        file = root / path.relative_to("/")
        for name in set(entries(file, "NEEDED")) & inside - SHARED:
            problems.append(f"{path} of the system needs {name}, and gets the package's: list it in {ALLOWED.name}")
    print(f"{log.name}: {len(loaded) - len(system)} libraries of the package and {len(system)} of the system")


folder = Path(sys.argv[1])
inside = check_tree(folder, sys.argv[2])
for log in sys.argv[4:]:
    check_loaded(inside, folder.name, Path(sys.argv[3]), Path(log))
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
