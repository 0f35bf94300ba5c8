#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over core, ui and app: check-tidy.py BUILD_FOLDER [FILE…]

A file found clean is remembered by a digest of all that the answer depends on (its text, the project's headers it
includes, the system's by size and time, the command, .clang-tidy, clang-tidy's version) and not read again until one of
them changes. What is read shares precompiled system headers, one for each kind of target, and is checked without the
system's declarations (tidy_scope.cpp).
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"
CLANG = "clang++-19"
LLVM = pathlib.Path("/usr/lib/llvm-19")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplight-tidy"
REMEMBERED_DAYS = 30

# Targets without a precompiled header of their own get one of these, by what their files include.
STANDARD = ["algorithm", "atomic", "chrono", "cstdint", "cstring", "filesystem", "functional", "map", "memory", "mutex",
            "optional", "string", "string_view", "thread", "utility", "vector"]
COMMON_HEADERS = {"standard": STANDARD, "json": STANDARD + ["nlohmann/json.hpp"]}

# GCC's own, clang's that only GCC needs to be told, and what would keep targets from sharing precompiled headers.
GCC_ONLY = {"-Winvalid-pch", "-Wno-restrict", "-Wno-array-bounds", "-Wno-stringop-overflow", "-Wno-maybe-uninitialized",
            "-Wno-dangling-reference", "-fPIC", "-fPIE"}

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)


