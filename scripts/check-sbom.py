#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Checks the bill of materials in an unpacked package against SPDX 2.3 and against the files: check-sbom.py FOLDER
# Debian's packages node-spdx-license-ids and node-spdx-exceptions have the list of licences.
import hashlib
import json
import re
import sys
from pathlib import Path
from urllib.parse import urlparse

PLACE = "share/doc/warplight/warplight.spdx.json"
LISTS = Path("/usr/share/nodejs")
FILE_TYPES = {"SOURCE", "BINARY", "ARCHIVE", "APPLICATION", "AUDIO", "IMAGE", "TEXT", "VIDEO", "DOCUMENTATION", "SPDX", "OTHER"}
RELATIONS = {"DESCRIBES", "CONTAINS", "STATIC_LINK", "DYNAMIC_LINK"}
# Fields that must be there, with the form of their text; a question mark for those that may be absent.
DOCUMENT = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": ".+",
            "documentNamespace": r"https?://[^#]+"}
PACKAGE = {"SPDXID": r"SPDXRef-[A-Za-z0-9.-]+", "name": ".+", "versionInfo": ".+", "downloadLocation": "NOASSERTION|NONE|.+://.+",
           "supplier": "NOASSERTION|(Person|Organization): .+", "copyrightText": ".+", "sourceInfo?": ".+",
           "primaryPackagePurpose?": "APPLICATION|LIBRARY"}
FILE = {"SPDXID": r"SPDXRef-[A-Za-z0-9.-]+", "fileName": r"\./.+", "copyrightText": ".+"}
problems = []


def complain(*words):
    problems.append(" ".join(map(str, words)))


def check_fields(what, element, fields):
    for field, form in fields.items():
        name = field.rstrip("?")
        value = element.get(name)
        if value is None:
            if not field.endswith("?"):
                complain(what, "has no", name)
        elif not isinstance(value, str) or not re.fullmatch(form, value, re.S):
            complain(what, f"{name} is", repr(value))


def check_licence(what, expression, extracted):
    if expression in ("NOASSERTION", "NONE"):
        return
    licences = json.loads((LISTS / "spdx-license-ids/index.json").read_text())
    exceptions = json.loads((LISTS / "spdx-exceptions/index.json").read_text())
    # expression: term ((AND|OR) term)*, term: LICENCE [WITH EXCEPTION] or ( expression )
    words = re.findall(r"[()]|[^\s()]+", expression or "")

    def take(kind, accept):
        if not words or not accept(words[0]):
            raise ValueError(f"{kind} expected at {' '.join(words) or 'the end'}")
        return words.pop(0)

    def term():
        if words[:1] == ["("]:
            words.pop(0)
            terms()
            take(")", lambda word: word == ")")
            return
        take("licence", lambda word: word.removesuffix("+") in licences or word in extracted)
        if words[:1] == ["WITH"]:
            words.pop(0)
            take("exception", lambda word: word in exceptions)

    def terms():
        term()
        while words and words[0] in ("AND", "OR"):
            words.pop(0)
            term()

    try:
        terms()
        if words:
            raise ValueError(f"end expected at {' '.join(words)}")
    except ValueError as error:
        complain(what, f"licence {expression!r}:", error)


def check_files(root, document):
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file() and not path.is_symlink()} - {PLACE}
    named = {each["fileName"].removeprefix("./") for each in document["files"]}
    for name in sorted(there ^ named):
        complain(name, "is in the package alone" if name in there else "is in the bill alone")
    for each in document["files"]:
        name = each["fileName"]
        check_fields(name, each, FILE)
        if not set(each.get("fileTypes", ["?"])) <= FILE_TYPES:
            complain(name, "has the types", each.get("fileTypes"))
        sums = {one["algorithm"]: one["checksumValue"] for one in each["checksums"]}
        if "SHA1" not in sums:
            complain(name, "has no SHA1")
        if name.removeprefix("./") in there:
            data = (root / name).read_bytes()
            for algorithm, value in sums.items():
                if hashlib.new(algorithm.lower(), data).hexdigest() != value:
                    complain(name, "has another", algorithm)


def check_packages(root, document):
    extracted = {each["licenseId"]: each["extractedText"] for each in document["hasExtractedLicensingInfos"]}
    files = {each["SPDXID"]: each for each in document["files"]}
    contents = {}
    for each in document["relationships"]:
        if each["relationshipType"] == "CONTAINS" and each["relatedSpdxElement"] in files:
            contents.setdefault(each["spdxElementId"], []).append(files.pop(each["relatedSpdxElement"]))
    for each in files.values():
        complain(each["fileName"], "belongs to no package")
    for package in document["packages"]:
        name = package["name"]
        check_fields(name, package, PACKAGE)
        for field in ("licenseDeclared", "licenseConcluded"):
            check_licence(name, package.get(field), extracted)
        inside = contents.get(package["SPDXID"], [])
        if package["filesAnalyzed"] != bool(inside):
            complain(name, "says that its files are", "" if package["filesAnalyzed"] else "not", "listed")
        if inside:
            text = "".join(sorted(one["checksumValue"] for each in inside for one in each["checksums"] if one["algorithm"] == "SHA1"))
            if package["packageVerificationCode"]["packageVerificationCodeValue"] != hashlib.sha1(text.encode()).hexdigest():
                complain(name, "has another verification code")
            if package["licenseDeclared"] == "NOASSERTION":
                complain(name, "is in the package without a licence")
        for reference in package.get("externalRefs", []):
            if urlparse(reference["referenceLocator"]).scheme != "pkg" or reference["referenceCategory"] != "PACKAGE-MANAGER":
                complain(name, "has the reference", reference)
    for text in extracted.values():
        if len(text) < 20:
            complain("a licence without text:", text)


def check_relations(document):
    ids = [each["SPDXID"] for kind in ("packages", "files") for each in document[kind]] + [document["SPDXID"]]
    for each in sorted({each for each in ids if ids.count(each) > 1}):
        complain(each, "is there twice")
    ids = set(ids)
    related = set()
    for each in document["relationships"]:
        if each["relationshipType"] not in RELATIONS or not {each["spdxElementId"], each["relatedSpdxElement"]} <= ids:
            complain("relation", each)
        related.add(each["relatedSpdxElement"])
    for each in ids - related - {document["SPDXID"]}:
        complain(each, "is related to nothing")


def main():
    root = Path(sys.argv[1])
    if not LISTS.joinpath("spdx-license-ids/index.json").exists():
        sys.exit("check-sbom.py: node-spdx-license-ids is not installed: tests/run.sh package installs it")
    document = json.loads((root / PLACE).read_text())
    check_fields("the document", document, DOCUMENT)
    creation = document["creationInfo"]
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation["created"]) or not creation["creators"]:
        complain("creationInfo is", creation)
    if not all(re.match("(Tool|Organization|Person): .", each) for each in creation["creators"]):
        complain("creators are", creation["creators"])
    check_files(root, document)
    check_packages(root, document)
    check_relations(document)
    for problem in problems:
        print(f"{PLACE}: {problem}", file=sys.stderr)
    print(f"bill of materials: {len(document['packages'])} packages, {len(document['files'])} files")
    sys.exit(1 if problems else 0)


main()
