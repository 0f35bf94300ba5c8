#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions that read and save arrays in every format, run by the command line; NumPy, h5py and wave read the results.
check.py WARPLIGHT_CLI"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import wave

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"{error}: the packages python3-numpy and python3-h5py have it")
    sys.exit(77)

CLI = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
failures = 0


def check(good, what):
    global failures
    print(("PASS  " if good else "FAIL  ") + what)
    failures += not good


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def session(folder, name, arguments):
    """A kernel that takes pointers and does nothing: what is read is what is saved."""
    parameters = ", ".join(f".param .u64 p{i}" for i in range(len(arguments)))
    ptx = f".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry nothing({parameters})\n{{\n ret;\n}}\n"
    document = {"warplight": 4, "source": {"name": "nothing.ptx", "text": ptx}, "kernel": "nothing",
                "arguments": arguments, "launch": {"grid": 1, "block": 1}, "device": "software"}
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def run(path, *options):
    return subprocess.run([CLI, "run", path, *options], capture_output=True, text=True, timeout=100)


def argument(name, source, save=None, expect=None):
    result = {"name": name, "direction": "inout", "source": source}
    if save:
        result["save"] = save
    if expect:
        result["expect"] = expect
    return result


def read_and_saved(folder):
    npz, h5 = {"kind": "file", "path": "stored.npz"}, {"kind": "file", "path": "arrays.h5"}
    arguments = []
    for i, source in enumerate((npz, h5)):
        for name in ("x", "big", "half", "flags", "wave", "empty"):
            arguments.append(argument(f"{name}{i}", {**source, "member": name}, ("out/all.npz", "out/all.h5")[i]))
    numbers = {"kind": "linspace", "shape": [40, 3], "start": -1, "stop": 1}
    arguments += [
        argument("points", {**npz, "member": "points"}, "out/all.npz"),
        argument("deep", {**h5, "member": "group/chunked"}, "out/deep.npy", {"path": "arrays.h5", "member": "here"}),
        argument("table", numbers, "out/table.txt"),
        argument("tabs", numbers, "out/table.tsv"),
        argument("commas", numbers, "out/table.csv"),
        argument("sound", {"kind": "file", "path": "stereo.wav"}, "out/sound.wav", {"path": "stereo.wav"}),
        argument("pixels", {"kind": "arange", "dtype": "uint8", "shape": [5, 7, 3]}, "out/pixels.png"),
    ]
    path = session(folder, "all.warplight", arguments)
    result = run(path)
    check(result.returncode == 0, f"all formats are read and saved {result.stdout}{result.stderr}")
    if result.returncode:
        return
    made = np.load(os.path.join(HERE, "stored.npz"))
    out = np.load(f"{folder}/out/all.npz")
    h5 = h5py.File(f"{folder}/out/all.h5", "r")
    for name in ("x", "big", "half", "flags", "wave", "empty"):
        wanted = made[name].astype(made[name].dtype.newbyteorder("<"))
        check(same(out[name + "0"], wanted), f"{name} of .npz")
        check(same(h5[name + "1"][()], wanted), f"{name} of HDF5")
    check(same(out["points"], made["points"]) and out["points"].dtype.names == ("x", "id"), "structs of .npz")
    check(same(np.load(f"{folder}/out/deep.npy"), np.arange(1000, dtype="<i4").reshape(50, 20)), "a chunked dataset")
    wanted = np.linspace(-1, 1, 120).astype("<f4").reshape(40, 3)
    for name, separator in (("txt", None), ("tsv", "\t"), ("csv", ",")):
        check(same(np.loadtxt(f"{folder}/out/table.{name}", dtype="<f4", delimiter=separator), wanted), f"text, .{name}")
    with wave.open(f"{folder}/out/sound.wav") as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2")
        check(sound.getframerate() == 8000, "the rate of .wav")
        check(sound.getnchannels() == 2 and list(samples) == [0, 1, -1, 32767, -32768, 5], ".wav")
    with open(f"{folder}/out/pixels.png", "rb") as image:
        check(image.read(8) == b"\x89PNG\r\n\x1a\n", ".png")
    check(run(path).returncode == 0, "results of the same session are replaced")
    np.savez(f"{folder}/out/all.npz", other=np.zeros(3))
    refused = run(path)
    check(refused.returncode != 0 and "--overwrite" in refused.stderr + refused.stdout, "a changed result is kept")


