#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a driver what it answers to bad input, and writes that into bad_input.txt beside this file.

  record_bad_input.py build/…/bin/bad_input_record               asks the machine's driver what is not recorded yet
  record_bad_input.py build/…/bin/bad_input_record --again       asks everything anew
  record_bad_input.py --merge FILE                               takes what --raw wrote on another machine

Within --seconds it gets as far as it gets; the next run goes on from there. Several processes ask at the same time:
where the driver ends one or does not return, another one goes on. More than a few do not help, because a driver makes
one context at a time.
"""
import argparse
import collections
import pathlib
import queue
import select
import subprocess
import sys
import threading
import time
import zlib

HERE = pathlib.Path(__file__).parent
HEAD = """\
# What an H100 with driver 580 answers to bad input: for each line of the table the results, and the steps that had them.
# A result is the code of the driver; during a capture CODE:STATUS:END with the capture's status after the call and what
# ending it returned. "ended": the driver ended the process; "hung": it did not return. Steps that are not here were not
# asked. Made by record_bad_input.py.
"""
PARTS = ["before_init", "safe", "destroyed", "dead", "risky"]
PATIENCE = 15  # seconds without an answer


def read(path):
    """{line: {step: result}}"""
    rows, row = collections.OrderedDict(), None
    if not path.exists():
        return rows
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            row = rows.setdefault(line, collections.OrderedDict())
            continue
        result, *steps = line.split()
        for step in steps:
            row[step] = result
    return rows


def write(path, rows):
    with open(path, "w", encoding="latin-1") as out:
        out.write(HEAD)
        for row, steps in rows.items():
            out.write(row + "\n")
            results = collections.OrderedDict()
            for step, result in steps.items():
                results.setdefault(result, []).append(step)
            for result, of in results.items():
                line = " " + result
                for step in of:
                    if len(line) + 1 + len(step) > 118:
                        out.write(line + "\n")
                        line = " " + result
                    line += " " + step
                out.write(line + "\n")


def scatter(row):
    return zlib.crc32(row.encode())


def merge(rows, answers, order=()):
    """`order`: the table's lines, for those that are new."""
    for row, step, result in answers:
        rows.setdefault(row, collections.OrderedDict())[step] = result
    for row in order:
        if row in rows:
            rows.move_to_end(row)


class Worker:
    """A process that asks."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.rest = b""
        self.table = []
        while (line := self.line(time.time() + 60)) not in (".", None):
            self.table.append(line)

    def tell(self, text):
        try:
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()
        except BrokenPipeError:  # seen by who reads from it
            pass

    def line(self, until):
        """None where the process ended or is silent; self.rest is then what came of the line."""
        out = self.process.stdout
        while b"\n" not in self.rest:
            wait = until - time.time()
            if wait <= 0 or not select.select([out], [], [], wait)[0]:
                return None
            piece = out.read1(65536)
            if not piece:
                return None
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode("latin-1")

    def end(self):
        """Whether it had ended by itself."""
        try:
            self.process.wait(0.2)
            ended = True
        except subprocess.TimeoutExpired:
            ended = False
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        return ended


class Recorder:
    def __init__(self, arguments, known):
        self.command = [arguments.recorder, arguments.driver]
        self.known = known  # {line: {step: result}}: what is not asked
        self.until = time.time() + arguments.seconds
        self.jobs = queue.Queue()
        self.answers, self.lock = [], threading.Lock()
        self.raw = open(arguments.raw, "w", encoding="latin-1") if arguments.raw else None
        self.started = self.left = self.lost = 0

    def note(self, row, step, result):
        with self.lock:
            self.answers.append((row, step, result))
            self.known.setdefault(row, {})[step] = result
            if self.raw:
                self.raw.write(f"{row} {step} {result}\n")
                self.raw.flush()

    def skips(self, row):
        with self.lock:
            rows = self.known if row == "*" else {row: self.known.get(row, {})}
            return "".join(f"skip {name} {' '.join(steps)}\n" for name, steps in rows.items() if steps)

    def work(self):
        worker = None
        while time.time() < self.until:
            try:
                part, row = self.jobs.get_nowait()
            except queue.Empty:
                break
            misses = 0
            while time.time() < self.until:
                if not worker:
                    worker = Worker(self.command)
                    with self.lock:
                        self.started += 1
                worker.tell(self.skips(row) + f"ask {part} {row}\n")
                done, bad = self.read_answers(worker)
                if not done:
                    worker.end()
                    worker = None
                    misses += bad
                if done or misses > 3:
                    break
            else:
                with self.lock:
                    self.left += 1
        if worker:
            worker.process.stdin.close()
            worker.process.kill()
            worker.process.wait()

    def read_answers(self, worker):
        """Whether all came, and whether nothing is known about the step it stopped at."""
        while True:
            line = worker.line(min(time.time() + PATIENCE, self.until + 2))
            if line == ".":
                return True, False
            if line is None:
                words = worker.rest.decode("latin-1").split()
                late = time.time() >= self.until
                ended = worker.end()
                if len(words) < 2 or (late and not ended):
                    return False, not late
                self.note(words[0], words[1], "ended" if ended else "hung")
                return False, False
            result, _, problem = line.partition(" ! ")
            words = result.split()
            if len(words) == 3:
                self.note(*words)
            if problem:  # the context is gone, and with it the others of the process
                with self.lock:
                    self.lost += 1
                return False, len(words) < 3

    def run(self, parts, processes):
        first = Worker(self.command)
        table = first.table
        first.end()
        for part in parts:
            # Here and there, for when the time does not do.
            for row in ["*"] if part in ("before_init", "destroyed", "dead") else sorted(table, key=scatter):
                self.jobs.put((part, row))
        began = time.time()
        threads = [threading.Thread(target=self.work) for _ in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"{len(self.answers)} answers in {time.time() - began:.1f} s from {self.started} processes; "
              f"{self.lost} times the context was lost; {self.left + self.jobs.qsize()} lines or parts are left",
              file=sys.stderr)
        return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorder", nargs="?")
    parser.add_argument("--driver", default="cuda")
    parser.add_argument("--recording", type=pathlib.Path, default=HERE / "bad_input.txt")
    parser.add_argument("--seconds", type=float, default=100)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)}, wild")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--raw", help="where the answers go instead, as they come")
    parser.add_argument("--merge", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = read(arguments.recording)
    if arguments.merge:
        lines = [line.split() for line in arguments.merge.read_text(encoding="latin-1").splitlines()]
        merge(rows, [line for line in lines if len(line) == 3])
        write(arguments.recording, rows)
        return
    if not arguments.recorder:
        parser.error("which recorder?")
    known = {} if arguments.again else {row: dict(steps) for row, steps in rows.items()}
    recorder = Recorder(arguments, known)
    table = recorder.run(arguments.parts.split(","), arguments.processes)
    if not arguments.raw:
        merge(rows, recorder.answers, table)
        write(arguments.recording, rows)


if __name__ == "__main__":
    main()
