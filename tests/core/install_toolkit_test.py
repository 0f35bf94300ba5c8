#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""install_toolkit.py with a pip that makes small wheels: what it installs, and that it leaves nothing half-done."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(sys.argv.pop(1)).resolve()

# A wheel of each name in the requirements, with the members that NVIDIA's have. FAKE_PIP says what goes wrong.
FAKE_PIP = r'''
import os, sys, time, zipfile
from pathlib import Path
if "--version" in sys.argv:
    sys.exit(0)
how = os.environ.get("FAKE_PIP", "")
option = lambda name: Path(sys.argv[sys.argv.index(name) + 1])
Path(os.environ["FAKE_PIP_LOG"]).write_text(option("-r").read_text())
if how == "network":
    sys.exit("WARNING: Retrying after connection broken by NewConnectionError")
if how == "full":
    sys.exit("ERROR: Could not install: [Errno 28] No space left on device")
if how == "hash":
    sys.exit("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.")
if how == "hang":
    Path(os.environ["TMPDIR"], "part").write_text("x")
    time.sleep(60)
for line in option("-r").read_text().splitlines():
    name = line.split("==")[0].replace("-", "_")
    members = {"nvidia_cuda_nvrtc": ["lib/libnvrtc.so.13", "lib/libnvrtc.alt.so.13", "lib/libnvrtc-builtins.so.13.0"],
               "nvidia_cuda_runtime": ["include/cuda_runtime.h", "lib/libcudart.so.13"],
               "nvidia_cuda_crt": ["include/crt/host_defines.h"],
               "nvidia_cuda_cccl": ["include/cccl/cuda/atomic", ".metadata/provenance.txt"],
               "nvidia_cuda_nvcc": ["bin/nvcc"], "nvidia_nvvm": ["nvvm/bin/cicc"],
               "nvidia_cuda_nvdisasm": ["bin/nvdisasm"]}[name]
    with zipfile.ZipFile(option("-d") / f"{name}-13.0.0-py3-none-any.whl", "w") as wheel:
        for member in members + (["../../../escaped"] if how == "escape" else []):
            info = zipfile.ZipInfo("nvidia/cu13/" + member)
            info.external_attr = (0o755 if "bin/" in member else 0o644) << 16
            wheel.writestr(info, name)
        wheel.writestr(f"{name}-13.0.0.dist-info/licenses/License.txt", "EULA")
    if how == "broken":
        (option("-d") / f"{name}-13.0.0-py3-none-any.whl").write_bytes(b"no archive")
'''


