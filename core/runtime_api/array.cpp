// SPDX-License-Identifier: Apache-2.0
// Arrays, with and without levels.
#include "runtime_api/channel_format.hpp"
#include "runtime_api/copies.hpp"

namespace warplight::runtime_api {

namespace {

struct FormatRow {
    CUarray_format format;
    int bits;
    int kind;
};
constexpr FormatRow kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, channel_unsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, channel_unsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, channel_unsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, channel_signed},
    {CU_AD_FORMAT_SIGNED_INT16, 16, channel_signed},
    {CU_AD_FORMAT_SIGNED_INT32, 32, channel_signed},
    {CU_AD_FORMAT_HALF, 16, channel_float},
    {CU_AD_FORMAT_FLOAT, 32, channel_float},
};
/// Kinds of cudaChannelFormatKind that are one format each: number of the kind, format, channels, bits.
struct NamedRow {
    int kind;
    int format;
    unsigned channels;
    int bits[4];
};
constexpr NamedRow kNamed[] = {
    {4, 0xb0, 3, {8, 8, 8, 0}},      {5, 0xc0, 1, {8, 0, 0, 0}},   {6, 0xc1, 2, {8, 8, 0, 0}},
    {7, 0xc2, 4, {8, 8, 8, 8}},      {8, 0xc3, 1, {16, 0, 0, 0}},  {9, 0xc4, 2, {16, 16, 0, 0}},
    {10, 0xc5, 4, {16, 16, 16, 16}}, {11, 0xc6, 1, {8, 0, 0, 0}},  {12, 0xc7, 2, {8, 8, 0, 0}},
    {13, 0xc8, 4, {8, 8, 8, 8}},     {14, 0xc9, 1, {16, 0, 0, 0}}, {15, 0xca, 2, {16, 16, 0, 0}},
    {16, 0xcb, 4, {16, 16, 16, 16}}, {17, 0x91, 4, {8, 8, 8, 8}},  {18, 0x92, 4, {8, 8, 8, 8}},
    {19, 0x93, 4, {8, 8, 8, 8}},     {20, 0x94, 4, {8, 8, 8, 8}},  {21, 0x95, 4, {8, 8, 8, 8}},
    {22, 0x96, 4, {8, 8, 8, 8}},     {23, 0x97, 1, {8, 0, 0, 0}},  {24, 0x98, 1, {8, 0, 0, 0}},
    {25, 0x99, 2, {8, 8, 0, 0}},     {26, 0x9a, 2, {8, 8, 0, 0}},  {27, 0x9b, 3, {16, 16, 16, 0}},
    {28, 0x9c, 3, {16, 16, 16, 0}},  {29, 0x9d, 4, {8, 8, 8, 8}},  {30, 0x9e, 4, {8, 8, 8, 8}},
    {31, 0x50, 4, {10, 10, 10, 2}},
};

/// Flags of the runtime API and of the driver have the same bits.
CUDA_ARRAY3D_DESCRIPTOR description(const ChannelFormat* format, const Extent& extent, unsigned flags) {
    require(format);
    const DriverFormat its = driver_format(*format);
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Width = extent.width;
    d.Height = extent.height;
    d.Depth = extent.depth;
    d.Format = its.format;
    d.NumChannels = its.channels;
    d.Flags = flags;
    return d;
}

ChannelFormat format_of(const Functions& f, Array array) {
    CUDA_ARRAY3D_DESCRIPTOR d{};
    check(f.fn_cuArray3DGetDescriptor(&d, array));
    return runtime_format(d.Format, d.NumChannels);
}

} // namespace

DriverFormat driver_format(const ChannelFormat& c) {
    for (const NamedRow& row : kNamed)
        if (row.kind == c.kind) return {static_cast<CUarray_format>(row.format), row.channels};
    const int bits[] = {c.x, c.y, c.z, c.w};
    unsigned channels = 0;
    while (channels < 4 && bits[channels] != 0)
        ++channels;
    for (unsigned i = 0; i < 4; ++i)
        require(bits[i] == (i < channels ? c.x : 0), cudaErrorInvalidChannelDescriptor);
    require(channels == 1 || channels == 2 || channels == 4, cudaErrorInvalidChannelDescriptor);
    for (const FormatRow& row : kFormats)
        if (row.bits == c.x && row.kind == c.kind) return {row.format, channels};
    throw Failure{cudaErrorInvalidChannelDescriptor};
}

