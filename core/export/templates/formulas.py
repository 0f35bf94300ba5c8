# SPDX-License-Identifier: Apache-2.0
"""What formulas of a session mean in Python. They compute with doubles, and nothing is an error in the arithmetic."""
import math

import numpy as np

np.seterr(all="ignore")


def element(array, *index):
    """An element by its number, or by its index along each axis. Fractions are rounded down."""
    shape = (array.size,) if len(index) == 1 else array.shape
    whole = [math.floor(each) for each in index]
    if len(whole) != len(shape) or any(not 0 <= i < length for i, length in zip(whole, shape)):
        raise IndexError(f"a formula asks for element {whole} of an array of the shape {array.shape}")
    return np.float64(array.reshape(shape)[tuple(whole)])


def number(kind, value):
    """A value for a launch. Integers take whole numbers that they hold."""
    if issubclass(kind, np.integer):
        if value != np.floor(value) or not np.iinfo(kind).min <= value <= np.iinfo(kind).max:
            raise ValueError(f"a formula makes {value}, which is no {kind.__name__}")
        value = int(value)
    return kind(value)


def round_half_away(value):
    whole = np.trunc(value)
    return whole + np.copysign(1.0, value) if np.fabs(value - whole) >= 0.5 else whole


def erf(value):
    return np.float64(math.erf(value))


def erfc(value):
    return np.float64(math.erfc(value))
