# SPDX-License-Identifier: Apache-2.0
# Links as Python packages do that find libnvJitLink: what comes out runs on the driver.
import array
import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

HEAD = b".version 7.0\n.target sm_50\n.address_size 64\n"
KERNEL = HEAD + b"""
.extern .func (.param .b32 result) twice(.param .b32 x);
.visible .entry doubles(.param .u64 data)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [data]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  { .param .b32 x; .param .b32 result; st.param.b32 [x], %r2; call.uni (result), twice, (x); ld.param.b32 %r3, [result]; }
  st.global.u32 [%rd3], %r3;
  ret;
}
"""
FUNCTION = HEAD + b"""
.visible .func (.param .b32 result) twice(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret; }
"""
CUBIN, PTX, LTO, ANY = 1, 2, 3, 10
SUCCESS, MISSING_ARCH, INVALID_INPUT, PTX_COMPILE, NVVM_COMPILE, FINALIZE, NULL_INPUT = 0, 2, 3, 4, 5, 9, 10

driver = ctypes.CDLL("libcuda.so.1")
linker = ctypes.CDLL("libnvJitLink.so.13")
assert ctypes.CDLL("libnvJitLink.so.12")._handle == linker._handle
# By the names of a version's header as well.
for name in ("Create", "AddData", "AddFile", "Complete", "GetLinkedCubin", "Destroy"):
    getattr(linker, f"__nvJitLink{name}_12_0"), getattr(linker, f"__nvJitLink{name}_13_0")

major, minor = c_uint(), c_uint()
assert linker.nvJitLinkVersion(byref(major), byref(minor)) == SUCCESS
assert (major.value, minor.value) < (12, 3), "who finds a newer one asks for LTO code"


def create(*options):
    handle = c_void_p()
    code = linker.nvJitLinkCreate(byref(handle), len(options), (c_char_p * len(options))(*options))
    return code, handle


def add(handle, kind, data):
    return linker.nvJitLinkAddData(handle, kind, c_char_p(data), c_size_t(len(data)), b"some.ptx")


def log(handle):
    size = c_size_t()
    assert linker.nvJitLinkGetErrorLogSize(handle, byref(size)) == SUCCESS
    text = ctypes.create_string_buffer(size.value)
    assert linker.nvJitLinkGetErrorLog(handle, text) == SUCCESS
    return text.value.decode()


assert create()[0] == MISSING_ARCH
assert linker.nvJitLinkComplete(None) == NULL_INPUT
size = c_size_t()

code, handle = create(b"-arch=sm_80", b"-lto")
assert code == SUCCESS
assert linker.nvJitLinkGetLinkedCubinSize(handle, byref(size)) == INVALID_INPUT
assert add(handle, LTO, b"\xed\x43\x4e\x7f LTO") == NVVM_COMPILE
assert "LTO" in log(handle), log(handle)
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS and not handle

code, handle = create(b"-arch=sm_80")
assert add(handle, PTX, HEAD + b"nonsense") == PTX_COMPILE
assert "some.ptx" in log(handle), log(handle)
assert add(handle, PTX, KERNEL) == SUCCESS
assert linker.nvJitLinkComplete(handle) == FINALIZE
assert "undefined reference to 'twice'" in log(handle), log(handle)
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS

code, handle = create(b"-arch=sm_80", b"-O3")
assert add(handle, PTX, KERNEL) == SUCCESS
assert add(handle, ANY, FUNCTION) == SUCCESS
assert linker.nvJitLinkAddFile(handle, PTX, b"no such file") == INVALID_INPUT
assert linker.nvJitLinkComplete(handle) == SUCCESS, log(handle)
assert linker.nvJitLinkGetLinkedCubinSize(handle, byref(size)) == SUCCESS
image = ctypes.create_string_buffer(size.value)
assert linker.nvJitLinkGetLinkedCubin(handle, image) == SUCCESS
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS

context, module, kernel, memory = c_void_p(), c_void_p(), c_void_p(), c_uint64()


def call(name, *arguments):
    code = getattr(driver, name)(*arguments)
    assert code == 0, f"{name}: {code}"


call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", byref(context), c_int(0))
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", byref(module), image)
call("cuModuleGetFunction", byref(kernel), module, b"doubles")
call("cuMemAlloc_v2", byref(memory), c_size_t(128))
numbers = array.array("I", range(32))
buffer = (c_uint * 32).from_buffer(numbers)
call("cuMemcpyHtoD_v2", memory, buffer, c_size_t(128))
call("cuLaunchKernel", kernel, 1, 1, 1, 32, 1, 1, 0, None, (c_void_p * 1)(ctypes.addressof(memory)), None)
call("cuMemcpyDtoH_v2", buffer, memory, c_size_t(128))
assert list(numbers) == [2 * k for k in range(32)], list(numbers)

