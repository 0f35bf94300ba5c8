# SPDX-License-Identifier: Apache-2.0
"""cupy.cuda.texture, and the constants of cupy.cuda.runtime that go with it, over the runtime library: CuPy too calls
cudaMalloc3DArray, cudaMemcpy3DAsync, cudaCreateTextureObject and cudaCreateSurfaceObject, and checks what it is given
before."""
import ctypes

import numpy as np

_runtime = ctypes.CDLL("libcudart.so.13")


def _check(code):
    if code:
        raise RuntimeError(f"the runtime library answers {code}")


class runtime:
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat = range(3)
    cudaArrayDefault, cudaArraySurfaceLoadStore = 0, 2
    cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D = range(4)
    cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder = range(4)
    cudaFilterModePoint, cudaFilterModeLinear = range(2)
    cudaReadModeElementType, cudaReadModeNormalizedFloat = range(2)


class _Format(ctypes.Structure):  # cudaChannelFormatDesc
    _fields_ = [("bits", ctypes.c_int * 4), ("kind", ctypes.c_int)]


class _Linear(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("format", _Format), ("size", ctypes.c_size_t)]


class _Resource(ctypes.Union):
    _fields_ = [("array", ctypes.c_void_p), ("linear", _Linear), ("reserved", ctypes.c_size_t * 8)]


class _ResourceDesc(ctypes.Structure):  # cudaResourceDesc
    _fields_ = [("type", ctypes.c_int), ("of", _Resource), ("reserved", ctypes.c_int * 4)]


class _TextureDesc(ctypes.Structure):  # cudaTextureDesc
    _fields_ = [("address", ctypes.c_int * 3), ("filter", ctypes.c_int), ("read", ctypes.c_int), ("srgb", ctypes.c_int),
                ("border", ctypes.c_float * 4), ("normalized", ctypes.c_int), ("anisotropy", ctypes.c_uint),
                ("mipmaps", ctypes.c_int * 4), ("unoptimized", ctypes.c_int), ("seamless", ctypes.c_int)]


class _Extent(ctypes.Structure):
    _fields_ = [("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t)]


class _Pitched(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("pitch", ctypes.c_size_t), ("width", ctypes.c_size_t),
                ("height", ctypes.c_size_t)]


class _Copy(ctypes.Structure):  # cudaMemcpy3DParms
    _fields_ = [("source_array", ctypes.c_void_p), ("source_position", _Extent), ("source", _Pitched),
                ("target_array", ctypes.c_void_p), ("target_position", _Extent), ("target", _Pitched),
                ("extent", _Extent), ("kind", ctypes.c_int)]


class ChannelFormatDescriptor:
    def __init__(self, x, y, z, w, f):
        self.desc = _Format((x, y, z, w), f)


class CUDAarray:
    def __init__(self, desc, width, height=0, depth=0, flags=0):
        if width == 0:
            raise ValueError("To create a CUDA array, width must be nonzero.")
        if height == 0 and depth > 0:
            raise ValueError("To create a 2D CUDA array, height must be nonzero.")
        self.format, self.extents = desc, (width, height, depth)
        self.ptr = ctypes.c_void_p()
        _check(_runtime.cudaMalloc3DArray(ctypes.byref(self.ptr), ctypes.byref(desc.desc),
                                          _Extent(width, height, depth), flags))

    def copy_from(self, in_arr, stream=None):
        on_device = self._is_on_device(in_arr)
        if not on_device:
            in_arr = np.ascontiguousarray(in_arr)
        self._check(in_arr)
        self._copy(_Copy(source=self._pitched(in_arr), target_array=self.ptr, kind=3 if on_device else 1))

    def copy_to(self, out_arr, stream=None):
        on_device = self._is_on_device(out_arr)
        if not on_device and not out_arr.flags.c_contiguous:
            raise ValueError("The output array must be C-contiguous")
        self._check(out_arr)
        self._copy(_Copy(source_array=self.ptr, target=self._pitched(out_arr), kind=3 if on_device else 2))

    @staticmethod
    def _is_on_device(array):
        return not isinstance(array, np.ndarray)

    def _check(self, array):
        width, height, depth = self.extents
        channels = sum(bits > 0 for bits in self.format.desc.bits)
        if array.shape != tuple(extent for extent in (depth, height) if extent) + (width * channels,):
            raise ValueError("shape mismatch")
        kind = {runtime.cudaChannelFormatKindSigned: "i", runtime.cudaChannelFormatKindUnsigned: "u",
                runtime.cudaChannelFormatKindFloat: "f"}[self.format.desc.kind]
        if array.dtype.kind != kind or array.dtype.itemsize > 4:
            raise ValueError("dtype mismatch")

    def _pitched(self, array):
        width, height = array.shape[-1], array.shape[-2] if len(array.shape) > 1 else 1
        address = array.address.value if self._is_on_device(array) else array.ctypes.data
        return _Pitched(address, width * array.dtype.itemsize, width, height)

    def _copy(self, copy):
        width, height, depth = self.extents
        copy.extent = _Extent(width, max(height, 1), max(depth, 1))
        _check(_runtime.cudaMemcpy3DAsync(ctypes.byref(copy), None))


class ResourceDescriptor:
    def __init__(self, restype, cuArr=None, arr=None, chDesc=None, sizeInBytes=0, width=0, height=0, pitchInBytes=0):
        self.kept = cuArr, arr, chDesc
        self.desc = _ResourceDesc(type=restype)
        if restype == runtime.cudaResourceTypeArray:
            self.desc.of.array = cuArr.ptr
        elif restype == runtime.cudaResourceTypeLinear:
            self.desc.of.linear = _Linear(arr.address.value, chDesc.desc, sizeInBytes)
        else:
            raise NotImplementedError("the stand-in has arrays and linear memory")


class TextureDescriptor:
    def __init__(self, addressModes=None, filterMode=0, readMode=0, sRGB=None, borderColors=None,
                 normalizedCoords=None, maxAnisotropy=None):
        self.desc = _TextureDesc(filter=filterMode, read=readMode, srgb=sRGB or 0, normalized=normalizedCoords or 0,
                                 anisotropy=maxAnisotropy or 0)
        for i, mode in enumerate(addressModes or ()):
            self.desc.address[i] = mode
        for i, color in enumerate(borderColors or ()):
            self.desc.border[i] = color


class TextureObject:
    def __init__(self, ResDesc, TexDesc):
        self.kept = ResDesc, TexDesc
        self.ptr = ctypes.c_uint64()
        _check(_runtime.cudaCreateTextureObject(ctypes.byref(self.ptr), ctypes.byref(ResDesc.desc),
                                                ctypes.byref(TexDesc.desc), None))


class SurfaceObject:
    def __init__(self, ResDesc):
        self.kept = ResDesc
        self.ptr = ctypes.c_uint64()
        _check(_runtime.cudaCreateSurfaceObject(ctypes.byref(self.ptr), ctypes.byref(ResDesc.desc)))