ChannelFormat runtime_format(CUarray_format format, unsigned channels) {
    for (const FormatRow& row : kFormats)
        if (row.format == format) {
            const auto bits = [&](unsigned channel) { return channel < channels ? row.bits : 0; };
            return {bits(0), bits(1), bits(2), bits(3), row.kind};
        }
    for (const NamedRow& row : kNamed)
        if (row.format == static_cast<int>(format) && row.channels == channels)
            return {row.bits[0], row.bits[1], row.bits[2], row.bits[3], row.kind};
    return {0, 0, 0, 0, channel_none};
}

std::size_t element_size(const Functions& f, Array array) {
    const ChannelFormat c = format_of(f, array);
    return static_cast<std::size_t>(c.x + c.y + c.z + c.w) / 8;
}

extern "C" WL_RUNTIME_API ChannelFormat WL_RUNTIME_CALL cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return {x, y, z, w, kind};
}

WL_RUNTIME(cudaMallocArray,
           (Array * array, const ChannelFormat* format, std::size_t width, std::size_t height, unsigned flags)) {
    return call([&](const Functions& f) {
        require(array);
        CUDA_ARRAY3D_DESCRIPTOR d = description(format, {width, height, 0}, flags);
        return f.fn_cuArray3DCreate(array, &d);
    });
}
WL_RUNTIME(cudaMalloc3DArray, (Array * array, const ChannelFormat* format, Extent extent, unsigned flags)) {
    return call([&](const Functions& f) {
        require(array);
        CUDA_ARRAY3D_DESCRIPTOR d = description(format, extent, flags);
        return f.fn_cuArray3DCreate(array, &d);
    });
}
WL_RUNTIME(cudaFreeArray, (Array array)) {
    return call([&](const Functions& f) { return array ? f.fn_cuArrayDestroy(array) : CUDA_SUCCESS; });
}
WL_RUNTIME(cudaArrayGetInfo, (ChannelFormat * format, Extent* extent, unsigned* flags, Array array)) {
    return call([&](const Functions& f) {
        CUDA_ARRAY3D_DESCRIPTOR d{};
        check(f.fn_cuArray3DGetDescriptor(&d, array));
        if (format) *format = runtime_format(d.Format, d.NumChannels);
        if (extent) *extent = {d.Width, d.Height, d.Depth};
        if (flags) *flags = d.Flags;
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetChannelDesc, (ChannelFormat * format, Array array)) {
    return call([&](const Functions& f) {
        require(format);
        *format = format_of(f, array);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaMallocMipmappedArray,
           (MipmappedArray * array, const ChannelFormat* format, Extent extent, unsigned levels, unsigned flags)) {
    return call([&](const Functions& f) {
        require(array);
        CUDA_ARRAY3D_DESCRIPTOR d = description(format, extent, flags);
        return f.fn_cuMipmappedArrayCreate(array, &d, levels);
    });
}
WL_RUNTIME(cudaGetMipmappedArrayLevel, (Array * level, MipmappedArray array, unsigned number)) {
    return call([&](const Functions& f) { return f.fn_cuMipmappedArrayGetLevel(level, array, number); });
}
WL_RUNTIME(cudaFreeMipmappedArray, (MipmappedArray array)) {
    return call([&](const Functions& f) { return array ? f.fn_cuMipmappedArrayDestroy(array) : CUDA_SUCCESS; });
}

WL_RUNTIME(cudaArrayGetPlane, (Array * plane, Array array, unsigned number)) {
    return call([&](const Functions& f) { return f.fn_cuArrayGetPlane(plane, array, number); });
}
WL_RUNTIME(cudaArrayGetSparseProperties, (void* properties, Array array)) {
    return call([&](const Functions& f) { return f.fn_cuArrayGetSparseProperties(properties, array); });
}
WL_RUNTIME(cudaMipmappedArrayGetSparseProperties, (void* properties, MipmappedArray array)) {
    return call([&](const Functions& f) { return f.fn_cuMipmappedArrayGetSparseProperties(properties, array); });
}
WL_RUNTIME(cudaArrayGetMemoryRequirements, (void* requirements, Array array, int device)) {
    return call([&](const Functions& f) { return f.fn_cuArrayGetMemoryRequirements(requirements, array, device); });
}
WL_RUNTIME(cudaMipmappedArrayGetMemoryRequirements, (void* requirements, MipmappedArray array, int device)) {
    return call(
        [&](const Functions& f) { return f.fn_cuMipmappedArrayGetMemoryRequirements(requirements, array, device); });
}
WL_RUNTIME(cudaDeviceGetTexture1DLinearMaxWidth, (std::size_t* width, const ChannelFormat* format, int device)) {
    return query([&](const Functions& f) {
        require(width && format);
        check(check_device(f, device));
        const DriverFormat its = driver_format(*format);
        return f.fn_cuDeviceGetTexture1DLinearMaxWidth(width, its.format, its.channels, device);
    });
}

} // namespace warplight::runtime_api
