#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which folder of core includes which, and that nothing includes each other in a circle.

Circles are looked for among the units of core and among the folders of ui. A unit is a header and the .cpp of the same
name, such as context.hpp and context.cpp; platform_linux.cpp belongs to platform.hpp. A public header of
core/include/warplight is a unit by itself: the classes there name each other as their manual does, and their .cpp files
are in the folders above.
"""
import fnmatch
import os
import re
import subprocess
import sys
from collections import defaultdict

# A folder of core, lowest first, and the folders and files that it may include besides itself. A folder that has no line
# belongs to the nearest one above it that has: to tell folders of software/jit apart, give each a line.
LAYERS = {
    # The device interface and the compilers: public headers, the driver that they call, what implements them.
    "include/warplight": [],
    "files": [],
    "ptx_text": [],
    # What programs did with devices; written by the software device and the runtime library, read by the window.
    "launch_log": [],
    # What checks of running kernels find; made by the software device, read by sessions and the programs.
    "findings": [],
    # What kernels did by line; made by the software device, read by sessions and the programs.
    "profile": ["findings"],
    "driver": ["files", "include/warplight"],
    # The runtime API for programs of others: over any driver, and nothing of the device interface.
    "runtime_api": ["driver", "include/warplight", "launch_log"],
    "interface": ["driver", "include/warplight", "files", "ptx_text"],
    "compiler": ["driver", "files", "include/warplight", "ptx_text"],
    # NVRTC's names for other programs: it finds NVIDIA's as the compilers here do.
    "nvrtc": ["compiler", "files"],
    # The software device is a driver, below the interface. They share types and tables of CUDA's, nothing else.
    "software/ptx": ["ptx_text"],
    # What warps do, from what their threads do.
    "software/profile": ["profile", "findings"],
    # The JIT, from the ABI up to the front (docs/jit.md). Files of the folder itself are its interface and the strategy.
    "software/jit/abi": [],
    "software/jit/library": ["software/jit/abi", "software/ptx"],
    "software/jit/analysis": ["software/jit/abi", "software/ptx"],
    "software/jit/lanes": ["software/jit/analysis", "software/ptx"],
    "software/jit": ["software/jit/lanes", "software/jit/analysis", "software/jit/abi", "software/ptx"],
    "software/jit/emit": ["software/jit", "software/jit/lanes", "software/jit/analysis", "software/jit/library",
                          "software/jit/abi", "software/ptx", "profile"],
    "software/jit/passes": ["software/jit/emit", "software/jit", "software/jit/abi"],
    "software/jit/object": ["software/jit/passes", "software/jit", "software/jit/library", "software/jit/abi", "files"],
    "software/jit/front": ["software/jit/object", "software/jit/passes", "software/jit/emit", "software/jit",
                           "software/jit/lanes", "software/jit/analysis", "software/jit/abi", "software/ptx"],
    # What kernels do wrong, judged from events alone, and from notes that their code makes.
    "software/checks": ["findings", "software/jit/abi"],
    # Between the software device and debuggers.
    "software/stepping": ["software/jit/abi", "software/ptx"],
    "software/runtime": ["software/stepping", "software/jit", "software/jit/abi", "software/jit/library", "software/jit/object/decompress.hpp",
                         "software/ptx", "software/checks", "software/profile", "files", "findings", "profile", "launch_log",
                         "driver/graph_types.hpp",
                         "include/warplight/device_attributes.def"],
    "software/entry": ["files", "findings", "profile", "software/profile", "software/checks", "software/runtime", "software/jit", "software/jit/abi", "software/ptx", "driver/entry_points.def"],
    # The debugger: an engine over the software device, and (dap) its protocol for editors.
    "debug": ["software/stepping", "software/jit/abi", "software/ptx"],
    # Arrays in files of other programs: NumPy's archives, HDF5, sound, pictures, text.
    "formats": ["driver/library.hpp", "files", "include/warplight", "interface/input.hpp"],
    # Sessions are written in terms of the public interface. The worker runs them in a process of its own.
    "session": ["driver", "files", "findings", "formats", "profile", "include/warplight", "debug/local_arrays.hpp",
                "debug/layout.hpp", "debug/layouts.hpp", "compiler/include_reach.hpp", "compiler/sha256.hpp"],
    # Sessions as programs of other libraries.
    "export": ["session", "compiler", "files", "include/warplight"],
    # Launches of programs as sessions.
    "import": ["session", "compiler", "files", "launch_log", "include/warplight"],
    # Runs that were kept; the programs read and add them.
    "history": ["session", "compiler", "files"],
    "worker": ["formats", "session", "compiler", "driver", "files", "include/warplight", "debug/layout.hpp"],
    # Workers on other machines, through the system's ssh.
    "remote": ["worker", "session", "compiler", "driver", "files", "include/warplight"],
    # Sweeps and classes as tasks of this machine's devices or of a cluster.
    "cluster": ["remote", "worker", "session", "files", "compiler/include_reach.hpp", "compiler/platform.hpp",
                "include/warplight"],
    # A run as a page for readers.
    "page": ["formats/png.hpp", "history", "worker", "session", "profile", "findings", "include/warplight"],
    "debug/dap": ["debug", "software/stepping", "session", "worker", "compiler", "driver", "files", "include/warplight"],
}

# The circles that are there, each with its reason. The lists only ever get shorter: who leaves a circle leaves its line.
# "*" stands for any folders and letters.
UNIT_CIRCLES = [
    (["core/compiler/instances", "core/compiler/signatures"],
     "a template's signature lists its instances, whose types are those of a signature"),
    (["core/session/pieces", "core/session/pieces_visit"], "one unit, whose templates have a header of their own"),
]
UI_FOLDER_CIRCLES = [
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.M)
NAME = "scripts/check-layers.py"
ROOTS = ("core", "core/include", "ui", ".")


def tracked(*folders):
    # Git refuses a checkout that belongs to someone else, as root's does under sudo; nothing of it is run here.
    command = ["git", "-c", f"safe.directory={os.getcwd()}", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run([*command, "--", *folders], check=True, capture_output=True, text=True).stdout.split("\n")
    return sorted(f for f in listed if f.endswith((".cpp", ".hpp", ".def")) and os.path.exists(f))


def resolve(file, path, files):
    """The file of this checkout that an include means: beside the file, else below one of the roots."""
    for root in (os.path.dirname(file), *ROOTS):
        candidate = os.path.normpath(os.path.join(root, path))
        if candidate in files:
            return candidate
    return None


def read_includes(files):
    includes = {}
    for file in files:
        with open(file, encoding="utf-8") as text:
            found = {resolve(file, path, files) for path in INCLUDE.findall(text.read())}
        includes[file] = sorted(found - {None, file})
    return includes


def unit_of(file, files):
    stem = os.path.splitext(file)[0]
    shared = re.sub(r"_(linux|windows)$", "", stem)
    return shared if file.endswith(".cpp") and shared + ".hpp" in files and stem + ".hpp" not in files else stem


def graph_of(includes, group):
    """Edges between groups of files, each with an include that makes it; headers' are preferred."""
    edges = defaultdict(dict)
    for file in sorted(includes, key=lambda f: (f.endswith(".cpp"), f)):
        for target in includes[file]:
            a, b = group(file), group(target)
            if a and b and a != b:
                edges[a].setdefault(b, (file, target))
    return edges


