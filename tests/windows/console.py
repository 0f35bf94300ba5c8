#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line in a console of Wine, which ctest's programs have not: console.py BUILD_FOLDER

Text arrives as UTF-8, and Ctrl+C ends an endless kernel together with its worker.
"""
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = 'extern "C" __global__ void endless(float* x) { while (true) x[0] += 1.0f; }\n'
SESSION = """{"warplight": 1, "title": "endless", "source": "endless.cu", "kernel": "endless",
"compile": {"compiler": "nvrtc", "arch": "auto", "options": []},
"arguments": [{"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [64]}}],
"launch": {"grid": [1, 1, 1], "block": [32, 1, 1]}}
"""


def processes():
    found = subprocess.run(["pgrep", "-f", "warplight-cli\\.exe"], stdout=subprocess.PIPE, text=True, check=False)
    return set(found.stdout.split())


def run(program, session, interrupt_when=None, patience=60):
    """What the console showed, and the seconds from Ctrl+C to the end."""
    process, console = pty.fork()
    if process == 0:
        os.execv(ROOT / "scripts" / "wine.sh", ["wine.sh", str(program), "run", "Z:" + str(session).replace("/", "\\")])
    shown, begun, interrupted = b"", time.monotonic(), None
    while time.monotonic() - begun < patience:
        if select.select([console], [], [], 0.1)[0]:
            try:
                data = os.read(console, 65536)
            except OSError: # the other side is closed
                data = b""
            if not data:
                os.waitpid(process, 0)
                return shown, time.monotonic() - interrupted if interrupted else 0.0
            shown += data
        if interrupt_when and interrupted is None and interrupt_when():
            interrupted = time.monotonic()
            os.write(console, b"\x03")
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    sys.exit(f"{session} still ran after {patience} s; the console showed: {shown.decode(errors='replace')}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "bin" / "warplight-cli.exe"
    shown, _ = run(program, ROOT / "resources" / "examples" / "saxpy" / "saxpy.warplight")
    if "a·x + y: passed".encode() not in shown:
        sys.exit(f"the console did not show the report as UTF-8: {shown!r}")
    before = processes()
    with tempfile.TemporaryDirectory() as folder:
        session = pathlib.Path(folder) / "endless.warplight"
        session.write_text(SESSION)
        session.with_suffix(".cu").write_text(KERNEL)
        began = []

        def kernel_runs():
            # The command line and its worker are there; five seconds on, the kernel has been compiled.
            if len(processes() - before) >= 2:
                began.append(time.monotonic())
            return bool(began) and time.monotonic() - began[0] > 5

        _, seconds = run(program, session, kernel_runs)
    if seconds == 0.0:
        sys.exit("the endless kernel ended before Ctrl+C")
    until = time.monotonic() + 5
    while processes() - before and time.monotonic() < until:
        time.sleep(0.1)
    if processes() - before:
        sys.exit(f"Ctrl+C left processes behind: {processes() - before}")
    print(f"the console shows UTF-8, and Ctrl+C ended an endless kernel in {seconds:.2f} s")


if __name__ == "__main__":
    main()
