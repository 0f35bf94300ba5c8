# SPDX-License-Identifier: Apache-2.0
"""What a run leaves: results are saved and compared with what is expected, and times are printed."""
import os
import sys
import traceback

import numpy as np


def end_with_error(kind, error, trace):
    """Python's own code for an error is 1, which here means a result that differs."""
    sys.stdout.flush()
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(2)


sys.excepthook = end_with_error


def save(path, result):
    path.parent.mkdir(exist_ok=True)
    np.save(path, result)


def compare(name, result, expected, rtol, atol):
    """An element is right when |result - expected| <= atol + rtol * |expected|. NaN equals NaN."""
    result, expected = np.squeeze(result), np.squeeze(expected)
    if result.shape != expected.shape:
        print(f"{name}: its shape is {result.shape}, but {expected.shape} is expected")
        return False
    kinds = result.dtype.kind + expected.dtype.kind
    if any(kind not in "biuf" for kind in kinds):
        print(f"{name}: {result.dtype} and {expected.dtype} cannot be compared: both must be real numbers")
        return False
    if rtol == 0 and atol == 0 and "f" not in kinds:  # exact, with 64 bits too
        right = (result < 0) == (expected < 0)
        right &= result.astype(np.uint64) == expected.astype(np.uint64)
    else:
        result, expected = result.astype(np.float64), expected.astype(np.float64)
        finite = np.isfinite(result) & np.isfinite(expected)
        same = (result == expected) | (np.isnan(result) & np.isnan(expected))
        with np.errstate(invalid="ignore"):
            right = np.where(finite, np.abs(result - expected) <= atol + rtol * np.abs(expected), same)
    wrong = np.flatnonzero(~right)
    if wrong.size == 0:
        print(f"{name}: {result.size} elements are as expected")
        return True
    first = wrong[0]
    print(f"{name}: {wrong.size} of {result.size} elements differ; element {first} is {result.flat[first]}, "
          f"but {expected.flat[first]} is expected")
    return False


def print_times(kernel, milliseconds):
    count = len(milliseconds)
    print(f"{kernel}: median {np.median(milliseconds):.4f} ms, least {min(milliseconds):.4f} ms of {count} "
          f"{'run' if count == 1 else 'runs'}")
