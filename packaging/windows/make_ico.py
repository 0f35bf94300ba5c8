#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a Windows icon of a drawing: make_ico.py RSVG_CONVERT DRAWING.svg OUT.ico

Small sizes are bitmaps, which every program reads; large ones are PNG, which Windows knows since Vista.
"""
import io
import struct
import subprocess
import sys

from PIL import Image

BITMAPS = (16, 20, 24, 32, 40, 48, 64)
PICTURES = (128, 256)


def bitmap(picture: Image.Image) -> bytes:
    """A picture as a resource has it: the header tells the height of the colours and of the mask together."""
    side = picture.width
    header = struct.pack("<IiiHHIIiiII", 40, side, 2 * side, 1, 32, 0, 0, 0, 0, 0, 0)
    colours = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes("raw", "BGRA")
    mask = bytes((side + 31) // 32 * 4 * side)  # all shown: the colours have their own opacity
    return header + colours + mask


def main() -> None:
    convert, drawing, out = sys.argv[1:]
    images = []
    for side in BITMAPS + PICTURES:
        png = subprocess.run([convert, "--width", str(side), "--height", str(side), drawing],
                             stdout=subprocess.PIPE, check=True).stdout
        picture = Image.open(io.BytesIO(png)).convert("RGBA")
        if picture.size != (side, side):
            sys.exit(f"{drawing} is not square")
        images.append((side, bitmap(picture) if side in BITMAPS else png))
    content = struct.pack("<HHH", 0, 1, len(images))
    at = len(content) + 16 * len(images)
    for side, image in images:
        content += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(image), at)
        at += len(image)
    with open(out, "wb") as file:
        file.write(content + b"".join(image for _, image in images))


main()
