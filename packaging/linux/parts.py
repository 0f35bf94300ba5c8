#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the list of a package's parts for packaging/sbom.py, and copies their licences into the package.
# With --carry it also copies the libraries and the plugins of Qt into the package, so that it needs no other package.
#   parts.py TREE LIST [--carry]
# TREE is the folder that becomes the installation prefix. Needs the packages' database of Debian or Ubuntu.
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
# Qt's plugins: X11, no display at all, drawings in SVG, dead keys and input methods. Those for OpenGL are left out: the
# window draws without it, and a graphics driver brings libraries of its own into the process.
PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqminimal.so",
           "iconengines/libqsvgicon.so", "imageformats/libqsvg.so",
           "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
           "platforminputcontexts/libibusplatforminputcontextplugin.so")
# Libraries of headers, and Qt's translations: they are in the programs.
COMPILED_IN = {"nlohmann-json3-dev": "include/nlohmann/json.hpp", "libcli11-dev": "include/CLI/CLI.hpp",
               "libstb-dev": "include/stb/stb_image.h", "qt6-translations-l10n": "share/qt6/translations/qtbase_de.qm"}
COLUMNS = ("file", "package", "version", "origin", "purl", "supplier", "licence", "licence_file", "relation")


class PackagingError(Exception):
    pass


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    if result.returncode != 0:
        raise PackagingError(f"{' '.join(map(str, command))}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


def table(path):
    return [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def dynamic(path):
    """The names of the libraries that a file needs, and whether it says itself where they are."""
    text = run("readelf", "-dW", path)
    return (re.findall(r"\(NEEDED\).*\[(.+)\]", text), re.search(r"\((RPATH|RUNPATH)\)", text) is not None)


class Debian:
    """What the packages' database says."""

    def __init__(self):
        self.libraries = {}
        for name, path in re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)", run("ldconfig", "-p"), re.M):
            self.libraries.setdefault(name, Path(path))
        self.licences = dict(table(HERE.parent / "licences.tsv"))
        self.release = re.search(r'^PRETTY_NAME="(.+)"', Path("/etc/os-release").read_text(), re.M)[1]

    def library(self, name, needed_by):
        if name not in self.libraries:
            raise PackagingError(f"{needed_by} needs {name}, which the loader of this system does not find")
        return self.libraries[name]

    def owner(self, path):
        path = path.resolve()
        # The database has the names of before /lib became a link into /usr.
        for name in (path, Path("/").joinpath(*path.parts[2:]) if path.parts[1] == "usr" else Path("/usr") / path.relative_to("/")):
            found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
            if found.returncode == 0:
                return found.stdout.split(": ")[0].split(":")[0].split(",")[0]
        raise PackagingError(f"{path} belongs to no package: its version and licence are not known")

    def part(self, package, relation, file=""):
        form = "${Version}\t${source:Package}\t${source:Version}\t${db:Status-Abbrev}\n"
        version, source, source_version = next(line for line in run("dpkg-query", "-Wf", form, package).splitlines()
                                               if "\tii" in line).split("\t")[:3]
        licence = "NOASSERTION" if relation == "system" else self.licences.get(source)
        if licence is None:
            raise PackagingError(f"packaging/licences.tsv has no row for the source package {source} ({package})")
        return {"file": file, "package": package, "version": version, "source": source, "source_version": source_version,
                "origin": f"built by {self.release} from the source package {source} {source_version}",
                "purl": f"pkg:deb/{self.release.split()[0].lower()}/{package}@{quote(version)}?arch=amd64",
                "supplier": f"Organization: {self.release.split()[0]}", "licence": licence, "licence_file": "",
                "relation": relation}


class Tree:
    def __init__(self, root, debian):
        self.root, self.debian = root, debian
        self.private = root / "lib" / "warplight"
        self.system = {name for names, _ in table(HERE / "system-libraries.tsv") for name in names.split()}
        self.parts = []

    def carry(self):
        folder = Path(run("qtpaths6", "--query", "QT_INSTALL_PLUGINS").strip())
        for name in PLUGINS:
            if not (folder / name).exists():
                raise PackagingError(f"the plugin {name} is missing in {folder}")
            self.copy(folder / name, self.private / "plugins" / name)
        (self.root / "bin" / "qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = lib/warplight/plugins\n")
        waiting = sorted(path for path in self.root.rglob("*") if is_elf(path))
        own = [path for path in waiting if "plugins" not in path.parts]
        while waiting:
            for name in dynamic(waiting.pop())[0]:
                target = self.private / name
                if name in self.system or target.exists():
                    continue
                self.copy(self.debian.library(name, name), target)
                waiting.append(target)
        # Our programs lead to the libraries by DT_RPATH. Unlike DT_RUNPATH it holds for what the libraries need, too, so
        # that Debian's files stay as they are; and it comes before LD_LIBRARY_PATH, which often names the libraries of
        # another toolkit. The software device is also found as exec/libcuda.so.1, so it looks in the folder above.
        for path in own:
            where = "$ORIGIN/../lib/warplight" if path.parent.name == "bin" else "$ORIGIN:$ORIGIN/.."
            run("patchelf", "--force-rpath", "--set-rpath", where, path)
        for path in self.root.rglob("*"):
            if is_elf(path):
                path.chmod(0o755)  # rpmbuild reads the needs of programs only
        for path in self.private.rglob("*"):
            # A DT_RUNPATH of its own would end the search above.
            if path not in own and is_elf(path) and dynamic(path)[1]:
                run("patchelf", "--remove-rpath", path)
                for part in self.parts:
                    if part["file"] == path.relative_to(self.root).as_posix():
                        part["origin"] += "; its search path was removed"

    def copy(self, source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source.resolve(), target)
        self.parts.append(self.debian.part(self.debian.owner(source), "carried", target.relative_to(self.root).as_posix()))

    def list_system(self):
        """The packages of the libraries that are not in the package."""
        needed = {name for path in self.root.rglob("*") if is_elf(path) for name in dynamic(path)[0]}
        inside = {path.name for path in self.private.glob("*.so*")}
        owners = {self.debian.owner(self.debian.library(name, name)) for name in needed - inside}
        self.parts += [self.debian.part(owner, "system") for owner in sorted(owners)]

    def list_headers(self):
        for package, file in COMPILED_IN.items():
            if not (Path("/usr") / file).exists():
                raise PackagingError(f"/usr/{file} of the package {package} is missing")
            self.parts.append(self.debian.part(package, "compiled in"))

    def copy_licences(self):
        folder = self.root / "share" / "doc" / "warplight" / "licenses"
        folder.mkdir(parents=True, exist_ok=True)
        mentioned = set()
        for part in self.parts:
            if part["relation"] == "system":
                continue
            target = folder / f"{part['source']}.txt"
            text = Path("/usr/share/doc", part["package"], "copyright").read_bytes()
            # Two packages of one source have the same text, or texts with the same licences.
            if not target.exists():
                target.write_bytes(text)
            part["licence_file"] = target.relative_to(self.root).as_posix()
            mentioned |= set(re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text))
        # The texts refer to these files of a Debian system.
        for name in sorted(each.decode() for each in mentioned):
            source = Path("/usr/share/common-licenses", name)
            if source.exists():
                (folder / "common-licenses").mkdir(exist_ok=True)
                shutil.copy(source.resolve(), folder / "common-licenses" / name)
        rows = sorted({(p["source"], p["source_version"], p["licence"]) for p in self.parts if p["relation"] != "system"})
        text = [f"This package contains code of others, built by {self.debian.release.split()[0]} from the source packages below.",
                f"The sources are in the archive of {self.debian.release}. Each NAME.txt here is the licence of a source",
                "package; what it calls /usr/share/common-licenses is the folder common-licenses here.", ""]
        text += [f"{name} {version}: {licence}" for name, version, licence in rows]
        (folder / "README.txt").write_text("\n".join(text) + "\n")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tree", type=Path)
    arguments.add_argument("list", type=Path)
    arguments.add_argument("--carry", action="store_true")
    options = arguments.parse_args()
    tree = Tree(options.tree.resolve(), Debian())
    if options.carry:
        tree.carry()
    tree.list_system()
    tree.list_headers()
    tree.copy_licences()
    lines = ["\t".join(COLUMNS)] + ["\t".join(part[column] for column in COLUMNS) for part in tree.parts]
    options.list.write_text("\n".join(lines) + "\n")


try:
    main()
except PackagingError as error:
    sys.exit(f"parts.py: {error}")
