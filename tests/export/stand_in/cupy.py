# SPDX-License-Identifier: Apache-2.0
"""The part of CuPy that exported programs use, over the driver and NVRTC.

CuPy has NVIDIA's runtime inside, which works with NVIDIA's driver alone. So on the software device the programs run with
this in its place.
"""
import ctypes
import os

import cupy_texture
import numpy as np

_driver = ctypes.CDLL("libcuda.so.1")
_nvrtc = ctypes.CDLL("libnvrtc.so.13")


def _check(code):
    if code:
        raise RuntimeError(f"the driver or NVRTC answers {code}")


_check(_driver.cuInit(0))


class ndarray:
    def __init__(self, shape, dtype=np.float32, memptr=None):
        self.shape, self.dtype = (shape,) if isinstance(shape, int) else tuple(shape), np.dtype(dtype)
        if self.dtype.kind not in "biufc":
            raise ValueError(f"CuPy has no arrays of {self.dtype}")
        self.nbytes = self.dtype.itemsize * int(np.prod(self.shape))
        self.address = ctypes.c_uint64(memptr or 0)
        if memptr is None and self.nbytes:
            _check(_driver.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(self.nbytes)))

    def set(self, array):
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError("CuPy copies arrays of one shape and type")
        array = np.ascontiguousarray(array)
        _check(_driver.cuMemcpyHtoD_v2(self.address, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(self.nbytes)))

    def ravel(self):
        """A view, as all arrays here lie in C order."""
        return ndarray(self.nbytes // self.dtype.itemsize, self.dtype, self.address.value)

    def reshape(self, shape):
        if int(np.prod(shape)) != int(np.prod(self.shape)):
            raise ValueError("cannot reshape array")
        return ndarray(shape, self.dtype, self.address.value)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address.value, False), "version": 3}

    def __getitem__(self, part):
        start, stop, _ = part.indices(self.shape[0])
        return ndarray(stop - start, self.dtype, self.address.value + start * self.dtype.itemsize)

    def __setitem__(self, part, value):
        to = self[part]
        if isinstance(value, ndarray):
            if value.shape != to.shape or value.dtype != to.dtype:
                raise ValueError("CuPy copies parts of one shape and type")
            _check(_driver.cuMemcpyDtoD_v2(to.address, value.address, ctypes.c_size_t(to.nbytes)))
        else:
            to.set(np.full(to.shape, value, self.dtype))

    def get(self):
        array = np.empty(self.shape, self.dtype)
        _check(_driver.cuMemcpyDtoH_v2(ctypes.c_void_p(array.ctypes.data), self.address, ctypes.c_size_t(self.nbytes)))
        return array


def empty(shape, dtype=np.float32):
    return ndarray(shape, dtype)


class cuda:
    runtime, texture = cupy_texture.runtime, cupy_texture

    class Stream:
        current = None

        def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
            self.ptr = ctypes.c_void_p()
            if not null:
                _check(_driver.cuStreamCreateWithPriority(ctypes.byref(self.ptr), int(non_blocking), priority or 0))

        def use(self):
            cuda.Stream.current = self
            return self

        def synchronize(self):
            _check(_driver.cuStreamSynchronize(self.ptr))

    class Device:
        def __init__(self, number):
            self.number = number

        def use(self):
            context = ctypes.c_void_p()
            _check(_driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), self.number))
            _check(_driver.cuCtxSetCurrent(context))

    class Event:
        def __init__(self):
            self.handle = ctypes.c_void_p()
            _check(_driver.cuEventCreate(ctypes.byref(self.handle), 0))

        def record(self):
            _check(_driver.cuEventRecord(self.handle, cuda.get_current_stream().ptr))

        def synchronize(self):
            _check(_driver.cuEventSynchronize(self.handle))

    @classmethod
    def get_current_stream(cls):
        return cls.Stream.current or cls.Stream(null=True)

    @staticmethod
    def get_elapsed_time(begin, end):
        time = ctypes.c_float()
        _check(_driver.cuEventElapsedTime(ctypes.byref(time), begin.handle, end.handle))
        return time.value


