# SPDX-License-Identifier: Apache-2.0
"""The sources of the PTX in this folder, which Triton 3.9.0 has compiled for compute capability 8.0: python kernels.py"""
import pathlib
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + rows[:, None] * k + depth[None, :]
    at_b = b + depth[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for done in range(0, k, BK):
        left = tl.load(at_a, mask=(rows[:, None] < m) & (depth[None, :] < k - done), other=0.0)
        right = tl.load(at_b, mask=(depth[:, None] < k - done) & (columns[None, :] < n), other=0.0)
        total += tl.dot(left, right)
        at_a += BK
        at_b += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def attention(queries, keys, values, out, count, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    some = tl.arange(0, BN)
    query = tl.load(queries + rows[:, None] * D + width[None, :])
    largest = tl.full((BM,), -float("inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for first in range(0, count, BN):
        key = tl.load(keys + (first + some)[None, :] * D + width[:, None])
        scores = tl.dot(query, key) * scale
        now = tl.maximum(largest, tl.max(scores, 1))
        part = tl.exp2((scores - now[:, None]) * 1.4426950408889634)
        kept = tl.exp2((largest - now) * 1.4426950408889634)
        weight = weight * kept + tl.sum(part, 1)
        value = tl.load(values + (first + some)[:, None] * D + width[None, :])
        total = total * kept[:, None] + tl.dot(part.to(tl.float16), value)
        largest = now
    tl.store(out + rows[:, None] * D + width[None, :], total / weight[:, None])


@triton.jit
def normalise(x, weight, bias, out, n, epsilon, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    there = at < n
    v = tl.load(x + row * n + at, mask=there, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / n
    d = tl.where(there, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / n + epsilon)
    y = d * scale * tl.load(weight + at, mask=there) + tl.load(bias + at, mask=there)
    tl.store(out + row * n + at, y, mask=there)


@triton.jit
def sums_and_order(x, sums, sorted, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(v, axis=0))
    tl.store(sorted + at, tl.sort(v))


@triton.jit
def count(x, table, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    there = at < n
    tl.atomic_add(table + tl.load(x + at, mask=there, other=0), 1, mask=there)


def write(kernel, parameters, constants, **options):
    """Pointers are multiples of 16, and numbers with a bar behind them."""
    types = [t.rstrip("|") for t in parameters.split()]
    signature = dict(zip(kernel.arg_names, types)) | dict.fromkeys(constants, "constexpr")
    aligned = {(k,): [["tt.divisibility", 16]] for k, t in enumerate(parameters.split()) if t[0] == "*" or t[-1] == "|"}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=aligned)
    made = triton.compile(source, target=GPUTarget("cuda", 80, 32), options=options)
    about = f"// SPDX-License-Identifier: Apache-2.0\n// shared memory: {made.metadata.shared}\n"
    path = pathlib.Path(__file__).with_name(made.metadata.name + ".ptx")
    text = made.asm["ptx"].split("\t.section\t.debug_abbrev")[0]
    path.write_text(about + re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", text))
    print(path.name, made.metadata.shared, made.metadata.num_warps)


if __name__ == "__main__":
    write(matmul, "*fp16 *fp16 *fp32 i32 i32| i32|", {"BM": 64, "BN": 64, "BK": 32}, num_warps=4, num_stages=3)
    write(attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"BM": 64, "BN": 64, "D": 64}, num_warps=4, num_stages=2)
    write(normalise, "*fp16 *fp32 *fp32 *fp16 i32 fp32", {"B": 1024}, num_warps=8)
    write(sums_and_order, "*i32 *i32 *i32", {"B": 256}, num_warps=4)
    write(count, "*i32 *i32 i32", {"B": 512}, num_warps=4)
