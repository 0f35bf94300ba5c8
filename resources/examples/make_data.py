# SPDX-License-Identifier: Apache-2.0
"""Makes the data, the expectations and the session documents of the examples, with NumPy alone.

What a kernel should yield is computed here in another way than in the kernel. Run it in this folder:
    python3 make_data.py
blur/cat.png is a photograph by Stefan van der Walt, dedicated to the public domain (CC0), cropped.
"""
import json
import pathlib
import struct
import zlib

import numpy as np

here = pathlib.Path(__file__).resolve().parent
lessons = here.parent / "lessons"


def splitmix64(seed, count, first=1):
    """Numbers first … first + count - 1 of the generator that sessions name `random`."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(first, first + count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(seed, count, low=0.0, high=1.0):
    unit = (splitmix64(seed, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (low + unit * (high - low)).astype(np.float32)


def random_source(shape, seed, low=0, high=1, dtype="float32"):
    return {"kind": "random", "dtype": dtype, "shape": list(shape), "distribution": "uniform", "low": low,
            "high": high, "seed": seed}


def zeros(shape, dtype="float32"):
    return {"kind": "zeros", "dtype": dtype, "shape": list(shape)}


def scalar(name, type_, value):
    return {"name": name, "direction": "scalar", "type": type_, "value": value}


def size_of(name, argument, axis=None):
    value = {"size_of": argument}
    if axis is not None:
        value["axis"] = axis
    return scalar(name, "i32", value)


def write(name, title, description, kernel, arguments, grid, block, shared=0, source=None, path=None, **more):
    path = path or here / name / f"{name}.warplight"
    noted = (path.parent / "notes.md").exists()
    version = 4 if any("texture" in each for each in arguments) else 3 if noted or "pipeline" in more else 1
    document = {"warplight": version, "title": title, "description": description,
                **({"notes": {"path": "notes.md"}} if noted else {}), "source": source or f"{name}.cu",
                "compile": {"compiler": "nvrtc", "arch": "auto", "options": []}, "kernel": kernel,
                "arguments": arguments, "launch": {"grid": grid, "block": block, "shared": shared}, "device": "auto",
                "repeat": 5, "warmup": 1, **more}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def expect(name, array, file="expected.npy", rtol=0, atol=0, root=here):
    np.save(root / name / file, array)
    return {"path": file, "rtol": rtol, "atol": atol}


def lesson(name, title, wrong, why, mended, what, expected, arguments, grid, block, **more):
    """A source with two kernels, and a session for each: NAME.warplight and mended.warplight.

    A name among the arguments stands for the output, of which `expected` is what it should be."""
    output = {"direction": "inout", "source": zeros(expected.shape, str(expected.dtype)),
              "expect": expect(name, expected, root=lessons)}
    for path, kernel, text in ((name, wrong, f"{why} Choose the kernel `{mended}` in Launch to see it mended."),
                               ("mended", mended, what)):
        write(name, title if path == name else f"{title}: mended", text, kernel,
              [{"name": each, **output} if isinstance(each, str) else each for each in arguments], grid, block,
              path=lessons / name / f"{path}.warplight", repeat=1, warmup=0, **more)


# saxpy
n = 65536
x, y = uniform(1, n), uniform(2, n)
write("saxpy", "SAXPY: a·x + y",
      "The smallest useful kernel: each thread computes one element of y = a·x + y. The grid has enough blocks of "
      "256 threads to cover all n elements; the threads beyond n do nothing, which is what `if (i < n)` is for. "
      "It moves 12 bytes for two operations, so memory sets its speed, not arithmetic.",
      "saxpy",
      [size_of("n", "x"), scalar("a", "f32", 2.5), {"name": "x", "direction": "in", "source": random_source([n], 1)},
       {"name": "y", "direction": "inout", "source": random_source([n], 2),
        "expect": expect("saxpy", (2.5 * x.astype(np.float64) + y).astype(np.float32), rtol=1e-6, atol=1e-6)}],
      [n // 256, 1, 1], [256, 1, 1])

# matmul
n = 192
a, b = uniform(3, n * n, -1, 1).reshape(n, n), uniform(4, n * n, -1, 1).reshape(n, n)
write("matmul", "Matrix product in tiles",
      "Each element of A and B is needed n times. A block therefore copies a tile of both into shared memory once, "
      "waits at a barrier until all of it is there, and lets its 256 threads use it sixteen times over. Take the "
      "second __syncthreads() away and some threads overwrite a tile that others still read.",
      "matmul",
      [{"name": "A", "direction": "in", "source": random_source([n, n], 3, -1, 1)},
       {"name": "B", "direction": "in", "source": random_source([n, n], 4, -1, 1)},
       {"name": "C", "direction": "out", "source": zeros([n, n]),
        "expect": expect("matmul", (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32), rtol=1e-4,
                         atol=1e-4)},
       size_of("n", "A", 0)],
      [n // 16, n // 16, 1], [16, 16, 1])

# reduction
n = 1_000_000
values = uniform(5, n)
write("reduction", "Reduction with shuffles",
      "Adds up a million numbers. Lanes of a warp hand their values to each other by __shfl_down_sync, without "
      "memory and without a barrier; warps meet in shared memory; blocks meet in one atomic addition each. The "
      "order of the blocks is not fixed, so the last digits of a floating-point sum may differ from run to run: "
      "the expectation has a tolerance for that.",
      "reduce",
      [{"name": "in", "direction": "in", "source": random_source([n], 5)},
       {"name": "sum", "direction": "inout", "source": zeros([1]),
        "expect": expect("reduction", np.array([values.astype(np.float64).sum()], np.float32), rtol=1e-4)},
       size_of("n", "in")],
      [64, 1, 1], [256, 1, 1])

# histogram
n = 1 << 20
product = splitmix64(6, n)
# The upper half of the 128-bit product z * 256 is z >> 56.
data = (product >> np.uint64(56)).astype(np.uint8)
# The smaller of two bytes makes a histogram worth looking at; the pairs are read as one array.
skewed = np.minimum(data[: n // 2], data[n // 2:])
np.save(here / "histogram" / "data.npy", skewed[: 1 << 18])
counts = np.bincount(skewed[: 1 << 18], minlength=256).astype(np.uint32)
write("histogram", "Histogram with atomics",
      "Counts how often each byte occurs. Many threads may count the same value at the same moment, so the addition "
      "must be atomic. Each block counts in its own shared memory first, where atomics are cheap, and adds its 256 "
      "sums to the result at the end.",
      "histogram",
      [{"name": "data", "direction": "in", "source": {"kind": "file", "path": "data.npy"}},
       {"name": "bins", "direction": "inout", "source": zeros([256], "uint32"),
        "expect": expect("histogram", counts)},
       size_of("n", "data")],
      [32, 1, 1], [256, 1, 1])

# blur
from PIL import Image  # noqa: E402

cat = np.asarray(Image.open(here / "blur" / "cat.png").convert("RGB"))
height, width = cat.shape[:2]
weights = np.array([1, 4, 6, 4, 1])
padded = np.pad(cat.astype(np.int64), ((2, 2), (2, 2), (0, 0)), "edge")
rows = sum(w * padded[:, i:i + width] for i, w in enumerate(weights))
both = sum(w * rows[i:i + height] for i, w in enumerate(weights))
write("blur", "Blur of an image",
      "Every pixel becomes a weighted mean of the 25 pixels around it. The weights lie in __constant__ memory, where "
      "all threads of a warp read the same word at once. Open the Image tab of the buffers to see the cat before "
      "and after.",
      "blur",
      [{"name": "in", "direction": "in", "source": {"kind": "file", "path": "cat.png"}},
       {"name": "out", "direction": "out", "source": zeros([height, width, 3], "uint8"),
        "expect": expect("blur", ((both + 128) // 256).astype(np.uint8))},
       size_of("width", "in", 1), size_of("height", "in", 0)],
      [(width + 15) // 16, (height + 15) // 16, 1], [16, 16, 1])

# rotate
def write_png(path, image):
    """8-bit RGB."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    size = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows, 9))
                     + chunk(b"IEND", b""))