def command_line(folder):
    path = f"{folder}/nothing.ptx"
    with open(path, "w", encoding="utf-8") as file:
        file.write(".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry nothing(.param .u64 p)\n{\n ret;\n}\n")
    result = subprocess.run([CLI, "run", path, "--grid", "1", "--block", "1", "--device", "software", "--arg",
                             f"inout={folder}/stored.npz:big:int64[5,1]", "--save", f"0={folder}/line.npz", "--expect",
                             f"0={folder}/arrays.h5:big"], capture_output=True, text=True, timeout=100)
    check(result.returncode == 0 and same(np.load(f"{folder}/line.npz")["arg0"], np.arange(-2, 3).reshape(5, 1)),
          f"--arg and --expect name an array of a file {result.stdout}{result.stderr}")


def refusals(folder):
    zeros = {"kind": "zeros", "dtype": "float32", "shape": [4]}
    for save, words in (("x.png", "uint8"), ("x.dat", ".npz"), ("x.zip", ".npz")):
        result = run(session(folder, "refused.warplight", [argument("x", zeros, save)]))
        check(result.returncode == 2 and words in result.stderr + result.stdout and not os.path.exists(f"{folder}/{save}"),
              f"{save} is refused before the run")
    result = run(session(folder, "two.warplight", [argument("x", zeros, "x.npy"), argument("y", zeros, "x.npy")]))
    check(result.returncode == 2 and "another result" in result.stderr + result.stdout, "two results in one .npy")
    result = run(session(folder, "lacking.warplight", [argument("x", zeros, "x.h5")]),)
    check(result.returncode == 0, "an HDF5 file of one array")
    lacking = subprocess.run([CLI, "run", f"{folder}/lacking.warplight"], capture_output=True, text=True,
                             env={**os.environ, "WARPLIGHT_HDF5_LIBRARY": "/none/libhdf5.so"})
    check(lacking.returncode == 2 and "WARPLIGHT_HDF5_LIBRARY" in lacking.stderr + lacking.stdout,
          f"without libhdf5 the run says so {lacking.stderr}")
    source = {"kind": "file", "path": "half.h5", "member": "x"}
    with open(os.path.join(HERE, "arrays.h5"), "rb") as whole, open(f"{folder}/half.h5", "wb") as half:
        half.write(whole.read()[:9000])
    cut = run(session(folder, "cut.warplight", [argument("x", source)]))
    check(cut.returncode == 2 and "cut short" in cut.stderr + cut.stdout, f"an HDF5 file cut in half {cut.stderr}")
    # Version 1.10.8 of libhdf5 does not survive this byte; the worker's end is told, and names the reason.
    with open(os.path.join(HERE, "single.h5"), "rb") as whole:
        data = bytearray(whole.read())
    data[920] = 1
    with open(f"{folder}/bad.h5", "wb") as bad:
        bad.write(data)
    damaged = run(session(folder, "bad.warplight", [argument("x", {"kind": "file", "path": "bad.h5"})]))
    text = damaged.stderr + damaged.stdout
    check(damaged.returncode != 0 and "damaged" in text, f"a damaged HDF5 file {text}")


with tempfile.TemporaryDirectory() as folder:
    for file in ("stored.npz", "arrays.h5", "stereo.wav"):
        shutil.copy(os.path.join(HERE, file), folder)
    read_and_saved(folder)
    command_line(folder)
    refusals(folder)
sys.exit(1 if failures else 0)
