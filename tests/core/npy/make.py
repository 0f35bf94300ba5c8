#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the .npy files of this folder with NumPy; the tests compute the expected values themselves."""
import os
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def save(name, array, version=None):
    with open(os.path.join(here, name + ".npy"), "wb") as f:
        np.lib.format.write_array(f, array, version=version)


def values(count):  # small integers of both signs
    return (np.arange(count) * 37) % 101 - 50


for name in ("int8", "int16", "int32", "int64"):
    save(name, values(24).astype(name).reshape(2, 3, 4))
for name in ("uint8", "uint16", "uint32", "uint64"):
    save(name, (values(24) + 50).astype(name).reshape(2, 3, 4))
for name in ("float16", "float32", "float64"):
    save(name, (values(24) / 8).astype(name).reshape(2, 3, 4))
for name in ("complex64", "complex128"):
    save(name, (values(24) + 1j * (values(24) + 1)).astype(name).reshape(2, 3, 4))
save("bool", (np.arange(24) % 3 == 0).reshape(2, 3, 4))

save("fortran", np.asfortranarray((values(12) / 8).astype("float32").reshape(3, 4)))
save("big_endian", values(12).astype(">i4").reshape(3, 4))
save("big_endian_fortran", np.asfortranarray((values(12) / 8).astype(">f8").reshape(3, 4)))
save("big_endian_complex", (values(12) + 1j * (values(12) + 1)).astype(">c8").reshape(3, 4))
save("scalar", np.array(2.5))
save("no_elements", np.zeros((0, 3), dtype="float32"))
save("one_dimension", values(5).astype("int16"))
save("version_2", values(6).astype("int32"), version=(2, 0))
save("version_3", values(6).astype("int32"), version=(3, 0))
save("structured", np.array([(1, 2.5), (3, -4.5)], dtype=[("id", "<i4"), ("weight", "<f8")]))
save("nested", np.zeros(3, dtype=[("position", "<f4", (3,)), ("inner", [("a", "u1"), ("b", "<i2")])]))
save("unicode_field", np.array([(1,)], dtype=[("größe", "<i4")]), version=(3, 0))
save("object", np.array([{"a": 1}, None], dtype=object))
save("text", np.array(["ab", "c"]))
save("special", np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1.7976931348623157e308]))
