#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Downloads NVIDIA's NVRTC and CUDA headers, as NVIDIA's own wheels, into a toolkit folder of Warplight's cache.

The repository's scripts and the installed program use this one script. It needs Python 3.9 and pip, no root and no
package manager, and it touches nothing but its folder. The folder has a toolkit's usual layout: it serves as CUDA_PATH.
"""
from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

CUDA_RELEASE = "13.0"
MARKER = "warplight-toolkit.json"  # core/compiler/toolkit.cpp knows an installed folder by it
LICENCE = "https://docs.nvidia.com/cuda/eula/"


class Package(NamedTuple):
    version: str
    download: int  # MB on Linux x86_64, as everything that is announced
    unpacked: int  # MB
    hashes: tuple[str, ...]  # SHA-256 of the wheels of Linux x86_64, Linux aarch64 and Windows


# The one place that says which versions: compilers and headers of CUDA 13.0, so that they fit each other.
PACKAGES = {
    "nvidia-cuda-nvrtc": Package("13.0.88", 90, 114, (
        "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
        "d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b",
        "6bcd4e7f8e205cbe644f5a98f2f799bef9556fefc89dd786e79a16312ce49872")),
    "nvidia-cuda-runtime": Package("13.0.96", 2, 7, (
        "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
        "ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55",
        "f79298c8a098cec150a597c8eba58ecdab96e3bdc4b9bc4f9983635031740492")),
    "nvidia-cuda-crt": Package("13.0.88", 1, 1, (
        "2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4",
        "ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003",
        "31e02c52916804ca15e31f272a96181d8fadaf40c4c82a77a6f78071a22eccf3")),
    "nvidia-cuda-cccl": Package("13.0.85", 3, 18, (
        "e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649",
        "6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c",
        "e160c6f031687b913fbe6e82e43f1788c3dd2a2a6378d3a8b15a31934b3ab285")),
}
NVCC_PACKAGES = {
    "nvidia-cuda-nvcc": Package("13.0.88", 37, 116, (
        "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
        "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
        "7c3a32c8ca9866addfd784da363ddee2f6874d560027a296f583e86a61f2d543")),
    "nvidia-nvvm": Package("13.0.88", 62, 140, (
        "c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0",
        "c4376a291d72d22a315d9d2f69bdae8f8cd83a627f75bad395cee49a0fe65dc1",
        "2ef0db7849e476d3b2fc3c09b27bdd79bd7ea8ce58cd9c86553d64ea40844ba0")),
    # NVIDIA has no wheel of it for CUDA 13.0. A newer disassembler reads the code of older compilers.
    "nvidia-cuda-nvdisasm": Package("13.5.37", 5, 6, (
        "d3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca",
        "a3a8248074edb9fba63b74c38a5416b712a91ab09e70b8ab37186c3d293fc605",
        "aa42a3ecda8c58ff6ff2f9cbe1fc905d7f797a1ca4071941349fda114bf2a628")),
}


class Failure(Exception):
    """Ends the installation; its text says what to do."""


class Cancelled(BaseException):
    """SIGINT, SIGTERM or SIGHUP."""


def cache_folder() -> Path:
    """As core/compiler/cache.cpp has it."""
    chosen = os.environ.get("WARPLIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()) / "warplight"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    if xdg.startswith("/"):
        return Path(xdg) / "warplight"
    home = os.environ.get("HOME")
    return (Path(home) / ".cache" if home else Path(tempfile.gettempdir()) / f"cache-{os.getuid()}") / "warplight"


def installed_packages(folder: Path) -> dict[str, str]:
    """Names and versions; empty when the folder is not one that this script has completed."""
    try:
        return dict(json.loads((folder / MARKER).read_text(encoding="utf-8"))["packages"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


class Progress:
    """A line a step where a program reads; one line that is written over on a terminal; few lines elsewhere."""

    def __init__(self, machine: bool) -> None:
        self.machine = machine
        self.terminal = not machine and sys.stdout.isatty()
        self.last = ""
        self.told = 0.0

    def show(self, fraction: float, text: str) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        if self.machine:
            line = f"progress {fraction:.3f} {text}"
            if line != self.last:
                print(line, flush=True)
            self.last = line
        elif self.terminal:
            line = f"{fraction * 100:3.0f} %  {text}"
            print("\r" + line.ljust(len(self.last)), end="", flush=True)
            self.last = line
        elif fraction == 1.0 or time.monotonic() - self.told > 10:
            print(f"{fraction * 100:3.0f} %  {text}", flush=True)
            self.told = time.monotonic()

    def end(self) -> None:
        if self.terminal and self.last:
            print(flush=True)
        self.last = ""


def announcement(packages: dict[str, Package], folder: Path) -> str:
    download = sum(each.download for each in packages.values())
    unpacked = sum(each.unpacked for each in packages.values())
    lines = [f"NVIDIA's packages of CUDA {CUDA_RELEASE}, downloaded with pip:"]
    lines += [f"  {name} {each.version}".ljust(36) + f"{each.download:4} MB" for name, each in packages.items()]
    lines += [
        f"Download: about {download} MB. Disk space: about {unpacked} MB, in",
        f"  {folder}",
        "No root is needed, and nothing outside this folder changes. Removing the folder removes all of it.",
        "These packages are NVIDIA's, under NVIDIA's End User License Agreement:",
        f"  {LICENCE}",
        "Installing them means that you accept it.",
    ]
    return "\n".join(lines)


def agreed() -> bool:
    if not sys.stdin or not sys.stdin.isatty():
        raise Failure("There is no terminal to ask on. Give --yes to accept the licence and install.")
    try:
        return input("Install? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def pip_command() -> tuple[list[str], dict[str, str]]:
    """How pip is run here, and with which environment."""
    command = [sys.executable, "-m", "pip"]
    environment = dict(os.environ)

    def works() -> bool:
        return subprocess.run([*command, "--version"], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0

    if works():
        return command, environment
    # Python brings pip as a wheel, which runs as it is.
    bundled = list(Path("/usr/share/python-wheels").glob("pip-*.whl"))
    bundled += Path(sysconfig.get_path("stdlib"), "ensurepip", "_bundled").glob("pip-*.whl")
    for wheel in bundled:
        environment["PYTHONPATH"] = str(wheel)
        if works():
            return command, environment
    here = "" if os.name == "nt" else " on Debian and Ubuntu\n  sudo apt-get install python3-pip\nelsewhere"
    raise Failure("pip, Python's package installer, is missing. Install it and try again:"
                  f"{here}\n  {sys.executable} -m ensurepip --user")


def why_pip_failed(output: str, folder: Path) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    own_words = "\n".join("  pip: " + line for line in lines[-8:])
    if re.search(r"No space left|not enough space|Errno 28", output):
        return f"The disk of {folder} is full. Make room, or choose another folder with --folder.\n{own_words}"
    if re.search(r"DO NOT MATCH THE HASHES", output):
        return f"A downloaded package is not the one that NVIDIA published. Nothing of it was unpacked.\n{own_words}"
    if re.search(r"NewConnectionError|name resolution|Max retries|[Cc]onnection (refused|reset|broken|aborted)|"
                 r"timed out|Network is unreachable|ProxyError|getaddrinfo", output):
        return ("The packages cannot be downloaded: pip does not reach its package index. Check the network, and pip's "
                f"proxy and index settings (`pip config list`).\n{own_words}")
    if re.search(r"Could not find a version|No matching distribution", output):
        return (f"pip's package index has none of these packages for this system ({sysconfig.get_platform()}). NVIDIA "
                f"makes them for Linux on x86_64 and aarch64, and for Windows on x86_64.\n{own_words}")
    return f"pip failed.\n{own_words}"


def size_of(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for file in files:
            try:
                total += os.stat(os.path.join(place, file)).st_size
            except OSError:
                pass  # moved meanwhile
    return total


def download(packages: dict[str, Package], staging: Path, progress: Progress) -> list[Path]:
    command, environment = pip_command()
    wheels = staging / "wheels"
    temporary = staging / "tmp"
    wheels.mkdir()
    temporary.mkdir()
    requirements = staging / "requirements.txt"
    requirements.write_text("".join(
        f"{name}=={each.version} " + " ".join(f"--hash=sha256:{digest}" for digest in each.hashes) + "\n"
        for name, each in packages.items()), encoding="utf-8")
    # pip keeps what it is downloading in the temporary folder, which is how its progress is seen with every version.
    environment.update({name: str(temporary) for name in ("TMPDIR", "TEMP", "TMP")})
    command += ["download", "--no-deps", "--only-binary=:all:", "--require-hashes", "--no-cache-dir", "--no-input",
                "--disable-pip-version-check", "--progress-bar=off", "--retries=2", "--timeout=30",
                "-d", str(wheels), "-r", str(requirements)]
    expected = sum(each.download for each in packages.values())
    log = staging / "pip.log"
    with log.open("wb") as out, subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                                 stderr=subprocess.STDOUT) as pip:
        try:
            while True:
                done = (size_of(wheels) + size_of(temporary)) // 1_000_000
                progress.show(0.8 * done / expected, f"downloading: {min(done, expected)} of {expected} MB")
                try:
                    pip.wait(0.25)
                    break
                except subprocess.TimeoutExpired:
                    pass
        except BaseException:
            pip.terminate()
            try:
                pip.wait(5)
            except subprocess.TimeoutExpired:
                pip.kill()
            raise
    if pip.returncode != 0:
        raise Failure(why_pip_failed(log.read_text(encoding="utf-8", errors="replace"), staging.parent))
    return sorted(wheels.glob("*.whl"))


def place_of(member: str) -> str:
    """Where a wheel's file goes in the toolkit; empty: nowhere."""
    if member.endswith("/licenses/License.txt"):
        return "EULA.txt"
    inside = re.fullmatch(r"nvidia/[^/]+/(.+)", member)
    if not inside or member.endswith("/") or ".." in member.split("/"):
        return ""
    place = inside[1]
    # A second build of NVRTC that nothing opens takes as much as the first.
    if place.startswith(".metadata/") or ".alt." in place:
        return ""
    return place


