#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of this folder with NumPy and h5py: `/usr/bin/python3 make.py`. The test has their values."""
import os
import struct

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))

x = np.arange(12, dtype="<f4").reshape(3, 4)
arrays = {
    "x": x,
    "columns": np.asfortranarray(x),
    "big": np.arange(5, dtype=">i4") - 2,
    "half": np.array([0.5, -1.5, 65504], dtype="<f2"),
    "flags": np.array([True, False, True]),
    "points": np.array([(1.5, -2), (0.25, 7)], dtype=[("x", "<f4"), ("id", "<i4")]),
    "wave": np.arange(3) + 1j * np.arange(3, 0, -1),
    "one": np.float64(2.5),
    "empty": np.zeros((0, 3), dtype="<u2"),
}
np.savez("stored.npz", **arrays)
np.savez_compressed("packed.npz", zeros=np.zeros((64, 256), dtype="<f8"), x=x)
np.savez("single.npz", only=x)

with h5py.File("arrays.h5", "w", track_order=False) as f:
    for name, array in arrays.items():
        if name not in ("points", "columns"):
            f[name] = array
    group = f.create_group("group")
    group.create_dataset("chunked", data=np.arange(1000, dtype=">i4").reshape(50, 20), chunks=(16, 16),
                         compression="gzip", shuffle=True, fletcher32=True)
    group["below/deep"] = np.arange(4, dtype="<u8") * 10**18
    f["colour"] = np.array([2, 0], dtype=h5py.enum_dtype({"red": 0, "green": 2}, basetype=">i2"))
    f["texts"] = ["a", "b"]
    f["points"] = arrays["points"]
    f["here"] = h5py.SoftLink("/group/chunked")
    f["elsewhere"] = h5py.ExternalLink("other.h5", "/x")
    layout = h5py.VirtualLayout(shape=(4,), dtype="<f4")
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=(4,))
    f.create_virtual_dataset("virtual", layout)
    space = h5py.h5s.create_simple((4,))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_external(b"/etc/hostname", 0, 16)
    h5py.h5d.create(f.id, b"outside", h5py.h5t.NATIVE_FLOAT, space, plist)
with h5py.File("single.h5", "w") as f:
    f["group/only"] = x


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data


def wav(name, kind, bits, channels, samples):
    frame = channels * bits // 8
    head = chunk(b"fmt ", struct.pack("<HHIIHH", kind, channels, 8000, 8000 * frame, frame, bits))
    body = b"WAVE" + head + chunk(b"data", samples)
    with open(name, "wb") as f:
        f.write(chunk(b"RIFF", body))


wav("stereo.wav", 1, 16, 2, np.array([[0, 1], [-1, 32767], [-32768, 5]], dtype="<i2").tobytes())
wav("bytes.wav", 1, 8, 1, np.array([0, 128, 255, 7], dtype="u1").tobytes())
wav("float.wav", 3, 32, 1, np.array([0.5, -2.5], dtype="<f4").tobytes())
