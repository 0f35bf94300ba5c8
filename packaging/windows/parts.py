#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the list of a Windows package's parts for packaging/sbom.py of its own table of libraries: parts.py TREE LIST
import csv
import sys
from pathlib import Path
from urllib.parse import quote

COLUMNS = ("file", "package", "version", "origin", "purl", "supplier", "licence", "licence_file", "relation")
DOCS = "share/doc/warplight"


def main():
    tree, target = Path(sys.argv[1]), Path(sys.argv[2])
    places = {path.name: path.relative_to(tree).as_posix() for path in tree.rglob("*.dll")}
    with open(tree / DOCS / "libraries.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with open(target, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            package, version, name = row["Debian package"], row["version"], row["# file"]
            writer.writerow({"file": "" if name == "-" else places[name], "package": package, "version": version,
                             "origin": f"{row['library']}, built for Windows of Debian's package {package} {version}",
                             "purl": f"pkg:deb/debian/{package}@{quote(version)}", "supplier": "Organization: Debian",
                             "licence": row["licence"], "licence_file": f"{DOCS}/{row['licence file']}",
                             "relation": "compiled in" if name == "-" else "carried"})


main()