def _compile(code, options, name_expressions):
    major = ctypes.c_int()
    _check(_driver.cuDeviceGetAttribute(ctypes.byref(major), 75, 0))
    include = os.environ["CUPY_STAND_IN_INCLUDE"]
    options = [*options, f"--gpu-architecture=compute_{major.value}0", f"-I{include}", f"-I{include}/cccl"]
    program = ctypes.c_void_p()
    _check(_nvrtc.nvrtcCreateProgram(ctypes.byref(program), code.encode(), b"kernel.cu", 0, None, None))
    for name in name_expressions:
        _check(_nvrtc.nvrtcAddNameExpression(program, name.encode()))
    texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    result = _nvrtc.nvrtcCompileProgram(program, len(options), texts)
    size = ctypes.c_size_t()
    if result:
        _check(_nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
        log = ctypes.create_string_buffer(size.value)
        _check(_nvrtc.nvrtcGetProgramLog(program, log))
        raise RuntimeError(log.value.decode())
    names = {}
    for name in name_expressions:
        lowered = ctypes.c_char_p()
        _check(_nvrtc.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(lowered)))
        names[name] = lowered.value
    _check(_nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    _check(_nvrtc.nvrtcGetPTX(program, ptx))
    return ptx.value, names


class RawModule:
    def __init__(self, *, code=None, path=None, options=(), name_expressions=(), enable_cooperative_groups=False):
        self.cooperative = enable_cooperative_groups
        if path is not None:
            with open(path, "rb") as file:
                ptx, self.names = file.read(), {}
        else:
            ptx, self.names = _compile(code, options, name_expressions)
        self.handle = ctypes.c_void_p()
        _check(_driver.cuModuleLoadData(ctypes.byref(self.handle), ptx))

    @property
    def module(self):
        return _Module(self.handle.value)

    def get_function(self, name):
        return _Kernel(self, self.names.get(name, name.encode()))

    def get_global(self, name):
        address = ctypes.c_uint64()
        _check(_driver.cuModuleGetGlobal_v2(ctypes.byref(address), None, self.handle, name.encode()))
        return address.value


class _Module:
    def __init__(self, ptr):
        self.ptr = ptr


class _Kernel:
    def __init__(self, module, name):
        self.module, self.handle = module, ctypes.c_void_p()
        _check(_driver.cuModuleGetFunction(ctypes.byref(self.handle), module.handle, name))

    @property
    def max_dynamic_shared_size_bytes(self):
        raise NotImplementedError

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size):
        _check(_driver.cuFuncSetAttribute(self.handle, 8, size))

    @property
    def preferred_shared_memory_carveout(self):
        raise NotImplementedError

    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, percent):
        _check(_driver.cuFuncSetAttribute(self.handle, 9, percent))

    def __call__(self, grid, block, args, *, shared_mem=0):
        values = [self._value(each) for each in args]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        launch = _driver.cuLaunchCooperativeKernel if self.module.cooperative else _driver.cuLaunchKernel
        more = [] if self.module.cooperative else [None]
        _check(launch(self.handle, *grid, *block, shared_mem, cuda.get_current_stream().ptr, pointers, *more))

    @staticmethod
    def _value(value):
        if isinstance(value, ndarray):
            return value.address
        if isinstance(value, (cupy_texture.TextureObject, cupy_texture.SurfaceObject)):
            return value.ptr
        structure = isinstance(value, np.ndarray) and value.size == 1 and value.dtype.names
        if not structure and (not isinstance(value, np.generic) or value.dtype.char not in "?bhilqBHILQefdFD"):
            raise TypeError(f"Unsupported type {type(value)}")
        data = value.tobytes()
        return (ctypes.c_char * len(data)).from_buffer_copy(data)
