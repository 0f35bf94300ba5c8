# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces that the program's library does not make. The driver makes them, in the context that the
library has made current."""
import ctypes
import sys

import numpy as np

driver = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")

FORMATS = {"UNSIGNED_INT8": 0x01, "UNSIGNED_INT16": 0x02, "UNSIGNED_INT32": 0x03, "SIGNED_INT8": 0x08,
           "SIGNED_INT16": 0x09, "SIGNED_INT32": 0x0a, "HALF": 0x10, "FLOAT": 0x20}
ARRAY_FLAGS = {"LAYERED": 1, "SURFACE_LDST": 2, "CUBEMAP": 4, "TEXTURE_GATHER": 8}
ADDRESS_MODES = {"WRAP": 0, "CLAMP": 1, "MIRROR": 2, "BORDER": 3}
FILTER_MODES = {"POINT": 0, "LINEAR": 1}
FLAGS = {"READ_AS_INTEGER": 1, "NORMALIZED_COORDINATES": 2, "SRGB": 0x10, "SEAMLESS_CUBEMAP": 0x40}
HOST, DEVICE, ARRAY = 1, 2, 3  # CUmemorytype
OF_ARRAY, OF_LINEAR, OF_ROWS = 0, 2, 3  # CUresourcetype


class ArrayDescriptor(ctypes.Structure):  # CUDA_ARRAY3D_DESCRIPTOR
    _fields_ = [("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t),
                ("format", ctypes.c_int), ("channels", ctypes.c_uint), ("flags", ctypes.c_uint)]


class PlaneDescriptor(ctypes.Structure):  # CUDA_ARRAY_DESCRIPTOR
    _fields_ = [("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("format", ctypes.c_int),
                ("channels", ctypes.c_uint)]


class Linear(ctypes.Structure):
    _fields_ = [("memory", ctypes.c_uint64), ("format", ctypes.c_int), ("channels", ctypes.c_uint),
                ("bytes", ctypes.c_size_t)]


class Rows(ctypes.Structure):
    _fields_ = [("memory", ctypes.c_uint64), ("format", ctypes.c_int), ("channels", ctypes.c_uint),
                ("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("pitch", ctypes.c_size_t)]


class Resource(ctypes.Union):
    _fields_ = [("array", ctypes.c_void_p), ("linear", Linear), ("rows", Rows), ("reserved", ctypes.c_int * 32)]


class ResourceDescriptor(ctypes.Structure):  # CUDA_RESOURCE_DESC
    _fields_ = [("kind", ctypes.c_int), ("of", Resource), ("flags", ctypes.c_uint)]


class TextureDescriptor(ctypes.Structure):  # CUDA_TEXTURE_DESC
    _fields_ = [("address", ctypes.c_int * 3), ("filter", ctypes.c_int), ("flags", ctypes.c_uint),
                ("anisotropy", ctypes.c_uint), ("mipmap_filter", ctypes.c_int), ("mipmap_bias", ctypes.c_float),
                ("mipmap_least", ctypes.c_float), ("mipmap_most", ctypes.c_float), ("border", ctypes.c_uint32 * 4),
                ("reserved", ctypes.c_int * 12)]


class End(ctypes.Structure):
    """What a copy reads or writes."""
    _fields_ = [("x", ctypes.c_size_t), ("y", ctypes.c_size_t), ("z", ctypes.c_size_t), ("lod", ctypes.c_size_t),
                ("kind", ctypes.c_int), ("host", ctypes.c_void_p), ("device", ctypes.c_uint64),
                ("array", ctypes.c_void_p), ("reserved", ctypes.c_void_p), ("pitch", ctypes.c_size_t),
                ("height", ctypes.c_size_t)]


class Copy(ctypes.Structure):  # CUDA_MEMCPY3D
    _fields_ = [("source", End), ("target", End), ("row", ctypes.c_size_t), ("height", ctypes.c_size_t),
                ("depth", ctypes.c_size_t)]


def check(code):
    if code == 0:
        return
    text = ctypes.c_char_p()
    driver.cuGetErrorString(code, ctypes.byref(text))
    raise RuntimeError(f"the driver answers: {text.value.decode() if text.value else code}")


def address_of(memory):
    """Of an array or an allocation of the library."""
    interface = getattr(memory, "__cuda_array_interface__", None)
    return interface["data"][0] if interface else int(memory)


class Texture:
    """Data that a kernel gets as a texture or surface. It lives as long as the context."""

    stream = 0  # of the copies; 0 is the default one

    def __init__(self, width, height, depth, format, channels, flags, element):
        """element: bytes of one, with all its components"""
        self.extents = ArrayDescriptor(width, height, depth, FORMATS[format], channels,
                                       sum(ARRAY_FLAGS[each] for each in flags))
        self.element, self.row = element, width * element
        self.height, self.depth = max(height, 1), max(depth, 1)
        self.sampling, self.resource = TextureDescriptor(), ResourceDescriptor()
        self.packed = None  # memory of the library with all elements one after the other, where it is needed

    def sample(self, address, filter, flags):
        self.sampling.address[:] = [ADDRESS_MODES[each] for each in address]
        self.sampling.filter = FILTER_MODES[filter]
        self.sampling.flags = sum(FLAGS[each] for each in flags)

    def border(self, color):
        self.sampling.border[:] = np.array(color, np.float32).view(np.uint32).tolist()

    def border_of_integers(self, color):
        self.sampling.border[:] = [each & 0xffffffff for each in color]

    def make_array(self):
        array = ctypes.c_void_p()
        check(driver.cuArray3DCreate_v2(ctypes.byref(array), ctypes.byref(self.extents)))
        self.use_array(array.value)

    def use_array(self, handle):
        self.resource.kind = OF_ARRAY
        self.resource.of.array = handle

    def make_linear(self):
        self.resource.kind = OF_LINEAR
        self.resource.of.linear = Linear(address_of(self.packed), self.extents.format, self.extents.channels, self.row)

    def make_rows(self):
        self.resource.kind = OF_ROWS
        memory, pitch = ctypes.c_uint64(), ctypes.c_size_t()
        check(driver.cuMemAllocPitch_v2(ctypes.byref(memory), ctypes.byref(pitch), ctypes.c_size_t(self.row),
                                        ctypes.c_size_t(self.height), min(max(self.element, 4), 16)))
        self.resource.of.rows = Rows(memory.value, self.extents.format, self.extents.channels, self.extents.width,
                                     self.height, pitch.value)

    def make_texture(self):
        handle = ctypes.c_uint64()
        check(driver.cuTexObjectCreate(ctypes.byref(handle), ctypes.byref(self.resource), ctypes.byref(self.sampling),
                                       None))
        self.texture = np.uint64(handle.value)

    def make_surface(self):
        handle = ctypes.c_uint64()
        check(driver.cuSurfObjectCreate(ctypes.byref(handle), ctypes.byref(self.resource)))
        self.surface = np.uint64(handle.value)

    def bind_texture(self, module, name):
        """Makes it the texture of that name in the source. module: its handle, or that of a library"""
        reference = ctypes.c_void_p()
        check(driver.cuModuleGetTexRef(ctypes.byref(reference), self.module_of(module), name.encode()))
        for axis, mode in enumerate(self.sampling.address):
            check(driver.cuTexRefSetAddressMode(reference, axis, mode))
        check(driver.cuTexRefSetFilterMode(reference, self.sampling.filter))
        check(driver.cuTexRefSetFlags(reference, self.sampling.flags))
        if self.resource.kind == OF_ARRAY:
            check(driver.cuTexRefSetArray(reference, ctypes.c_void_p(self.resource.of.array), 1))  # with its format
        elif self.resource.kind == OF_ROWS:
            rows = self.resource.of.rows
            plane = PlaneDescriptor(rows.width, rows.height, rows.format, rows.channels)
            check(driver.cuTexRefSetAddress2D_v3(reference, ctypes.byref(plane), ctypes.c_uint64(rows.memory),
                                                 ctypes.c_size_t(rows.pitch)))
        else:
            linear = self.resource.of.linear
            check(driver.cuTexRefSetFormat(reference, linear.format, linear.channels))
            check(driver.cuTexRefSetAddress_v2(None, reference, ctypes.c_uint64(linear.memory),
                                               ctypes.c_size_t(linear.bytes)))

    def bind_surface(self, module, name):
        reference = ctypes.c_void_p()
        check(driver.cuModuleGetSurfRef(ctypes.byref(reference), self.module_of(module), name.encode()))
        check(driver.cuSurfRefSetArray(reference, ctypes.c_void_p(self.resource.of.array), 0))

    @staticmethod
    def module_of(handle):
        module = ctypes.c_void_p(int(getattr(handle, "value", handle)))
        if type(handle).__name__ == "CUlibrary":
            check(driver.cuLibraryGetModule(ctypes.byref(module), module))
        return module

    def upload(self, data):
        if self.resource.kind == OF_LINEAR:
            check(driver.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(self.resource.of.linear.memory),
                                              ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(self.row),
                                              ctypes.c_void_p(self.stream)))
        else:
            self.copy(self.in_host(data), self.in_place())

    def download(self, data):
        """When all before it is done."""
        if self.resource.kind == OF_LINEAR:
            check(driver.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(data.ctypes.data),
                                              ctypes.c_uint64(self.resource.of.linear.memory),
                                              ctypes.c_size_t(self.row), ctypes.c_void_p(self.stream)))
        else:
            self.copy(self.in_place(), self.in_host(data))
        check(driver.cuStreamSynchronize(ctypes.c_void_p(self.stream)))

    def unload(self):
        """Copies all elements to the packed memory."""
        self.copy(self.in_place(), self.in_memory())

    def load(self):
        """Takes all elements from the packed memory."""
        self.copy(self.in_memory(), self.in_place())

    def copy(self, source, target):
        copy = Copy(source, target, self.row, self.height, self.depth)
        check(driver.cuMemcpy3DAsync_v2(ctypes.byref(copy), ctypes.c_void_p(self.stream)))

    def in_host(self, data):
        return End(kind=HOST, host=data.ctypes.data, pitch=self.row, height=self.height)

    def in_memory(self):
        return End(kind=DEVICE, device=address_of(self.packed), pitch=self.row, height=self.height)

    def in_place(self):
        if self.resource.kind == OF_ARRAY:
            return End(kind=ARRAY, array=self.resource.of.array)
        rows = self.resource.of.rows
        return End(kind=DEVICE, device=rows.memory, pitch=rows.pitch, height=self.height)