# A sun over hills, with hard edges that a filter softens.
height, width = 72, 96
row, column = np.mgrid[0:height, 0:width]
picture = np.empty((height, width, 3), np.uint8)
picture[..., 0] = 90 + row
picture[..., 1] = 150 + row
picture[..., 2] = 235
ray = np.floor(np.arctan2(row - 22, column - 68) * 8 / np.pi) % 2 == 0
distance = np.hypot(row - 22, column - 68)
picture[(distance < 20) & ray] = (250, 220, 120)
picture[distance < 12] = (255, 200, 40)
for base, high, far, colour in [(46, 8, 17, (70, 120, 90)), (58, 6, 11, (40, 90, 60))]:
    picture[row > base + high * np.sin(column / far)] = colour
picture[(row >= 50) & (row < 62) & (column >= 18) & (column < 34)] = (170, 60, 50)
picture[(row < 50) & (row >= 42) & (np.abs(column - 25.5) < (row - 41) * 1.3)] = (90, 40, 40)
write_png(here / "rotate" / "picture.png", picture)


def mirrored(index, count):
    index = index % (2 * count)
    return np.where(index < count, index, 2 * count - 1 - index)


# Each pixel of the result from the four around its place, with exact weights; texture units have 8 bits for them.
out_height, out_width, angle, zoom = 216, 288, 0.4, 1.6
turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
places = np.stack(np.meshgrid(np.arange(out_width) + 0.5 - out_width / 2, np.arange(out_height) + 0.5 - out_height / 2))
u, v = np.tensordot(turn, places / out_height / zoom, 1)
u, v = (0.5 + u * out_height / out_width) * width - 0.5, (0.5 + v) * height - 0.5
left, above = np.floor(u).astype(int), np.floor(v).astype(int)
turned = np.zeros((out_height, out_width, 3))
for step_y in (0, 1):
    for step_x in (0, 1):
        weight = np.abs(1 - step_x - (u - left)) * np.abs(1 - step_y - (v - above))
        turned += weight[..., None] * picture[mirrored(above + step_y, height), mirrored(left + step_x, width)]