def digest_of(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def stamp_of(path):
    """A system file by name, size and time: its text is not read."""
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


class Headers:
    """What a source includes: all the way down within the repository, one step out of it."""

    def __init__(self):
        self.direct = {}  # path -> (digest of its text, [(quoted, name)])

    def read(self, path):
        if path not in self.direct:
            text = pathlib.Path(path).read_bytes()
            includes = [(m[1] == b'"', m[2].decode()) for m in INCLUDE.finditer(text)]
            self.direct[path] = (hashlib.sha256(text).hexdigest(), includes)
        return self.direct[path]

    def closure(self, source, folders):
        """(path -> digest of the repository's files, stamps of the system's in `folders`, every name included)"""
        own, system, names, waiting = {}, set(), set(), [source]
        while waiting:
            path = waiting.pop()
            if path in own:
                continue
            own[path], includes = self.read(path)
            for quoted, name in includes:
                names.add(name)
                for folder in [os.path.dirname(path)] * quoted + folders:
                    found = os.path.normpath(os.path.join(folder, name))
                    if os.path.isfile(found):
                        if found.startswith(f"{ROOT}/"):
                            waiting.append(found)
                        else:
                            system.add(stamp_of(found))
                        break
        return own, sorted(system), names


class Source:
    def __init__(self, entry, headers):
        self.path, self.folder = entry["file"], entry["directory"]
        words = iter(shlex.split(entry["command"])[1:])
        self.flags, self.header = [], None
        folders = []
        for word in words:
            if word in ("-o", "-c"):
                next(words)
            elif word == "-include":
                self.header = next(words)
            elif word == "-isystem":
                folders.append(next(words))
                self.flags += [word, folders[-1]]
            elif word in GCC_ONLY:
                continue
            else:
                if word.startswith("-I"):
                    folders.append(word[2:])
                self.flags.append(word)
        self.flags.append("-fPIC")
        self.own, self.system, names = headers.closure(self.path, folders)
        if self.header is None:
            self.header = "json" if "nlohmann/json.hpp" in names else "standard"

    def kind(self):
        """What sources that share precompiled headers have in common."""
        if self.header in COMMON_HEADERS:  # found without a folder of their own, and no macro changes them
            shared = ("-O", "-std", "-fPIC", "-fwrapv", "-DNDEBUG")
            return self.header, tuple(flag for flag in self.flags if flag.startswith(shared))
        return self.header, tuple(flag for flag in self.flags if not flag.startswith("-I"))

    def key(self, tools, shared):
        text = [tools, shared.digest, *self.flags, *self.system]
        text += [f"{path} {digest}" for path, digest in sorted(self.own.items())]
        return digest_of(*(part.replace(str(ROOT), ".") for part in text))


class SharedHeaders:
    """System headers that sources of one kind share, precompiled when first needed."""

    def __init__(self, folder, header, flags, tools):
        if header in COMMON_HEADERS:
            text = "".join(f"#include <{name}>\n" for name in COMMON_HEADERS[header])
        else:
            text = pathlib.Path(header).read_text().replace("#pragma GCC system_header", "")
        self.flags = flags
        name = digest_of(tools, text, *flags)[:16]
        self.source, self.output, self.used = (folder / f"{name}{end}" for end in (".hpp", ".pch", ".used"))
        if not self.source.is_file():
            self.source.write_text(text)
        self.digest = None

    def prepare(self):
        if self.output.is_file() and self.used.is_file():
            used, _, self.digest = self.used.read_text().rpartition("\n")
            if self.digest == self.state(used.split("\n")):
                return
        self.build()

    @staticmethod
    def state(used):
        return digest_of(*(stamp_of(path) if os.path.exists(path) else path for path in used))

    def build(self):
        rules = self.output.with_suffix(".d")
        subprocess.run([CLANG, *self.flags, "-x", "c++-header", self.source, "-o", self.output, "-MD", "-MF", rules],
                       check=True)
        names = rules.read_text().replace("\\\n", " ").split()[1:]
        used = sorted({name for name in names if name != str(self.source)})
        self.digest = self.state(used)
        self.used.write_text("\n".join([*used, self.digest]))


def scope_plugin(folder):
    """The options that load the plugin; none where clang's own headers are not installed."""
    source = ROOT / "scripts/tidy_scope.cpp"
    library = folder / f"scope-{digest_of(source.read_text())[:16]}.so"
    if not library.is_file():
        if not (LLVM / "include/clang/Frontend/FrontendPluginRegistry.h").is_file():
            print("without libclang-19-dev this takes twice as long", file=sys.stderr)
            return []
        subprocess.run([CLANG, "-std=c++17", "-O1", "-fPIC", "-shared", "-fno-rtti", "-isystem", LLVM / "include",
                        source, "-o", library], check=True)
    return ["-load", str(library)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    entries = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text())}
    names = sys.argv[2:] or subprocess.run(
        ["git", "ls-files", "core/*.cpp", "ui/*.cpp", "app/*.cpp", ":!*windows*"], cwd=ROOT, check=True, text=True,
        stdout=subprocess.PIPE).stdout.split()
    paths = [str((ROOT / name).resolve()) for name in names]
    unknown = [path for path in paths if path not in entries or not os.path.isfile(path)]
    if unknown:
        print(f"not part of {build}: {' '.join(unknown)}", file=sys.stderr)
        paths = [path for path in paths if path not in unknown]

    start = time.monotonic()
    version = subprocess.run([TIDY, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout
    tools = digest_of(version, (ROOT / ".clang-tidy").read_text(), (ROOT / "scripts/tidy_scope.cpp").read_text())
    headers = Headers()
    sources = [Source(entries[path], headers) for path in paths]
    shared = {source.kind(): None for source in sources}
    for kind in shared:
        shared[kind] = SharedHeaders(folder, *kind, version)
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    list(pool.map(SharedHeaders.prepare, shared.values()))
    pending = []
    for source in sources:
        precompiled = shared[source.kind()]
        stamp = CACHE / source.key(tools, precompiled)
        if stamp.exists():
            stamp.touch()
        else:
            pending.append((source, precompiled, stamp))
    plugin = scope_plugin(folder) if pending else []

    def check(source, precompiled, stamp):
        command = [TIDY, *plugin, "--quiet", source.path, "--", CLANG, *source.flags, "-include-pch",
                   str(precompiled.output)]
        result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=source.folder)
        if result.returncode == 0 and not result.stdout:
            now = Headers()  # what was edited meanwhile is not what was read
            if all(now.read(path)[0] == digest for path, digest in source.own.items()):
                stamp.touch()
            return True
        noise = r"\d+ (warning|error)s? (generated|treated)|Suppressed|Use -|$"
        said = [line for line in result.stderr.splitlines() if not re.match(noise, line)]
        print("\n".join([result.stdout, *said]).strip(), flush=True)
        return False

    # The longest first, so that none is left alone at the end.
    pending.sort(key=lambda each: -os.path.getsize(each[0].path))
    clean = sum(pool.map(lambda each: check(*each), pending))
    for stamp in CACHE.iterdir():
        if time.time() - stamp.stat().st_mtime > REMEMBERED_DAYS * 86400:
            stamp.unlink(missing_ok=True)
    print(f"{len(paths)} files: {len(paths) - len(pending)} unchanged since they were clean, {clean} clean, "
          f"{len(pending) - clean} with findings, {time.monotonic() - start:.0f} s")
    return bool(unknown) or clean != len(pending)


if __name__ == "__main__":
    sys.exit(main())
