#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the bill of materials of a package, SPDX 2.3 in JSON, into the folder that becomes the package:
#   sbom.py TREE LIST VERSION          writes TREE/share/doc/warplight/warplight.spdx.json
# LIST names the parts that are not Warplight's own: tab-separated, with these columns in its first line:
#   file          its path in TREE; empty for a part that is not a file of the package
#   package       its name, and version
#   version
#   origin        where it comes from, a phrase; may be empty
#   purl          its address as a package URL; may be empty
#   supplier      "Organization: NAME"
#   licence       an SPDX expression, or NOASSERTION
#   licence_file  the file in TREE with the licence's text; needed where the expression has a LicenseRef
#   relation      carried, compiled in, or system (of the system that runs the programs)
import csv
import hashlib
import json
import os
import re
import sys
import time
import uuid
from pathlib import Path

PLACE = "share/doc/warplight/warplight.spdx.json"
NOTHING = "NOASSERTION"
# The additional permission of LICENSE is no exception that SPDX lists.
OWN_PERMISSION = "LicenseRef-GPL-3.0-or-later-with-permission-to-combine-with-CUDA"
OWN_LICENCE = f"Apache-2.0 AND {OWN_PERMISSION}"
RELATIONS = {"carried": "CONTAINS", "compiled in": "STATIC_LINK", "system": "DYNAMIC_LINK"}


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words))


def digest(name, data):
    return hashlib.new(name, data).hexdigest()


def describe_file(path, place):
    data = path.read_bytes()
    kind = "BINARY" if data[:4] == b"\x7fELF" or data[:2] == b"MZ" else "TEXT" if b"\0" not in data else "OTHER"
    # The digest of the path: names that differ only in their signs have different identifiers.
    return {"SPDXID": identifier("File", place, digest("sha1", place.encode())[:8]), "fileName": "./" + place,
            "fileTypes": [kind], "licenseConcluded": NOTHING, "copyrightText": NOTHING,
            "checksums": [{"algorithm": name.upper(), "checksumValue": digest(name, data)} for name in ("sha1", "sha256")]}


def describe_package(name, version, supplier, licence):
    return {"SPDXID": identifier("Package", name), "name": name, "versionInfo": version, "supplier": supplier,
            "downloadLocation": NOTHING, "filesAnalyzed": False, "licenseConcluded": NOTHING, "licenseDeclared": licence,
            "copyrightText": NOTHING}


def give_files(package, files):
    sums = sorted(each["checksums"][0]["checksumValue"] for each in files)
    package["filesAnalyzed"] = True
    package["licenseInfoFromFiles"] = [NOTHING]
    package["packageVerificationCode"] = {"packageVerificationCodeValue": digest("sha1", "".join(sums).encode())}


def relate(one, kind, other):
    return {"spdxElementId": one["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}


def extracted(root, reference, licence_file):
    if not licence_file:
        sys.exit(f"sbom.py: {reference} has no file with its text")
    return {"licenseId": reference, "name": reference.removeprefix("LicenseRef-").replace("-", " "),
            "extractedText": (root / licence_file).read_text(errors="replace")}


def main():
    root, parts, version = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    with open(parts, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    files = {}
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root).as_posix()
        if path.is_file() and not path.is_symlink() and place != PLACE:
            files[place] = describe_file(path, place)
    own = describe_package("warplight", version, "Organization: The Warplight authors", OWN_LICENCE)
    own["primaryPackagePurpose"] = "APPLICATION"
    packages, relations, texts = {"": own}, [], {OWN_PERMISSION: extracted(root, OWN_PERMISSION, "share/doc/warplight/LICENSE")}
    contents, taken = {}, set()
    for row in rows:
        name = row["package"]
        if name not in packages:
            package = packages[name] = describe_package(name, row["version"], row["supplier"], row["licence"])
            if row["origin"]:
                package["sourceInfo"] = row["origin"]
            if row["purl"]:
                package["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                            "referenceLocator": row["purl"]}]
            relations.append(relate(own, RELATIONS[row["relation"]], package))
            for reference in re.findall(r"LicenseRef-[A-Za-z0-9.-]+", row["licence"]):
                texts.setdefault(reference, extracted(root, reference, row["licence_file"]))
        if row["file"]:
            if row["file"] not in files:
                sys.exit(f"sbom.py: {row['file']} of the list is not in {root}")
            contents.setdefault(name, []).append(files[row["file"]])
            taken.add(row["file"])
    contents[""] = [each for place, each in files.items() if place not in taken]
    for name, inside in contents.items():
        give_files(packages[name], inside)
        relations += [relate(packages[name], "CONTAINS", each) for each in inside]
    own["packageVerificationCode"]["packageVerificationCodeExcludedFiles"] = ["./" + PLACE]
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"warplight-{version}", "documentDescribes": [own["SPDXID"]], "packages": list(packages.values()),
                "files": list(files.values()), "relationships": relations,
                "hasExtractedLicensingInfos": list(texts.values())}
    # The same contents have the same name, and other contents another.
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    document["documentNamespace"] = f"https://spdx.org/spdxdocs/warplight-{version}-{name}"
    now = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    document["creationInfo"] = {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)),
                                "creators": ["Tool: warplight-sbom.py", "Organization: The Warplight authors"]}
    document["relationships"].append(relate(document, "DESCRIBES", own))
    (root / PLACE).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


main()