turned = np.concatenate([np.floor(turned + 0.5), np.full((out_height, out_width, 1), 255.0)], axis=2).astype(np.uint8)
write("rotate", "Turning an image with a texture",
      "The kernel asks a texture for the colour between pixels. The texture unit takes the weighted mean of the four "
      "nearest ones, and mirrors the image where coordinates leave it. Open the Image tab of the buffers to see the "
      "picture before and after.",
      "rotate",
      [{"name": "image", "direction": "in", "source": {"kind": "file", "path": "picture.png"},
        "texture": {"kind": "2d", "address": "mirror", "filter": "linear", "read": "normalized_float",
                    "normalized_coordinates": True, "fourth": 255}},
       {"name": "out", "direction": "out", "source": zeros([out_height, out_width, 4], "uint8"),
        "expect": expect("rotate", turned, atol=2)},
       size_of("width", "out", 1), size_of("height", "out", 0), scalar("angle", "f32", angle),
       scalar("zoom", "f32", zoom)],
      [18, 27, 1], [16, 8, 1])

# nbody
n = 1024
generator = np.random.default_rng(7)
angle, radius = generator.uniform(0, 2 * np.pi, n), np.sqrt(generator.uniform(0.02, 1, n))
position = np.stack([radius * np.cos(angle), radius * np.sin(angle), generator.normal(0, 0.05, n),
                     np.full(n, 1 / n)], 1).astype(np.float32)
