#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program as on a Linux kernel without Landlock: without_landlock.py PROGRAM [ARGUMENT…]

A seccomp filter answers Landlock's three system calls with ENOSYS. The program and all that it starts inherit it.
"""
import ctypes
import errno
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF = 444, 446
LOAD_WORD, JUMP_IF_AT_LEAST, JUMP_IF_ABOVE, RETURN = 0x20, 0x35, 0x25, 0x06
RETURN_ERROR, ALLOW = 0x00050000, 0x7FFF0000


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    text = (instruction(LOAD_WORD, 0)  # the number of the call
            + instruction(JUMP_IF_AT_LEAST, LANDLOCK_CREATE_RULESET, 0, 2)
            + instruction(JUMP_IF_ABOVE, LANDLOCK_RESTRICT_SELF, 1, 0)
            + instruction(RETURN, RETURN_ERROR | errno.ENOSYS)
            + instruction(RETURN, ALLOW))
    memory = ctypes.create_string_buffer(text, len(text))
    program = Program(len(text) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ((PR_SET_NO_NEW_PRIVS, 1, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))):
        if libc.prctl(*call, 0, 0) != 0:
            sys.exit(f"without_landlock.py: prctl {call[0]}: {os.strerror(ctypes.get_errno())}")
    os.execv(sys.argv[1], sys.argv[1:])


main()
