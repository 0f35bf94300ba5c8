# SPDX-License-Identifier: Apache-2.0
# Uses the driver as Python packages do that bring no compiled code: opens libcuda.so, names what it wants, prefers the
# forms for the per-thread default stream and the newest suffix, launches from several threads.
import array
import ctypes
import threading
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

PTX = b"""
.version 7.0
.target sm_50
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 count)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<5>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u64 %rd1, [data]; ld.param.f32 %f1, [factor]; ld.param.u32 %r5, [count];
  setp.ge.u32 %p1, %r4, %r5;
  @%p1 ret;
  mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3;
  ret;
}
"""

library = ctypes.CDLL("libcuda.so")
assert ctypes.CDLL("libcuda.so.1")._handle == library._handle


def find(name, *types):
    """The entry point in the form that is newest and has the per-thread default stream."""
    for suffix in ("_v2_ptds", "_v2_ptsz", "_ptds", "_ptsz", "_v2", ""):
        function = getattr(library, name + suffix, None)
        if function is None:
            continue
        function.restype = c_int
        function.argtypes = types

        def call(*arguments):
            code = function(*arguments)
            if code:
                text = c_char_p()
                library.cuGetErrorName(code, byref(text))
                raise RuntimeError(f"{name}: {text.value.decode()}")

        call.symbol = name + suffix
        return call
    raise AttributeError(name)


init = find("cuInit", c_uint)
get_device = find("cuDeviceGet", c_void_p, c_int)
retain = find("cuDevicePrimaryCtxRetain", c_void_p, c_int)
push = find("cuCtxPushCurrent", c_void_p)
pop = find("cuCtxPopCurrent", c_void_p)
allocate = find("cuMemAlloc", c_void_p, c_size_t)
free = find("cuMemFree", c_uint64)
upload = find("cuMemcpyHtoDAsync", c_uint64, c_void_p, c_size_t, c_void_p)
download = find("cuMemcpyDtoHAsync", c_void_p, c_uint64, c_size_t, c_void_p)
launch = find("cuLaunchKernel", c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p)
wait = find("cuStreamSynchronize", c_void_p)
event_create = find("cuEventCreate", c_void_p, c_uint)
event_record = find("cuEventRecord", c_void_p, c_void_p)
event_elapsed = find("cuEventElapsedTime", c_void_p, c_void_p, c_void_p)
assert upload.symbol == "cuMemcpyHtoDAsync_v2_ptsz" and wait.symbol == "cuStreamSynchronize_ptsz"

init(0)
device, context, module, function = c_int(), c_void_p(), c_void_p(), c_void_p()
get_device(byref(device), 0)
retain(byref(context), device)
push(context)
# What the linker gives out is what is loaded, as it is where device functions come from several places.
link, image, size = c_void_p(), c_void_p(), c_size_t()
log = ctypes.create_string_buffer(1024)
options = (c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
values = (c_void_p * 2)(ctypes.addressof(log), 1024)
find("cuLinkCreate", c_uint, c_void_p, c_void_p, c_void_p)(2, options, values, byref(link))
find("cuLinkAddData", c_void_p, c_int, c_char_p, c_size_t, c_char_p, c_uint, c_void_p, c_void_p)(
    link, 1, PTX, len(PTX) + 1, b"scale.ptx", 0, None, None)
find("cuLinkComplete", c_void_p, c_void_p, c_void_p)(link, byref(image), byref(size))
find("cuModuleLoadDataEx", c_void_p, c_void_p, c_uint, c_void_p, c_void_p)(byref(module), image, 0, None, None)
find("cuLinkDestroy", c_void_p)(link)
find("cuModuleGetFunction", c_void_p, c_void_p, c_char_p)(byref(function), module, b"scale")

failures = []


def scale(factor):
    try:
        push(context)
        count = 10000
        data = array.array("f", range(count))
        address, _ = data.buffer_info()
        memory = c_uint64()
        start, end = c_void_p(), c_void_p()
        event_create(byref(start), 0)
        event_create(byref(end), 0)
        allocate(byref(memory), 4 * count)
        event_record(start, None)
        upload(memory, address, 4 * count, None)
        packed = [memory, ctypes.c_float(factor), c_uint(count)]
        pointers = (c_void_p * 3)(*[ctypes.addressof(each) for each in packed])
        launch(function, (count + 127) // 128, 1, 1, 128, 1, 1, 0, None, pointers, None)
        download(address, memory, 4 * count, None)
        event_record(end, None)
        wait(None)
        milliseconds = ctypes.c_float(-1)
        event_elapsed(byref(milliseconds), start, end)
        free(memory)
        assert milliseconds.value > 0
        assert all(data[i] == factor * i for i in range(count))
        pop(byref(c_void_p()))
    except Exception as problem:  # pylint: disable=broad-except
        failures.append(problem)


threads = [threading.Thread(target=scale, args=(factor,)) for factor in range(1, 6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if failures:
    raise failures[0]
try:
    free(12345)
except RuntimeError as problem:
    assert str(problem) == "cuMemFree: CUDA_ERROR_INVALID_VALUE", problem
else:
    raise AssertionError("a wild address was freed")
print("ctypes program: done")