def unpack(wheel: Path, toolkit: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            place = place_of(member.filename)
            if not place:
                continue
            target = toolkit / place
            target.parent.mkdir(parents=True, exist_ok=True)
            # The file may be a hard link to that of the toolkit before.
            target.unlink(missing_ok=True)
            with archive.open(member) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)
            if member.external_attr >> 16 & 0o111:
                target.chmod(0o755)


def link(target: str, name: Path) -> None:
    if name.exists() or name.is_symlink():
        return
    try:
        name.symlink_to(target)
    except OSError:
        source = name.parent / target
        shutil.copytree(source, name) if source.is_dir() else shutil.copy2(source, name)


def complete_layout(toolkit: Path) -> None:
    """The names that a toolkit has and wheels cannot: they contain no links."""
    if os.name == "nt":
        return
    libraries = toolkit / "lib"
    for library in sorted(libraries.glob("lib*.so.*")):
        if "builtins" not in library.name:
            link(library.name, libraries / (library.name.split(".so.")[0] + ".so"))
    link("lib", toolkit / "lib64")


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def remove_leftovers(folder: Path) -> None:
    """What killed installations left beside the folder."""
    for left in folder.parent.glob(f"{folder.name}.*-*"):
        match = re.fullmatch(re.escape(folder.name) + r"\.(?:installing|old)-(\d+)", left.name)
        if not match:
            continue
        # On Windows, asking whether a process lives may end it.
        old = time.time() - left.stat().st_mtime > 3600 if os.name == "nt" else not alive(int(match[1]))
        if old:
            shutil.rmtree(left, ignore_errors=True)