# Groups of the whole grid, of which a library of NVIDIA's has the functions elsewhere.
GRID = HEAD.replace(b"sm_50", b"sm_60") + b"""
.extern .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b32 result) cudaCGGetSize(.param .b64 t, .param .b64 g, .param .b64 handle);
.extern .func (.param .b32 result) cudaCGGetRank(.param .b64 t, .param .b64 g, .param .b64 handle);
.visible .entry grid(.param .u64 data)
{
  .local .align 4 .b32 n[2];
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [data];
  mov.u64 %rd5, n; cvta.local.u64 %rd5, %rd5; add.u64 %rd6, %rd5, 4;
  { .param .b32 s; .param .b64 h; st.param.b32 [s], 1; call.uni (h), cudaCGGetIntrinsicHandle, (s); ld.param.b64 %rd2, [h]; }
  { .param .b64 t; .param .b64 g; .param .b64 h; .param .b32 r; st.param.b64 [t], %rd5; st.param.b64 [g], %rd6;
    st.param.b64 [h], %rd2; call.uni (r), cudaCGGetRank, (t, g, h); }
  ld.local.u32 %r1, [n];
  { .param .b64 t; .param .b64 g; .param .b64 h; .param .b32 r; st.param.b64 [t], %rd5; st.param.b64 [g], %rd6;
    st.param.b64 [h], %rd2; call.uni (r), cudaCGGetSize, (t, g, h); }
  ld.local.u32 %r2, [n]; ld.local.u32 %r3, [n+4];
  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3;
  mov.u32 %r9, 0;
AGAIN:
  mad.lo.u32 %r4, %r1, %r3, %r9; st.global.u32 [%rd4], %r4;
  { .param .b64 h; .param .b32 f; .param .b32 r; st.param.b64 [h], %rd2; st.param.b32 [f], 0;
    call.uni (r), cudaCGSynchronize, (h, f); ld.param.b32 %r8, [r]; }
  setp.ne.u32 %p1, %r8, 0; @%p1 bra REFUSED;
  // What the thread at the other end wrote in this turn.
  sub.u32 %r5, %r2, %r1; sub.u32 %r5, %r5, 1; mul.wide.u32 %rd7, %r5, 4; add.u64 %rd8, %rd1, %rd7;
  ld.volatile.global.u32 %r6, [%rd8];
  { .param .b64 h; .param .b32 f; .param .b32 r; st.param.b64 [h], %rd2; st.param.b32 [f], 0;
    call.uni (r), cudaCGSynchronize, (h, f); }
  add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 5; @%p2 bra AGAIN;
  st.global.u32 [%rd4], %r6;
  ret;
REFUSED:
  st.global.u32 [%rd4], 4711;
  ret;
}
"""
code, handle = create(b"-arch=sm_80")
assert add(handle, PTX, GRID) == SUCCESS, log(handle)
assert linker.nvJitLinkComplete(handle) == SUCCESS, log(handle)
assert linker.nvJitLinkGetLinkedCubinSize(handle, byref(size)) == SUCCESS
grid_image = ctypes.create_string_buffer(size.value)
assert linker.nvJitLinkGetLinkedCubin(handle, grid_image) == SUCCESS
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS
call("cuModuleLoadData", byref(module), grid_image)
call("cuModuleGetFunction", byref(kernel), module, b"grid")
count = 3 * 2 * 96
call("cuMemAlloc_v2", byref(memory), c_size_t(4 * count))
result = (c_uint * count)()
arguments = (c_void_p * 1)(ctypes.addressof(memory))
call("cuLaunchCooperativeKernel", kernel, 3, 2, 1, 32, 3, 1, 0, None, arguments)
call("cuMemcpyDtoH_v2", result, memory, c_size_t(4 * count))
assert list(result) == [count - 1 - k + 4 for k in range(count)], list(result)
call("cuLaunchKernel", kernel, 3, 2, 1, 32, 3, 1, 0, None, arguments, None)
call("cuMemcpyDtoH_v2", result, memory, c_size_t(4 * count))
assert set(result) == {4711}, set(result)

# What is linked can be linked again.
code, handle = create(b"-arch=sm_80")
assert add(handle, ANY, image.raw) == SUCCESS, log(handle)
assert linker.nvJitLinkComplete(handle) == SUCCESS, log(handle)
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS
print("linking program: done")