def circles(edges):
    """Groups that can reach each other: Tarjan's strongly connected components of more than one."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for target in edges.get(node, ()):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in on_stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            members = set()
            while node not in members:
                member = stack.pop()
                on_stack.discard(member)
                members.add(member)
            if len(members) > 1:
                found.append(members)

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def circle_through(start, members, edges):
    """The shortest circle of members that begins with start."""
    paths, seen = [[start]], {start}
    while paths:
        path = paths.pop(0)
        for target in sorted(edges.get(path[-1], ())):
            if target == start:
                return path
            if target in members and target not in seen:
                seen.add(target)
                paths.append([*path, target])
    return None


def check_circles(edges, known, what):
    complaints = []
    nodes = set(edges) | {target for targets in edges.values() for target in targets}
    allowed = [{n for n in nodes if any(fnmatch.fnmatchcase(n, p) for p in patterns)} for patterns, _ in known]
    found = circles(edges)
    for members in found:
        exception = next((units for units in allowed if units & members), set())
        if members <= exception:
            continue
        # Of a circle that has grown, one that goes through a new unit.
        circle = min((circle_through(m, members, edges) for m in sorted(members - exception)), key=len)
        steps = []
        for a, b in zip(circle, [*circle[1:], circle[0]]):
            file, target = edges[a][b]
            steps.append(f"    {a} -> {b}: {file} includes {target}")
        complaint = f"{what} include each other in a circle:\n" + "\n".join(steps)
        if others := sorted(members - set(circle)):
            complaint += "\n    also in circles with these: " + ", ".join(others)
        complaints.append(complaint)
    in_circles = set().union(*found)
    for patterns, _ in known:
        for pattern in patterns:
            if not any(fnmatch.fnmatchcase(n, pattern) for n in in_circles):
                complaints.append(f"{pattern} is in no circle any longer: take it out of the list in {NAME}")
    return complaints


def layer_of(file):
    folder = os.path.dirname(os.path.relpath(file, "core"))
    while folder and folder not in LAYERS:
        folder = os.path.dirname(folder)
    return folder


def check_layers(includes):
    complaints = []
    for file, targets in includes.items():
        layer = layer_of(file)
        if not layer:
            complaints.append(f"{file}: its folder is in no layer of {NAME}")
            continue
        for target in targets:
            if not target.startswith("core/"):
                continue  # check-style.sh says that core knows no ui
            below = layer_of(target)
            if below == layer or below in LAYERS[layer] or target.removeprefix("core/") in LAYERS[layer]:
                continue
            may = ", ".join(LAYERS[layer]) or "no other folder"
            complaints.append(f"{file} includes {target}: core/{layer} may include {may}")
    return complaints


def check_table():
    """A folder may include folders above it in the table only."""
    order = list(LAYERS)
    return [f"{NAME}: core/{layer} may include core/{below}, which does not stand above it in the table"
            for layer in order for below in LAYERS[layer]
            if not any(below == known or below.startswith(known + "/") for known in order[:order.index(layer)])]


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = set(tracked("core", "ui"))
    includes = read_includes(sorted(files))
    core = {f: t for f, t in includes.items() if f.startswith("core/")}
    ui = {f: t for f, t in includes.items() if f.startswith("ui/")}
    complaints = check_table() + check_layers(core)
    complaints += check_circles(graph_of(core, lambda f: unit_of(f, files)), UNIT_CIRCLES, "units of core")
    folders = graph_of(ui, lambda f: os.path.dirname(f) if f.count("/") > 1 else None)
    complaints += check_circles(folders, UI_FOLDER_CIRCLES, "folders of ui")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


sys.exit(main())