def put_in_place(staged: Path, folder: Path) -> None:
    before = folder.with_name(f"{folder.name}.old-{os.getpid()}")
    if folder.exists():
        folder.rename(before)
    try:
        staged.rename(folder)
    except BaseException:
        if before.exists():
            before.rename(folder)
        raise
    shutil.rmtree(before, ignore_errors=True)


def install(packages: dict[str, Package], folder: Path, progress: Progress) -> None:
    existing = installed_packages(folder)
    missing = {name: each for name, each in packages.items() if existing.get(name) != each.version}
    needed = sum(each.download + each.unpacked for each in missing.values()) * 1_000_000
    folder.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder.parent).free
    if free < needed:
        raise Failure(f"{folder.parent} has {free // 1_000_000} MB free, and {needed // 1_000_000} MB are needed. "
                      "Make room, or choose another folder with --folder.")
    remove_leftovers(folder)
    staging = folder.with_name(f"{folder.name}.installing-{os.getpid()}")
    try:
        staging.mkdir()
        toolkit = staging / "toolkit"
        if existing:
            shutil.copytree(folder, toolkit, symlinks=True, copy_function=link_or_copy)
            (toolkit / MARKER).unlink()  # or the old folder's own would be written
        else:
            toolkit.mkdir()
        wheels = download(missing, staging, progress)
        for number, wheel in enumerate(wheels):
            progress.show(0.8 + 0.2 * number / len(wheels), "unpacking " + wheel.name.split("-")[0].replace("_", "-"))
            unpack(wheel, toolkit)
        complete_layout(toolkit)
        versions = existing | {name: each.version for name, each in missing.items()}
        (toolkit / MARKER).write_text(json.dumps({"cuda": CUDA_RELEASE, "packages": versions}, indent=2) + "\n",
                                      encoding="utf-8")
        put_in_place(toolkit, folder)
        progress.show(1.0, "installed")
    finally:
        progress.end()
        shutil.rmtree(staging, ignore_errors=True)
        if staging.exists():
            print(f"{staging} could not be removed; it is of no use.", file=sys.stderr)