class InstallToolkit(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "python/pip").mkdir(parents=True)
        (self.root / "python/pip/__init__.py").touch()
        (self.root / "python/pip/__main__.py").write_text(FAKE_PIP)
        self.cache = self.root / "cache"
        self.toolkit = self.cache / "toolkit"
        self.log = self.root / "requirements"
        self.environment = dict(os.environ, PYTHONPATH=str(self.root / "python"), FAKE_PIP_LOG=str(self.log),
                                WARPLIGHT_CACHE_DIR=str(self.cache))

    def run_script(self, *arguments, **variables):
        return subprocess.run([sys.executable, SCRIPT, *arguments], env=self.environment | variables, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def files(self):
        return sorted(str(each.relative_to(self.cache)) for each in self.cache.rglob("*") if not each.is_dir())

    def test_layout_serves_as_cuda_path(self):
        done = self.run_script("--yes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("End User License Agreement", done.stdout)
        self.assertIn(" MB", done.stdout)
        for file in ("lib64/libnvrtc.so.13", "lib/libnvrtc.so", "lib/libcudart.so", "include/cuda_runtime.h",
                     "include/crt/host_defines.h", "include/cccl/cuda/atomic", "EULA.txt"):
            self.assertTrue((self.toolkit / file).is_file(), file)
        self.assertEqual([], [each for each in self.files() if ".alt." in each or ".metadata" in each])
        self.assertEqual(["toolkit"], os.listdir(self.cache))
        self.assertEqual(self.run_script("--print").stdout.strip(), str(self.toolkit))
        self.assertIn("already", self.run_script("--yes").stdout)

    def test_hashes_are_asked_for(self):
        self.run_script("--yes")
        lines = self.log.read_text().splitlines()
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertRegex(line, r"^nvidia-[a-z-]+==13\.0\.\d+( --hash=sha256:[0-9a-f]{64}){3}$")

    def test_nvcc_is_added_to_what_is_there(self):
        self.run_script("--yes")
        self.assertEqual(self.run_script("--print", "--with-nvcc").returncode, 1)
        done = self.run_script("--yes", "--with-nvcc")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split("==")[0] for line in self.log.read_text().splitlines()],
                         ["nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-nvdisasm"])
        self.assertTrue(os.access(self.toolkit / "bin/nvcc", os.X_OK))
        self.assertTrue(os.access(self.toolkit / "bin/nvdisasm", os.X_OK))
        self.assertTrue((self.toolkit / "lib64/libnvrtc.so").is_file())
        self.assertEqual(self.run_script("--print", "--with-nvcc").stdout.strip(), str(self.toolkit))
        self.assertEqual(["toolkit"], os.listdir(self.cache))

    def test_failures_say_why_and_leave_nothing(self):
        for how, word in (("network", "Check the network"), ("full", "full"), ("hash", "not the one that NVIDIA"),
                          ("broken", "Nothing was installed")):
            failed = self.run_script("--yes", FAKE_PIP=how)
            self.assertEqual(failed.returncode, 1, how)
            self.assertIn(word, failed.stderr)
            self.assertNotIn("Traceback", failed.stderr)
            self.assertEqual([], self.files(), how)
        self.assertEqual(self.run_script("--print").returncode, 1)

    def test_failed_addition_keeps_what_is_there(self):
        self.run_script("--yes")
        before = self.files()
        self.assertEqual(self.run_script("--yes", "--with-nvcc", FAKE_PIP="network").returncode, 1)
        self.assertEqual(before, self.files())
        self.assertTrue(json.loads((self.toolkit / "warplight-toolkit.json").read_text())["packages"])
        self.assertEqual(self.run_script("--print").returncode, 0)

    def test_no_member_leaves_the_folder(self):
        self.assertEqual(self.run_script("--yes", FAKE_PIP="escape").returncode, 0)
        self.assertEqual([], [str(each) for each in self.root.rglob("escaped")])

    @unittest.skipIf(os.name == "nt", "signals end a process at once there")
    def test_cancelled(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([sys.executable, SCRIPT, "--yes", "--progress"], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.PIPE, env=self.environment | {"FAKE_PIP": "hang"}) as process:
                while not list(self.cache.glob("*/tmp/part")):
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                process.send_signal(how)
                out, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130)
            self.assertIn("Cancelled", errors)
            self.assertIn("progress 0.000 downloading: 0 of", out)
            self.assertEqual([], self.files())

    @unittest.skipIf(os.name == "nt", "told by age there")
    def test_leftovers_of_killed_ones_go(self):
        with subprocess.Popen([sys.executable, "-c", ""]) as ended:
            pass
        left = self.cache / f"toolkit.installing-{ended.pid}"
        (left / "wheels").mkdir(parents=True)
        running = self.cache / f"toolkit.installing-{os.getpid()}"
        running.mkdir()
        self.assertEqual(self.run_script("--yes").returncode, 0)
        self.assertFalse(left.exists())
        self.assertTrue(running.exists())

    def test_asks_first(self):
        refused = self.run_script()
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--yes", refused.stderr)
        self.assertIn("Download: about", self.run_script("--dry-run").stdout)
        self.assertFalse(self.toolkit.exists())

    def test_another_folder_is_left_alone(self):
        (self.toolkit / "mine").mkdir(parents=True)
        refused = self.run_script("--yes")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--folder", refused.stderr)
        chosen = self.root / "chosen"
        self.assertEqual(self.run_script("--yes", "--folder", str(chosen)).returncode, 0)
        self.assertEqual(self.run_script("--print", "--folder", str(chosen)).stdout.strip(), str(chosen))


if __name__ == "__main__":
    unittest.main()
