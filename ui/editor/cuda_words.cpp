// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/cuda_words.hpp"

#include <QList>

namespace warplight::ui {

QString cppKeywords() {
    return QStringLiteral(
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
        "char32_t class compl concept const consteval constexpr constinit const_cast continue co_await "
        "co_return co_yield decltype default delete do double dynamic_cast else enum explicit export "
        "extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
        "nullptr operator or or_eq private protected public register reinterpret_cast requires return "
        "short signed sizeof static static_assert static_cast struct switch template this thread_local "
        "throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while "
        "xor xor_eq");
}

QString cudaQualifiers() {
    return QStringLiteral("__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __restrict "
                          "__noinline__ __forceinline__ __inline_hint__ __launch_bounds__ __maxnreg__ __cluster_dims__ "
                          "__block_size__ __grid_constant__ __align__ __nv_pure__");
}

QString cudaBuiltins() { return QStringLiteral("threadIdx blockIdx blockDim gridDim warpSize"); }

QString cudaTypes() {
    return QStringLiteral(
        "char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 ushort2 "
        "ushort3 ushort4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 ulong1 "
        "ulong2 ulong3 ulong4 longlong1 longlong2 longlong3 longlong4 ulonglong1 ulonglong2 ulonglong3 "
        "ulonglong4 float1 float2 float3 float4 double1 double2 double3 double4 dim3 half half2 __half "
        "__half2 __nv_bfloat16 __nv_bfloat162 nv_bfloat16 nv_bfloat162 __nv_fp8_e4m3 __nv_fp8_e5m2 "
        "cudaTextureObject_t cudaSurfaceObject_t size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t "
        "uint16_t uint32_t uint64_t uintptr_t intptr_t clock_t");
}

const QList<CudaFunction>& cudaFunctions() {
    static const QList<CudaFunction> functions{
        {"__syncthreads", "void __syncthreads()", "waits for all threads of the block"},
        {"__syncthreads_count", "int __syncthreads_count(int predicate)",
         "barrier; in how many threads the predicate is not zero"},
        {"__syncthreads_and", "int __syncthreads_and(int predicate)", "barrier; whether it is not zero in all threads"},
        {"__syncthreads_or", "int __syncthreads_or(int predicate)", "barrier; whether it is not zero in any thread"},
        {"__syncwarp", "void __syncwarp(unsigned mask = 0xffffffff)", "waits for the lanes of the mask"},
        {"__threadfence", "void __threadfence()", "orders memory accesses as seen by the device"},
        {"__threadfence_block", "void __threadfence_block()", "orders memory accesses as seen by the block"},
        {"__threadfence_system", "void __threadfence_system()", "orders memory accesses as seen by device and host"},
        {"__activemask", "unsigned __activemask()", "the lanes that are active now"},
        {"__shfl_sync", "T __shfl_sync(unsigned mask, T value, int sourceLane, int width = 32)",
         "the value of another lane"},
        {"__shfl_up_sync", "T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)",
         "the value of the lane delta below"},
        {"__shfl_down_sync", "T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)",
         "the value of the lane delta above"},
        {"__shfl_xor_sync", "T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32)",
         "the value of the lane whose number differs in these bits"},
        {"__ballot_sync", "unsigned __ballot_sync(unsigned mask, int predicate)",
         "a bit for each lane: predicate not zero"},
        {"__all_sync", "int __all_sync(unsigned mask, int predicate)",
         "whether the predicate is not zero in all lanes"},
        {"__any_sync", "int __any_sync(unsigned mask, int predicate)", "whether the predicate is not zero in any lane"},
        {"__match_any_sync", "unsigned __match_any_sync(unsigned mask, T value)", "the lanes that hold the same value"},
        {"__match_all_sync", "unsigned __match_all_sync(unsigned mask, T value, int* predicate)",
         "the mask when all lanes hold the same value, else 0"},
        {"__reduce_add_sync", "unsigned __reduce_add_sync(unsigned mask, unsigned value)",
         "the sum over the lanes (compute 8.0)"},
        {"__reduce_min_sync", "unsigned __reduce_min_sync(unsigned mask, unsigned value)",
         "the least value of the lanes (compute 8.0)"},
        {"__reduce_max_sync", "unsigned __reduce_max_sync(unsigned mask, unsigned value)",
         "the greatest value of the lanes (compute 8.0)"},
        {"__reduce_and_sync", "unsigned __reduce_and_sync(unsigned mask, unsigned value)",
         "bits set in all lanes (compute 8.0)"},
        {"__reduce_or_sync", "unsigned __reduce_or_sync(unsigned mask, unsigned value)",
         "bits set in any lane (compute 8.0)"},
        {"__reduce_xor_sync", "unsigned __reduce_xor_sync(unsigned mask, unsigned value)",
         "exclusive or over the lanes (compute 8.0)"},
        {"atomicAdd", "T atomicAdd(T* address, T value)", "adds; returns what was there before"},
        {"atomicSub", "int atomicSub(int* address, int value)", "subtracts; returns what was there before"},
        {"atomicExch", "T atomicExch(T* address, T value)", "stores; returns what was there before"},
        {"atomicMin", "T atomicMin(T* address, T value)", "keeps the smaller; returns what was there before"},
        {"atomicMax", "T atomicMax(T* address, T value)", "keeps the greater; returns what was there before"},
        {"atomicInc", "unsigned atomicInc(unsigned* address, unsigned limit)",
         "old >= limit ? 0 : old + 1; returns old"},
        {"atomicDec", "unsigned atomicDec(unsigned* address, unsigned limit)",
         "old == 0 or old > limit ? limit : old - 1; returns old"},
        {"atomicCAS", "T atomicCAS(T* address, T compare, T value)",
         "stores if equal to compare; returns what was there before"},
        {"atomicAnd", "T atomicAnd(T* address, T value)", "bitwise and; returns what was there before"},
        {"atomicOr", "T atomicOr(T* address, T value)", "bitwise or; returns what was there before"},
        {"atomicXor", "T atomicXor(T* address, T value)", "bitwise exclusive or; returns what was there before"},
        {"__ldg", "T __ldg(const T* address)", "loads through the read-only cache"},
        {"__popc", "int __popc(unsigned x)", "how many bits are set"},
        {"__popcll", "int __popcll(unsigned long long x)", "how many bits are set"},
        {"__clz", "int __clz(int x)", "leading zero bits"},
        {"__clzll", "int __clzll(long long x)", "leading zero bits"},
        {"__ffs", "int __ffs(int x)", "position of the lowest set bit from 1, or 0"},
        {"__ffsll", "int __ffsll(long long x)", "position of the lowest set bit from 1, or 0"},
        {"__brev", "unsigned __brev(unsigned x)", "the bits in reverse order"},
        {"__byte_perm", "unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)",
         "four bytes chosen from eight"},
        {"__funnelshift_l", "unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)",
         "the upper half of high:low shifted left"},
        {"__funnelshift_r", "unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)",
         "the lower half of high:low shifted right"},
        {"__mulhi", "int __mulhi(int x, int y)", "upper 32 bits of the product"},
        {"__umulhi", "unsigned __umulhi(unsigned x, unsigned y)", "upper 32 bits of the product"},
        {"__mul24", "int __mul24(int x, int y)", "product of the lower 24 bits"},
        {"__sad", "unsigned __sad(int x, int y, unsigned z)", "absolute difference of x and y, plus z"},
        {"__fdividef", "float __fdividef(float x, float y)", "fast division"},
        {"__fmaf_rn", "float __fmaf_rn(float x, float y, float z)", "x * y + z, rounded once to nearest"},
        {"__fadd_rn", "float __fadd_rn(float x, float y)", "sum that is never contracted"},
        {"__fmul_rn", "float __fmul_rn(float x, float y)", "product that is never contracted"},
        {"__expf", "float __expf(float x)", "fast exponential"},
        {"__exp10f", "float __exp10f(float x)", "fast power of ten"},
        {"__logf", "float __logf(float x)", "fast natural logarithm"},
        {"__log2f", "float __log2f(float x)", "fast binary logarithm"},
        {"__log10f", "float __log10f(float x)", "fast decimal logarithm"},
        {"__powf", "float __powf(float x, float y)", "fast power"},
        {"__sinf", "float __sinf(float x)", "fast sine"},
        {"__cosf", "float __cosf(float x)", "fast cosine"},
        {"__tanf", "float __tanf(float x)", "fast tangent"},
        {"__sincosf", "void __sincosf(float x, float* sine, float* cosine)", "fast sine and cosine"},
        {"__saturatef", "float __saturatef(float x)", "clamps to 0 … 1"},
        {"__frcp_rn", "float __frcp_rn(float x)", "reciprocal, rounded to nearest"},
        {"__fsqrt_rn", "float __fsqrt_rn(float x)", "square root, rounded to nearest"},
        {"__frsqrt_rn", "float __frsqrt_rn(float x)", "reciprocal square root"},
        {"__float2int_rn", "int __float2int_rn(float x)", "to integer, to nearest even"},
        {"__float2int_rz", "int __float2int_rz(float x)", "to integer, towards zero"},
        {"__float_as_int", "int __float_as_int(float x)", "the bits as an integer"},
        {"__float_as_uint", "unsigned __float_as_uint(float x)", "the bits as an integer"},
        {"__int_as_float", "float __int_as_float(int x)", "an integer's bits as a float"},
        {"__double_as_longlong", "long long __double_as_longlong(double x)", "the bits as an integer"},
        {"__longlong_as_double", "double __longlong_as_double(long long x)", "an integer's bits as a double"},
        {"__float2half", "__half __float2half(float x)", "to half precision (cuda_fp16.h)"},
        {"__half2float", "float __half2float(__half x)", "from half precision (cuda_fp16.h)"},
        {"__hadd", "__half __hadd(__half x, __half y)", "sum (cuda_fp16.h)"},
        {"__hmul", "__half __hmul(__half x, __half y)", "product (cuda_fp16.h)"},
        {"__hfma", "__half __hfma(__half x, __half y, __half z)", "x * y + z (cuda_fp16.h)"},
        {"__hadd2", "__half2 __hadd2(__half2 x, __half2 y)", "two sums (cuda_fp16.h)"},
        {"__hfma2", "__half2 __hfma2(__half2 x, __half2 y, __half2 z)", "two times x * y + z (cuda_fp16.h)"},
        {"__nanosleep", "void __nanosleep(unsigned nanoseconds)", "pauses the thread"},
        {"__trap", "void __trap()", "ends the kernel with an error"},
        {"__brkpt", "void __brkpt()", "a breakpoint"},
        {"__assertfail",
         "void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t "
         "charSize)",
         "what assert calls"},
        {"clock", "clock_t clock()", "a counter of the multiprocessor's cycles"},
        {"clock64", "long long clock64()", "a counter of the multiprocessor's cycles"},
        {"printf", "int printf(const char* format, ...)", "prints; shown in Output"},
        {"assert", "void assert(int condition)", "ends the kernel with an error when the condition is zero"},
        {"rsqrtf", "float rsqrtf(float x)", "reciprocal square root"},
        {"rsqrt", "double rsqrt(double x)", "reciprocal square root"},
        {"sqrtf", "float sqrtf(float x)", "square root"},
        {"sqrt", "double sqrt(double x)", "square root"},
        {"fmaf", "float fmaf(float x, float y, float z)", "x * y + z, rounded once"},
        {"fma", "double fma(double x, double y, double z)", "x * y + z, rounded once"},
        {"fminf", "float fminf(float x, float y)", "the smaller"},
        {"fmaxf", "float fmaxf(float x, float y)", "the greater"},
        {"fmin", "double fmin(double x, double y)", "the smaller"},
        {"fmax", "double fmax(double x, double y)", "the greater"},
        {"fabsf", "float fabsf(float x)", "absolute value"},
        {"fabs", "double fabs(double x)", "absolute value"},
        {"expf", "float expf(float x)", "exponential"},
        {"exp", "double exp(double x)", "exponential"},
        {"exp2f", "float exp2f(float x)", "power of two"},
        {"logf", "float logf(float x)", "natural logarithm"},
        {"log2f", "float log2f(float x)", "binary logarithm"},
        {"powf", "float powf(float x, float y)", "power"},
        {"pow", "double pow(double x, double y)", "power"},
        {"sinf", "float sinf(float x)", "sine"},
        {"cosf", "float cosf(float x)", "cosine"},
        {"tanf", "float tanf(float x)", "tangent"},
        {"tanhf", "float tanhf(float x)", "hyperbolic tangent"},
        {"atan2f", "float atan2f(float y, float x)", "angle of the point (x, y)"},
        {"sincosf", "void sincosf(float x, float* sine, float* cosine)", "sine and cosine"},
        {"floorf", "float floorf(float x)", "greatest integer not above"},
        {"ceilf", "float ceilf(float x)", "least integer not below"},
        {"roundf", "float roundf(float x)", "nearest integer, halves away from zero"},
        {"rintf", "float rintf(float x)", "nearest integer, halves to even"},
        {"fmodf", "float fmodf(float x, float y)", "remainder of the division"},
        {"erff", "float erff(float x)", "error function"},
        {"isnan", "bool isnan(float x)", "whether x is not a number"},
        {"isinf", "bool isinf(float x)", "whether x is infinite"},
        {"min", "T min(T x, T y)", "the smaller"},
        {"max", "T max(T x, T y)", "the greater"},
        {"abs", "int abs(int x)", "absolute value"},
        {"tex1D", "T tex1D<T>(cudaTextureObject_t texture, float x)", "samples a texture"},
        {"tex2D", "T tex2D<T>(cudaTextureObject_t texture, float x, float y)", "samples a texture"},
        {"tex3D", "T tex3D<T>(cudaTextureObject_t texture, float x, float y, float z)", "samples a texture"},
        {"tex1Dfetch", "T tex1Dfetch<T>(cudaTextureObject_t texture, int x)", "reads a texel of linear memory"},
        {"surf2Dread", "T surf2Dread<T>(cudaSurfaceObject_t surface, int x, int y)", "reads a surface; x counts bytes"},
        {"surf2Dwrite", "void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y)",
         "writes a surface; x counts bytes"},
        {"__cvta_generic_to_shared", "size_t __cvta_generic_to_shared(const void* address)",
         "a shared-memory address as an offset"},
        {"__isGlobal", "unsigned __isGlobal(const void* address)", "whether it points to global memory"},
        {"__isShared", "unsigned __isShared(const void* address)", "whether it points to shared memory"},
        {"make_float2", "float2 make_float2(float x, float y)", "a vector"},
        {"make_float3", "float3 make_float3(float x, float y, float z)", "a vector"},
        {"make_float4", "float4 make_float4(float x, float y, float z, float w)", "a vector"},
        {"make_int2", "int2 make_int2(int x, int y)", "a vector"},
        {"make_int4", "int4 make_int4(int x, int y, int z, int w)", "a vector"},
        {"make_uint4", "uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)", "a vector"},
        {"make_uchar4", "uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w)",
         "a vector"},
        {"make_double2", "double2 make_double2(double x, double y)", "a vector"},
    };
    return functions;
}

} // namespace warplight::ui