def cancel(number, frame) -> None:
    raise Cancelled


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=f"Install NVIDIA's NVRTC and CUDA headers, release {CUDA_RELEASE}, into a folder for Warplight.")
    parser.add_argument("--folder", type=Path, default=None,
                        help="where to; default: the toolkit folder of Warplight's cache, where programs look")
    parser.add_argument("--with-nvcc", action="store_true", help="nvcc too, what it needs, and nvdisasm")
    parser.add_argument("--yes", action="store_true", help="accept NVIDIA's licence, and do not ask")
    parser.add_argument("--dry-run", action="store_true", help="say what would be installed, and stop")
    parser.add_argument("--print", action="store_true", dest="print_folder",
                        help="print the folder of an installed toolkit, or end with 1 when there is none")
    parser.add_argument("--progress", action="store_true",
                        help="for programs: a line `progress FRACTION TEXT` for each step")
    return parser.parse_args(arguments)


def run(arguments: list[str]) -> int:
    options = parse(arguments)
    folder = Path(os.path.abspath(options.folder or cache_folder() / "toolkit"))
    packages = PACKAGES | NVCC_PACKAGES if options.with_nvcc else PACKAGES
    existing = installed_packages(folder)
    if options.print_folder:
        if not all(name in existing for name in packages):
            return 1
        print(folder)
        return 0
    if all(existing.get(name) == each.version for name, each in packages.items()):
        print(f"CUDA {CUDA_RELEASE} is installed already in {folder}")
        return 0
    if not existing and folder.exists() and any(folder.iterdir()):
        raise Failure(f"{folder} exists, and this program did not make it. Choose another folder with --folder.")
    missing = {name: each for name, each in packages.items() if existing.get(name) != each.version}
    print(announcement(missing, folder), flush=True)
    if options.dry_run:
        return 0
    if not options.yes and not agreed():
        print("Nothing was installed.")
        return 1
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), cancel)
    install(packages, folder, Progress(options.progress))
    print(f"CUDA {CUDA_RELEASE} is installed in {folder}")
    return 0


def main() -> int:
    if sys.version_info < (3, 9):
        print("error: Python 3.9 or later is needed; this is " + sys.version.split()[0], file=sys.stderr)
        return 1
    try:
        return run(sys.argv[1:])
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    except (Cancelled, KeyboardInterrupt):
        print("Cancelled: nothing was installed.", file=sys.stderr)
        return 130
    except zipfile.BadZipFile as error:
        print(f"error: A downloaded package cannot be unpacked: {error}. Nothing was installed.", file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno == errno.ENOSPC:
            print("error: The disk is full. Nothing was installed.", file=sys.stderr)
        else:
            print(f"error: {error}. Nothing was installed.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
