#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The near side on Windows: near_windows_test.py WINDOWS_BUILD LINUX_BUILD

Programs of a build for Windows run under Wine and use a device of this machine through a real SSH server on its
loopback. The far side is the build for Linux. Wine has no ssh.exe: ssh_stand_in.exe is a process of Windows in its
place, for which this program starts the ssh of this machine. Exit code 77: something is missing, and nothing was tried.
"""
import array
import contextlib
import hashlib
import io
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60.0
SOURCE = """#include "parts/factor.h"
extern "C" __global__ void scale(float* y, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = FACTOR * x[i];
}
extern "C" __global__ void lengthy(volatile float* y, long long rounds) {
    for (long long i = 0; i < rounds; ++i) {
        y[i & 1] = (float)i;
        if (rounds > 10000000000 && i % 100000000 == 0) printf("%lld\\n", i);
    }
}
"""
windows = linux = None # the folders of the builds


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


def npy(values):
    """A file of NumPy's, version 1.0, of float32 numbers."""
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    text += " " * (63 - (len(text) + 10) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + array.array("f", values).tobytes()


def wait_until(condition, what):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"{what} did not happen within {PATIENCE:.0f} s")
        time.sleep(0.05)


def processes():
    """Of this machine: id, parent, name and words of each."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            text = (entry / "stat").read_text(errors="replace")
            rest = text[text.rindex(")") + 2:].split()
            if rest[0] != "Z":
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                found.append((int(entry.name), int(rest[1]), text[text.index("(") + 1:text.rindex(")")], words))
    return found


class Server:
    """sshd on the loopback with keys, a configuration and a home folder of its own, as tests/remote/ssh_server.cpp."""

    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        for name in ("host_key", "other_key", "client_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", folder / name], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.write("session.sh", "#!/bin/sh\nunset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR\n"
                   f"export PATH=/usr/bin:/bin HOME='{self.home}' XDG_CACHE_HOME='{self.home}/.cache'\n"
                   'cd "$HOME"\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n', 0o700)
        self.write("server", f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host_key\n"
                   f"AuthorizedKeysFile {folder}/client_key.pub\nForceCommand exec {folder}/session.sh\n"
                   "PidFile none\nUsePAM no\nUseDNS no\nStrictModes no\nPasswordAuthentication no\n"
                   "KbdInteractiveAuthentication no\nPermitRootLogin yes\nMaxStartups 100\nPrintMotd no\n")
        for name in ("host_key", "other_key"):
            self.write("known_" + name, f"[127.0.0.1]:{port} " + (folder / (name + ".pub")).read_text())
        self.write("client", f"Host lab\n  UserKnownHostsFile {folder}/known_host_key\n"
                   f"Host changed\n  UserKnownHostsFile {folder}/known_other_key\n"
                   f"Host *\n  HostName 127.0.0.1\n  Port {port}\n  User {pwd.getpwuid(os.geteuid()).pw_name}\n"
                   f"  IdentityFile {folder}/client_key\n  IdentitiesOnly yes\n  IdentityAgent none\n"
                   "  GlobalKnownHostsFile /dev/null\n  PasswordAuthentication no\n  KbdInteractiveAuthentication no\n")
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        self.process = subprocess.Popen([shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin"), "-D", "-f",
                                         folder / "server", "-E", folder / "log"], stdin=subprocess.DEVNULL)
        wait_until(lambda: self.process.poll() is not None or self.answers(port), "an answer of sshd")
        if self.process.poll() is not None:
            sys.exit("sshd ended: " + (folder / "log").read_text())

    def write(self, name, text, mode=0o600):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)

    @staticmethod
    def answers(port):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    def logins(self):
        return (self.folder / "log").read_text().count("Accepted")

    def cut(self):
        """Ends the connections that there are. What runs there goes on."""
        parents, all_processes = {self.process.pid}, processes()
        while True:
            more = {each for each, parent, name, _ in all_processes
                    if parent in parents and name.startswith("sshd")} - parents
            if not more:
                break
            parents |= more
        for each in parents - {self.process.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def far(self, word):
        """Processes of Warplight there, by the command that they were started with."""
        program = str(linux / "bin" / "warplight-cli")
        return [each for each, _, _, words in processes() if len(words) > 1 and words[0] == program and words[1] == word
                and str(self.home) in self.environment_of(each)]

    @staticmethod
    def environment_of(process):
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace")
        return ""

    def stop(self):
        for each in self.far("remote-hold") + self.far("worker"): # of a test that failed
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        self.cut()
        self.process.terminate()
        self.process.wait()


class Broker:
    """Starts an ssh for each ssh_stand_in.exe, and passes its streams on. When that is gone, so is the ssh."""

    def __init__(self, configuration):
        self.configuration = configuration
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.started = [] # the words and the process of each
        threading.Thread(target=self.accept, daemon=True).start()

    def alive(self):
        return [process for _, process in self.started if process.poll() is None]

    def accept(self):
        while True:
            stand_in, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(stand_in,), daemon=True).start()

    def serve(self, stand_in):
        stream = stand_in.makefile("rb")

        def number():
            return struct.unpack("<I", stream.read(4))[0]

        words = [stream.read(number()).decode() for _ in range(number())]
        process = subprocess.Popen(["ssh", "-F", str(self.configuration), *words], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append((words, process))
        sending = threading.Lock()

        def send(letter, data):
            with sending, contextlib.suppress(OSError):
                stand_in.sendall(letter + struct.pack("<I", len(data)) + data)

        def pass_on(letter, source):
            while data := source.read1(65536):
                send(letter, data)

        passing = [threading.Thread(target=pass_on, args=each, daemon=True)
                   for each in ((b"o", process.stdout), (b"e", process.stderr))]

        def tell_end():
            for each in passing:
                each.join()
            process.stdout.close()
            process.stderr.close()
            send(b"x", struct.pack("<I", process.wait() & 0xff))

        for each in passing:
            each.start()
        threading.Thread(target=tell_end, daemon=True).start()
        with contextlib.suppress(OSError, struct.error):
            while stream.read(1) == b"i":
                data = stream.read(number())
                with contextlib.suppress(OSError): # it does not read any more
                    if data:
                        process.stdin.write(data)
                        process.stdin.flush()
                    else:
                        process.stdin.close()
        process.kill() # the stand-in is gone
        stream.close()
        stand_in.close()


class NearWindows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="near-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.server = Server(cls.folder)
        cls.addClassCleanup(cls.server.stop)
        cls.broker = Broker(cls.folder / "client")
        cls.work = cls.folder / "my data ä" # as a user's folder may be
        (cls.work / "parts").mkdir(parents=True)
        (cls.work / "scale.cu").write_text(SOURCE)
        (cls.work / "parts" / "factor.h").write_text("#define FACTOR 2.5f\n")
        # Small numbers, so that their products are exact; and more than one message of them.
        cls.numbers = [float(i * 7 % 4096) for i in range(300000)]
        (cls.work / "x.npy").write_bytes(npy(cls.numbers))
        cls.write_session("scale", [
            {"name": "y", "direction": "out", "save": "results\\y.npy",
             "source": {"kind": "zeros", "dtype": "float32", "shape": [len(cls.numbers)]}},
            {"name": "x", "direction": "in", "source": {"kind": "file", "path": windows_path(cls.work / "x.npy")}},
            {"name": "n", "direction": "scalar", "type": "i32", "value": len(cls.numbers)}],
            {"grid": (len(cls.numbers) + 255) // 256, "block": 256})
        for name, rounds in (("lengthy", 4 * 10**9), ("endless", 10**15)):
            cls.write_session(name, [
                {"name": "y", "direction": "out", "save": name + ".npy",
                 "source": {"kind": "zeros", "dtype": "float32", "shape": [2]}},
                {"name": "rounds", "direction": "scalar", "type": "i64", "value": rounds}],
                {"grid": 1, "block": 1}, "lengthy")

    @classmethod
    def write_session(cls, name, arguments, launch, kernel=None):
        (cls.work / (name + ".warplight")).write_text(json.dumps(
            {"warplight": 1, "source": "scale.cu", "kernel": kernel or name, "arguments": arguments, "launch": launch}))

    def setUp(self):
        self.started_before = len(self.broker.started)
        self.running = []

    def tearDown(self):
        """Nothing is left over, whatever happened."""
        for process in self.running:
            process.kill()
            self.end(process)
        wait_until(lambda: not self.broker.alive(), "the end of each ssh")
        wait_until(lambda: not self.server.far("remote-hold") + self.server.far("worker"), "the end of the far side")

    def start(self, *words, linger=600):
        """warplight-cli.exe in the folder of the sessions. Files take what it says: Wine may hold a pipe open."""
        environment = dict(os.environ, WARPLIGHT_SSH=windows_path(windows / "tests" / "ssh_stand_in.exe"),
                           WARPLIGHT_TEST_SSH_PORT=str(self.broker.port), WARPLIGHT_REMOTE_LINGER=str(linger),
                           WARPLIGHT_REMOTE_PROGRAM=str(linux / "bin" / "warplight-cli"))
        for each in ("WARPLIGHT_ASKPASS", "SSH_AUTH_SOCK", "SSH_ASKPASS"):
            environment.pop(each, None)
        output, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        process = subprocess.Popen([ROOT / "scripts" / "wine.sh", windows / "bin" / "warplight-cli.exe", *words],
                                   cwd=self.work, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        process.files = (output, errors)
        self.running.append(process)
        return process

    def end(self, process):
        """Its code, output and errors; the code is none where it did not end."""
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        files, process.files, said = process.files, (), []
        for file in files:
            file.seek(0)
            said.append(file.read().decode().replace("\r\n", "\n"))
            file.close()
        return code, *said

    def cli(self, *words):
        return self.end(self.start(*words))

    def new_commands(self):
        return [words for words, _ in self.broker.started[self.started_before:]]

    def wait_for_kernel(self, process):
        """Until the far worker computes, which needs more time than anything before."""
        def busy():
            if process.poll() is not None:
                raise AssertionError(f"the run ended before: {self.end(process)}")
            for each in self.server.far("worker"):
                with contextlib.suppress(OSError):
                    fields = pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
                    if int(fields[11]) > 0.7 * os.sysconf("SC_CLK_TCK"):
                        return True
            return False
        wait_until(busy, "the run there")

    def test_devices(self):
        code, output, errors = self.cli("devices", "--device", "ssh://lab/software")
        self.assertEqual((code, "ssh://lab/software:0" in output), (0, True), output + errors)
        for words in self.new_commands():
            self.assertFalse([each for each in words if "Control" in each], words)
            self.assertIn("--", words)

    def test_machines_are_kept(self):
        name = "of this test ä"
        code, output, errors = self.cli("remote", "add", "me@host.example:2222", "--name", name)
        self.assertEqual(code, 0, output + errors)
        try:
            code, output, errors = self.cli("remote", "list", "--json")
            self.assertEqual(code, 0, output + errors)
            self.assertIn((name, "ssh://me@host.example:2222"),
                          [(each["name"], each["place"]) for each in json.loads(output)["machines"]])
        finally:
            code, output, errors = self.cli("remote", "remove", name)
        self.assertEqual(code, 0, output + errors)

    def test_results_are_those_of_numpy(self):
        for again in (False, True): # the second time the data are there
            with self.subTest(again=again):
                shutil.rmtree(self.work / "results", ignore_errors=True)
                code, output, errors = self.cli("run", "scale.warplight", "--device", "ssh://lab/software", "--json")
                self.assertEqual(code, 0, output + errors)
                report = json.loads(output)
                self.assertEqual(report["machine"], "lab")
                self.assertEqual((self.work / "results" / "y.npy").read_bytes(),
                                 npy([2.5 * each for each in self.numbers]))
                saved = [each["saved"] for each in report["outputs"] if "saved" in each]
                self.assertEqual([each.replace("/", "\\") for each in saved],
                                 [windows_path(self.work / "results" / "y.npy")])

    def test_messages_name_files_of_this_machine(self):
        (self.work / "parts" / "factor.h").write_text("#define FACTOR 2.5f\nthis is no C++\n")
        try:
            code, output, errors = self.cli("run", "scale.warplight", "--device", "ssh://lab/software")
        finally:
            (self.work / "parts" / "factor.h").write_text("#define FACTOR 2.5f\n")
        self.assertNotEqual(code, 0)
        said = output + errors
        self.assertNotIn("/held/", said)
        self.assertIn(windows_path(self.work / "parts" / "factor.h").replace("\\", "/") + ":2:1: error:",
                      said.replace("\\", "/"))

    def test_a_cut_connection_loses_nothing(self):
        process = self.start("run", "lengthy.warplight", "--device", "ssh://lab/software", "--json")
        self.wait_for_kernel(process)
        self.server.cut()
        code, output, errors = self.end(process)
        self.assertEqual(code, 0, output + errors)
        self.assertEqual((self.work / "lengthy.npy").read_bytes(), npy([float(4 * 10**9 - 2), float(4 * 10**9 - 1)]))
        commands = [words[-1] for words in self.new_commands()]
        self.assertGreaterEqual(len(commands), 2)
        self.assertIn("--resume", commands[-1])

    def test_a_wrong_host_key_ends_it(self):
        before = self.server.logins()
        code, output, errors = self.cli("run", "scale.warplight", "--device", "ssh://changed/software")
        self.assertNotEqual(code, 0)
        self.assertIn("The key of changed is another one than before", (output + errors).replace("\n", " "))
        self.assertEqual(self.server.logins(), before)

    def test_the_far_worker_ends_with_a_killed_program(self):
        process = self.start("run", "endless.warplight", "--device", "ssh://lab/software")
        self.wait_for_kernel(process)
        process.kill()
        self.end(process)
        # tearDown() waits for the end of all. Without word from here the worker would go on for ten minutes.

    def test_no_ssh_stays_when_the_bridge_is_killed(self):
        process = self.start("run", "endless.warplight", "--device", "ssh://lab/software", linger=3)
        self.wait_for_kernel(process)
        bridges = [each for each, _, _, words in processes()
                   if any(word.endswith("warplight-cli.exe") for word in words[:3]) and "ssh://lab/software" in words
                   and "worker" in words]
        self.assertEqual(len(bridges), 1)
        os.kill(bridges[0], signal.SIGKILL)
        code, output, errors = self.end(process)
        self.assertNotEqual(code, 0, output + errors)
        wait_until(lambda: not self.broker.alive(), "the end of ssh")

    def test_installs_and_tells(self):
        archive = self.work / "warplight.tar.gz"
        filler = hashlib.shake_256(b"what does not shrink").digest(3000000)
        content = {"bin/warplight-cli": b"#!/bin/sh\necho 'warplight-cli 0.0.1'\n", "filler": filler,
                   "bin/code": pathlib.Path("/bin/true").read_bytes()}
        with tarfile.open(archive, "w:gz") as to:
            for name, data in content.items():
                about = tarfile.TarInfo("warplight-0.0.1/" + name)
                about.size, about.mode = len(data), 0o755
                to.addfile(about, io.BytesIO(data))
        code, output, errors = self.cli("remote", "install", "lab", "--archive", windows_path(archive), "--yes")
        self.assertEqual(code, 0, output + errors)
        installed = self.server.home / ".local/share/warplight/remote"
        self.assertEqual((installed / "0.0.1" / "filler").read_bytes(), filler)
        code, output, errors = self.cli("remote", "uninstall", "lab")
        self.assertEqual((code, installed.exists()), (0, False), output + errors)
        code, output, errors = self.cli("remote", "install", "lab", "--yes")
        self.assertNotEqual(code, 0)
        self.assertIn("--archive", output + errors)
        code, output, errors = self.cli("remote", "status", "lab", "--json")
        self.assertEqual(code, 0, output + errors)
        self.assertEqual(json.loads(output)["problem"], "")


def why_not():
    for program, folders in (("sshd", "/usr/sbin:/usr/local/sbin:/sbin"), ("ssh", None), ("ssh-keygen", None)):
        if not shutil.which(program, path=folders):
            return f"{program} is missing: install openssh-server"
    for file in (linux / "bin" / "warplight-cli", windows / "bin" / "warplight-cli.exe"):
        if not file.exists():
            return f"{file} is missing: build it first"
    return ""


if __name__ == "__main__":
    windows, linux = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
    if reason := why_not():
        print("SKIP:", reason)
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
