#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks resources/translations/*.ts: what a translation must keep of its text, and how many texts have none.

A text without a translation is shown in English. More than one of twenty is a failure.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources/translations"
LUPDATE = next(filter(None, map(shutil.which, ("/usr/lib/qt6/bin/lupdate", "lupdate-qt6", "lupdate6", "lupdate"))), None)
MOST_MISSING = 0.05


def messages(file):
    """{(context, text, comment): (forms, finished)}"""
    found = {}
    for context in xml.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [each.text or "" for each in translation.iter("numerusform")]
            if not forms:
                forms = [translation.text or ""]
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment"))
            found[key] = (forms, translation.get("type") is None and all(forms))
    return found


def marks(text):
    return sorted(re.findall(r"%(?:L?\d+|n)", text))


def letters(text):
    return len(re.findall(r"&(?=[^\s&])(?!\w+;)", text.replace("&&", "")))


def problems(text, form):
    if marks(form) != marks(text) and marks(form) != [each for each in marks(text) if each != "%n"]:
        yield "other places for values"
    if letters(form) != letters(text):
        yield "another number of & letters"
    if sorted(re.findall(r"</?\w+", form)) != sorted(re.findall(r"</?\w+", text)):
        yield "other tags"
    if form.endswith("…") != text.endswith("…"):
        yield "only one ends with …"
    if (form[:1].isspace(), form[-1:].isspace()) != (text[:1].isspace(), text[-1:].isspace()):
        yield "other spaces at the ends"
    if form.count("\n") != text.count("\n"):
        yield "other lines"
    if re.findall(r"\(\*[^)]*\)", form) != re.findall(r"\(\*[^)]*\)", text):
        yield "another filter of files"


def current_texts(folder):
    """Of the window as it is, by lupdate."""
    file = folder / "all.ts"
    done = subprocess.run([LUPDATE, "-silent", "-I", ".", "-locations", "none", "ui", "app", "-ts", file], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or not file.exists():
        sys.exit(f"{LUPDATE} failed: {done.stderr[-2000:]}")
    return messages(file)


def main():
    if not LUPDATE:
        sys.exit("lupdate is missing. Debian has it in qt6-l10n-tools.")
    files = sorted(FOLDER.glob("warplight_*.ts"))
    if not files:
        sys.exit(f"there is nothing in {FOLDER}")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        wanted = current_texts(pathlib.Path(folder))
    for file in files:
        known = messages(file)
        for (context, text, _), (forms, finished) in known.items():
            if not finished:
                continue
            for form in forms:
                for problem in problems(text, form):
                    print(f"{file.name}: {context}: “{text}”: {problem}: “{form}”")
                    failures += 1
        if file.stem.endswith("_en"):  # plurals only
            continue
        missing = [key for key in wanted if not known.get(key, ([], False))[1]]
        print(f"{file.name}: {len(wanted) - len(missing)} of {len(wanted)} texts are translated")
        if len(missing) > MOST_MISSING * len(wanted):
            failures += 1
            print("Too few. scripts/update-translations.sh marks those without; the first:")
            for context, text, _ in missing[:10]:
                print(f"  {context}: {text}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