speed = 0.9 * np.sqrt(radius)
velocity = np.stack([-speed * np.sin(angle), speed * np.cos(angle), np.zeros(n), np.zeros(n)], 1).astype(np.float32)
np.save(here / "nbody" / "position.npy", position)
np.save(here / "nbody" / "velocity.npy", velocity)
p, dt = position.astype(np.float64), np.float64(np.float32(0.01))
delta = p[None, :, :3] - p[:, None, :3]
pull = p[None, :, 3] / ((delta**2).sum(2) + np.float64(np.float32(1e-2)))**1.5
moved_velocity = velocity.astype(np.float64)
moved_velocity[:, :3] += (delta * pull[:, :, None]).sum(1) * dt
moved = p.copy()
moved[:, :3] += moved_velocity[:, :3] * dt
write("nbody", "N bodies in a disc",
      "1024 bodies circle in a disc and attract each other: every thread adds up the pull of all the others on its "
      "body. The block reads the bodies tile by tile into dynamic shared memory, whose size the launch gives: "
      "16 bytes a thread. rsqrtf is the hardware's approximate 1/√x.",
      "step",
      [{"name": "position", "direction": "in", "source": {"kind": "file", "path": "position.npy"}},
       {"name": "velocity", "direction": "inout", "source": {"kind": "file", "path": "velocity.npy"},
        "expect": expect("nbody", moved_velocity.astype(np.float32), "expected_velocity.npy", 1e-4, 1e-5)},
       {"name": "moved", "direction": "out", "source": zeros([n, 4]),
        "expect": expect("nbody", moved.astype(np.float32), rtol=1e-5, atol=1e-6)},
       size_of("n", "position", 0), scalar("dt", "f32", 0.01)],
      [n // 128, 1, 1], [128, 1, 1], 128 * 16)

# stencil
height, width = 180, 300
v, u = np.mgrid[0:height, 0:width]
field = np.zeros((height, width), np.float32)
for cx, cy, r, heat in ((80, 60, 26, 1.0), (190, 110, 34, 0.7), (250, 40, 16, 1.3), (120, 140, 12, 0.9)):
    field[(u - cx)**2 + (v - cy)**2 < r * r] = heat
field[86:94, 20:280] = 0.4
np.save(here / "stencil" / "field.npy", field)
f = np.pad(field.astype(np.float64), 1, "edge")
around = f[1:-1, :-2] + f[1:-1, 2:] + f[:-2, 1:-1] + f[2:, 1:-1]
write("stencil", "Heat flow, a stencil",
      "A cell's new temperature depends on its own and those of its four neighbours. A block loads its tile and a "
      "rim of one cell around it into shared memory, so that each cell is read from global memory about once "
      "instead of five times. Use the Plot tab to see the field as a heat map.",
      "heat",
      [{"name": "in", "direction": "in", "source": {"kind": "file", "path": "field.npy"}},
       {"name": "out", "direction": "out", "source": zeros([height, width]),
        "expect": expect("stencil", (field + np.float64(np.float32(0.2)) * (around - 4 * field)).astype(np.float32),
                         rtol=1e-5, atol=1e-6)},
       size_of("width", "in", 1), size_of("height", "in", 0), scalar("alpha", "f32", 0.2)],
      [(width + 31) // 32, (height + 7) // 8, 1], [32, 8, 1])

# heat
height, width, rounds = 120, 160, 2000
v, u = np.mgrid[0:height, 0:width]
start = np.zeros((height, width), np.float32)
for cx, cy, r, warmth in ((44, 40, 14, 1.0), (104, 74, 18, 0.7), (134, 28, 9, 1.3), (64, 92, 7, 0.9)):
    start[(u - cx)**2 + (v - cy)**2 < r * r] = warmth
start[:, 0], start[-1, :] = 0.5, 0.25
np.save(here / "heat" / "start.npy", start)
alpha = np.float64(np.float32(0.2))
# All rounds at once, by the waves that a plate with a cold rim has. What the rim's heat does is taken off first: the
# plate at rest, which is found by solving a system of equations.
n_in = (height - 2) * (width - 2)
sines = [np.sqrt(2 / (m + 1)) * np.sin(np.pi * np.outer(np.arange(1, m + 1), np.arange(1, m + 1)) / (m + 1))
         for m in (height - 2, width - 2)]
decay = [2 - 2 * np.cos(np.pi * np.arange(1, m + 1) / (m + 1)) for m in (height - 2, width - 2)]
poles = decay[0][:, None] + decay[1][None, :]
rim = start.astype(np.float64)
rim[1:-1, 1:-1] = 0
sources = rim[1:-1, :-2] + rim[1:-1, 2:] + rim[:-2, 1:-1] + rim[2:, 1:-1]
rest = sines[0] @ ((sines[0] @ sources @ sines[1]) / poles) @ sines[1]
waves = sines[0] @ (start[1:-1, 1:-1].astype(np.float64) - rest) @ sines[1]
warm = rim.copy()
warm[1:-1, 1:-1] = rest + sines[0] @ (waves * (1 - alpha * poles)**rounds) @ sines[1]
grid = ["ceil(width/bx)", "ceil(height/by)"]
write("heat", "Heat flow, round after round",
      "A pipeline: 2000 rounds of one kernel, each from the array `t` into `next`, and then the two exchange their "
      "names. The rim keeps its heat. Every tenth round is kept as a frame: open the Frames tab of the buffers and "
      "press play. Switch from launches to a graph in Launch, and see in Timing what each round's launch costs.",
      "",
      [{"name": "t", "direction": "inout", "source": {"kind": "file", "path": "start.npy"},
        "expect": expect("heat", warm.astype(np.float32), rtol=1e-3, atol=1e-4)},
       {"name": "next", "direction": "out", "source": zeros([height, width])},
       size_of("width", "t", 1), size_of("height", "t", 0), scalar("alpha", "f32", 0.2)],
      [1, 1, 1], [1, 1, 1], repeat=1, warmup=0,
      pipeline={"run_as": "launches",
                "steps": [{"kind": "loop", "times": rounds,
                           "steps": [{"kind": "launch", "kernel": "flow",
                                      "arguments": ["t", "next", "width", "height", "alpha"],
                                      "launch": {"grid": [1, 1, 1], "block": [32, 8, 1]}, "grid": grid},
                                     {"kind": "swap", "buffers": ["t", "next"]}]}],
                "frames": {"buffer": "t", "every": 10, "at_most": 200}})

# galaxy
n, size, rounds = 512, 96, 200
generator = np.random.default_rng(11)
angle, radius = generator.uniform(0, 2 * np.pi, n), np.sqrt(generator.uniform(0.02, 1, n))
position = np.stack([radius * np.cos(angle), radius * np.sin(angle), generator.normal(0, 0.05, n),
                     np.full(n, 1 / n)], 1).astype(np.float32)
speed = 0.8 * np.sqrt(radius)
velocity = np.stack([-speed * np.sin(angle), speed * np.cos(angle), np.zeros(n), np.zeros(n)], 1).astype(np.float32)
np.save(here / "galaxy" / "position.npy", position)
np.save(here / "galaxy" / "velocity.npy", velocity)
p, v, mass = position[:, :3].astype(np.float64), velocity[:, :3].astype(np.float64), position[:, 3].astype(np.float64)
dt, soft = np.float64(np.float32(0.01)), np.float64(np.float32(1e-2))
for _ in range(rounds):
    distance = ((p**2).sum(1)[:, None] + (p**2).sum(1)[None, :] - 2 * p @ p.T) + soft
    pull = mass[None, :] * distance**-1.5
    v = v + dt * (pull @ p - pull.sum(1)[:, None] * p)
    p = p + dt * v
end = np.concatenate([p, mass[:, None]], 1).astype(np.float32)
write("galaxy", "A galaxy in two kernels",
      "512 bodies circle and attract each other for 200 rounds. A round empties the picture, lets a kernel change "
      "the speeds by the pull of all bodies, and lets a second one move them and count how many are in each place of "
      "the picture. Play the pictures in the Frames tab of the buffers; Timing tells what each step takes.",
      "",
      [{"name": "position", "direction": "inout", "source": {"kind": "file", "path": "position.npy"},
        "expect": expect("galaxy", end, rtol=5e-3, atol=5e-3)},
       {"name": "velocity", "direction": "inout", "source": {"kind": "file", "path": "velocity.npy"}},
       {"name": "picture", "direction": "out", "source": zeros([size, size], "int32")},
       size_of("n", "position", 0), size_of("size", "picture", 0), scalar("dt", "f32", 0.01)],
      [1, 1, 1], [1, 1, 1], repeat=1, warmup=0,
      pipeline={"run_as": "launches",
                "steps": [{"kind": "loop", "times": rounds,
                           "steps": [{"kind": "fill", "buffer": "picture", "value": 0},
                                     {"kind": "launch", "kernel": "attract",
                                      "arguments": ["position", "velocity", "n", "dt"],
                                      "launch": {"grid": [n // 128, 1, 1], "block": [128, 1, 1],
                                                 "shared": 128 * 16}},
                                     {"kind": "launch", "kernel": "move",
                                      "arguments": ["position", "velocity", "picture", "n", "size", "dt"],
                                      "launch": {"grid": [1, 1, 1], "block": [128, 1, 1]}, "grid": ["ceil(n/bx)"]}]}],
                "frames": {"buffer": "picture", "every": 2, "at_most": 101}})

# printf
write("printf", "printf from a kernel",
      "Two blocks of four threads say who they are. The lines of one block keep their order more or less, those of "
      "different blocks do not have one: nothing orders blocks. Look at Output after the run.",
      "hello",
      [{"name": "squares", "direction": "out", "source": zeros([8], "int32"),
        "expect": expect("printf", np.arange(8, dtype=np.int32)**2)}],
      [2, 1, 1], [4, 1, 1], repeat=1, warmup=0)

# faulty
write("faulty", "A faulty kernel",
      "This one is wrong on purpose, to show what a wild access looks like: the distance from one row to the next is "
      "far too large, so a thread reads far outside its buffer. The run ends with CUDA_ERROR_ILLEGAL_ADDRESS; on the "
      "software device Problems names the source line, the block, the thread, and the buffer that was missed. The "
      "window, your source and the last results stay. Mend the line that says so, run again, and it works.",
      "shift_rows",
      [{"name": "in", "direction": "in", "source": random_source([512, 512], 8)},
       {"name": "out", "direction": "out", "source": zeros([512, 512])},
       size_of("width", "in", 1), size_of("height", "in", 0)],
      [32, 32, 1], [16, 16, 1], repeat=1, warmup=0)

# mandelbrot
height, width, left, top, pixel = 384, 512, -2.2, 1.2, 0.00625
cr = left + np.arange(width) * pixel
ci = top - np.arange(height)[:, None] * pixel
cr, ci = np.broadcast_arrays(cr, ci)
zr, zi, steps = np.zeros_like(cr), np.zeros_like(cr), np.zeros(cr.shape, np.uint8)
inside = np.ones(cr.shape, bool)
for _ in range(255):
    inside &= zr * zr + zi * zi <= 4.0
    steps[inside] += 1
    new_zr = np.where(inside, zr * zr - zi * zi + cr, zr)
    zi = np.where(inside, (zr + zr) * zi + ci, zi)
    zr = new_zr
write("mandelbrot", "Mandelbrot set",
      "One thread a pixel, and each takes as many steps as its point needs: 255 inside the set, a few far away. "
      "Threads of a warp wait for the slowest among them, so warps at the border of the set waste the most work. "
      "The Image tab shows the picture.",
      "mandelbrot",
      [{"name": "steps", "direction": "out", "source": zeros([height, width], "uint8"),
        "expect": expect("mandelbrot", steps)},
       size_of("width", "steps", 1), size_of("height", "steps", 0), scalar("left", "f64", left),
       scalar("top", "f64", top), scalar("pixel", "f64", pixel)],
      [width // 16, height // 16, 1], [16, 16, 1])

# scan
n = 1024
numbers = (splitmix64(9, n) % np.uint64(100)).astype(np.int32)
np.save(here / "scan" / "numbers.npy", numbers)
write("scan", "Prefix sums",
      "out[i] is the sum of in[0] … in[i-1]: it looks like a loop that cannot be run in parallel, but a tree does it "
      "in 20 steps for 1024 numbers. In each step fewer or more threads take part, and a barrier separates the "
      "steps. Sorting, compaction and many other algorithms are built on it.",
      "scan",
      [{"name": "in", "direction": "in", "source": {"kind": "file", "path": "numbers.npy"}},
       {"name": "out", "direction": "out", "source": zeros([n], "int32"),
        "expect": expect("scan", (np.cumsum(numbers) - numbers).astype(np.int32))},
       size_of("n", "in")],
      [1, 1, 1], [n // 2, 1, 1], n * 4)

# lessons
n = 1 << 16
values = uniform(10, n)
lesson("coalescing", "Lesson: coalescing", "scale_in_chunks",
       "Each thread scales 32 elements in a row, so neighbouring threads are 128 bytes apart. A request of a warp "
       "then takes 32 sectors where 4 would do: the device moves eight times the memory that it needs. Profile shows "
       "it at the line of the loop.",
       "scale_in_strides",
       "In each round neighbouring threads take neighbouring elements. The 128 bytes of a request lie in 4 sectors, "
       "the fewest possible. Nothing else has changed.",
       (values * np.float32(3)).astype(np.float32),
       [{"name": "in", "direction": "in", "source": random_source([n], 10)}, "out", size_of("n", "in"),
        scalar("factor", "f32", 3)],
       [8, 1, 1], [256, 1, 1], profile=True)

n = 256
square = uniform(11, n * n).reshape(n, n)
lesson("bank_conflicts", "Lesson: bank conflicts", "transpose_conflicts",
       "A block turns a tile of 32 by 32 numbers around in shared memory. It writes rows and reads columns. All words "
       "of a column lie in one bank, so each read takes 32 passes where one would do. Profile shows it: 32 "
       "wavefronts a request.",
       "transpose_padded",
       "A row of the tile has one word more, which nobody uses. So the words of a column lie in 32 banks, and one "
       "pass serves a whole warp. It costs 128 bytes of shared memory.",
       np.ascontiguousarray(square.T),
       [{"name": "in", "direction": "in", "source": random_source([n, n], 11)}, "out", size_of("n", "in", 0)],
       [n // 32, n // 32, 1], [32, 32, 1], profile=True)

n = 1 << 14
lesson("divergence", "Lesson: divergence", "sum_scattered",
       "Each block adds up 256 numbers in eight rounds. In the first round every second thread works, in the next "
       "every fourth. So all eight warps go through all rounds with most of their threads idle. Profile shows few "
       "active lanes at the addition, and branches at which lanes part.",
       "sum_packed",
       "The threads that work are always the first ones of the block. Whole warps work or rest, and a warp that "
       "rests skips the addition. Lanes of one warp part in the last rounds alone.",
       np.arange(n, dtype=np.int32).reshape(-1, 256).sum(1, dtype=np.int32),
       [{"name": "in", "direction": "in", "source": {"kind": "arange", "dtype": "int32", "shape": [n]}}, "sums"],
       [n // 256, 1, 1], [256, 1, 1], profile=True)

n = 1 << 14
lesson("race", "Lesson: a race", "count_racing",
       "Counts how often each of 16 values occurs. Many threads read a count, add one, and write it back. Some read "
       "before others have written, and those additions are lost. The check `race` finds the place in one run, even "
       "when the result is right by luck.",
       "count_atomically",
       "atomicAdd() reads, adds and writes as one step, so no addition is lost. Where many threads meet at few counts, "
       "count in shared memory first, as the example *Histogram with atomics* does.",
       np.full(16, n // 16, np.int32),
       [{"name": "data", "direction": "in", "source": {"kind": "arange", "dtype": "int32", "shape": [n]}}, "counts",
        size_of("n", "data")],
       [n // 256, 1, 1], [256, 1, 1], checks=["race"])

n = 1 << 12
numbers = uniform(12, n)
lesson("missing_barrier", "Lesson: a missing barrier", "reverse_at_once",
       "Each block turns 256 numbers around by way of shared memory. A thread reads what a thread of another warp "
       "writes, but nothing makes it wait for that. The check `race` names both lines and what would order them.",
       "reverse_in_order",
       "All threads of the block come to __syncthreads() before any goes on. What was written before it can be read "
       "behind it.",
       np.ascontiguousarray(numbers.reshape(-1, 256)[:, ::-1].reshape(-1)),
       [{"name": "in", "direction": "in", "source": random_source([n], 12)}, "out"],
       [n // 256, 1, 1], [256, 1, 1], checks=["race"])

n = 1000
numbers = uniform(13, n)
lesson("off_by_one", "Lesson: one element too far", "differences_too_far",
       "Each thread subtracts an element from its neighbour. The last one has no neighbour and reads behind the end "
       "of the array. Mostly nothing is seen of it. The check `memory` finds it to the byte: the buffer, the line, the "
       "block and the thread.",
       "differences",
       "1,000 numbers have 999 differences, so the last thread has nothing to do. The condition says so.",
       np.append(numbers[1:] - numbers[:-1], np.float32(0)).astype(np.float32),
       [{"name": "in", "direction": "in", "source": random_source([n], 13)}, "out", size_of("n", "in")],
       [4, 1, 1], [256, 1, 1], checks=["memory"])
