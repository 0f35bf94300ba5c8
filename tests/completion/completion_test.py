#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Types command lines into bash and zsh on a terminal, with Tab where "\t" stands, and looks at the words that the
# command is given: completion_test.py SHELL WARPLIGHT_CLI
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What is typed, and what the command is started with. The folder has saxpy.cu and "two words.warplight".
CASES = [
    ("dev\t", ["devices"]),
    ("devices --attr\t", ["devices", "--attributes"]),
    ("compile sax\t", ["compile", "saxpy.cu"]),
    ("compile --em\trep\tsaxpy.cu", ["compile", "--emit=report", "saxpy.cu"]),
    ("compile --emit cu\tsaxpy.cu", ["compile", "--emit", "cubin", "saxpy.cu"]),
    ("compile -o sax\t", ["compile", "-o", "saxpy.cu"]),
    ("run two\t", ["run", "two words.warplight"]),
    ("run --out fol\t", ["run", "--out", "folder/"]),
    ("run --uncon\t--coop\t", ["run", "--unconfined", "--cooperative"]),
    ("toolkit inst\t--dry\t", ["toolkit", "install", "--dry-run"]),
    ("toolkit --js\t", ["toolkit", "--json"]),
    ("doctor --driver so\t", ["doctor", "--driver", "software"]),
    ("completion z\t", ["completion", "zsh"]),
    ("exec --rou\t4K -- program_of_the_te\tsax\t", ["exec", "--round-allocations=4K", "--", "program_of_the_test", "saxpy.cu"]),
    ("exec --wor\t2 -- program_of_the_te\t", ["exec", "--workers=2", "--", "program_of_the_test"]),
    ("compile-h\t", ["compile-h"]),  # commands for the worker alone are not offered
    ("wro\t", ["wro"]),
]


class Shell:
    def __init__(self, command, environment, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text, re.S)):
            if time.monotonic() > end:
                sys.exit(f"the shell did not answer {pattern!r}; it said:\n{self.text}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
                except OSError:
                    sys.exit(f"the shell ended; it said:\n{self.text}")
        self.text = self.text[found.end():]
        return found

    def settle(self):
        """Waits until the shell has drawn what a key did."""
        while select.select([self.terminal], [], [], 0.15)[0]:
            self.text += os.read(self.terminal, 65536).decode(errors="replace").replace("\r\n", "\n")


def setup(shell, cli, folder):
    script = subprocess.run([cli, "completion", shell], check=True, capture_output=True, text=True).stdout
    # The command as a function: it is completed like the program, and prints its words.
    words = r"""warplight-cli() { printf '<%s>' "$@"; printf '\nEND\n'; }""" + "\n"
    if shell == "bash":
        (folder / "rc").write_text(f"{script}\n{words}bind 'set bell-style none'\nPS1='% '\n")
        return ["bash", "--noprofile", "--rcfile", str(folder / "rc"), "-i"]
    (folder / "_warplight-cli").write_text(script)
    # The second line is what packages rely on: a file of this name in a folder of fpath.
    (folder / ".zshrc").write_text(f"fpath=({folder} $fpath)\nautoload -U compinit && compinit -u -D\n"
                                   f"{words}PS1='% '\nunsetopt beep zle_bracketed_paste\n")
    return ["zsh", "-d", "-i"]


def plain(words):
    """Shells differ in whether they write --option=value or --option value, and leave a / at the end of a folder."""
    return " ".join(words).replace("=", " ").rstrip("/")


def main():
    shell, cli = sys.argv[1:]
    if not shutil.which(shell):
        sys.exit(f"{shell} is not installed: tests/run.sh installs it")
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        configuration, folder, programs = top / "configuration", top / "data", top / "programs"
        for each in (configuration, folder / "folder", programs):
            each.mkdir(parents=True)
        (folder / "saxpy.cu").write_text("")
        (folder / "two words.warplight").write_text("{}")
        (programs / "program_of_the_test").write_text("#!/bin/sh\n")
        (programs / "program_of_the_test").chmod(0o755)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(configuration), "ZDOTDIR": str(configuration),
                       "TERM": "dumb", "LC_ALL": "C.UTF-8", "HISTFILE": ""}
        session = Shell(setup(shell, cli, configuration), environment, folder)
        session.send("printf 'STA%s\\n' RTED\n")
        session.read_until("STARTED\n")
        failed = 0
        for typed, expected in CASES:
            for part in re.split("(\t)", "warplight-cli " + typed):
                session.send(part)
                session.settle()
            session.send("\n")
            found = session.read_until(r"\n((?:<[^>\n]*>)+)\nEND\n")
            words = re.findall("<([^>]*)>", found[1])
            if plain(words) != plain(expected):
                failed += 1
                print(f"{typed!r} becomes {words} instead of {expected}")
        session.send("exit\n")
        print(f"{len(CASES) - failed} of {len(CASES)} lines are completed as expected in {shell}")
        sys.exit(1 if failed else 0)


main()
