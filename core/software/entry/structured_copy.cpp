// SPDX-License-Identifier: Apache-2.0
#include "structured_copy.hpp"

#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/summary.hpp"
#include "../runtime/work_races.hpp"

#include <cstdint>

namespace warplight::software {
namespace {

void need(bool condition, const char* otherwise) {
    if (!condition) fail(CUDA_ERROR_INVALID_VALUE, otherwise);
}

std::size_t product(std::size_t a, std::size_t b) {
    need(a == 0 || b <= SIZE_MAX / a, "the copy is too large");
    return a * b;
}
std::size_t sum(std::size_t a, std::size_t b) {
    need(b <= SIZE_MAX - a, "the copy is too large");
    return a + b;
}

/// Where a side begins, and its steps.
struct Place {
    std::byte* first = nullptr;
    std::size_t pitch = 0, slice = 0;
    bool pageable = false;
    std::shared_ptr<Array> array;
};

Place place_in_array(const CopySide& side, std::size_t width, std::size_t height, std::size_t depth) {
    Place place;
    place.array = array_of(side.array);
    place.array->context.check();
    need(side.level == 0, "the level of a copy is 0: pass the array of a level");
    const ArrayShape& shape = place.array->shape;
    need(side.bytes || (side.x % shape.element_bytes == 0 && width % shape.element_bytes == 0),
         "offsets and widths in an array are multiples of its element's size");
    place.pitch = shape.row_bytes();
    place.slice = shape.slice_bytes();
    need(sum(side.x, width) <= place.pitch && sum(side.y, height) <= shape.height && sum(side.z, depth) <= shape.slices,
         "the copy reaches past the end of the array");
    place.first = place.array->base() + side.z * place.slice + side.y * place.pitch + side.x;
    return place;
}

Place place_in_memory(const CopySide& side, std::size_t width, std::size_t height, std::size_t depth) {
    Place place;
    const std::size_t row = sum(side.x, width);
    const std::size_t rows = sum(side.y, height);
    place.pitch = side.pitch ? side.pitch : row;
    need(place.pitch >= row || (height == 1 && depth == 1), "the pitch is smaller than a row");
    need(place.pitch <= 0x7FFFFFFF, "the pitch is over MAX_PITCH");
    const bool slices = depth > 1 || side.z > 0;
    const std::size_t slice_rows = side.height && slices ? side.height : rows;
    need(slice_rows >= rows || depth == 1, "the height of a slice is smaller than its rows");
    place.slice = product(place.pitch, slice_rows);
    const bool host = side.type == CU_MEMORYTYPE_HOST;
    const std::uint64_t base = host ? reinterpret_cast<std::uint64_t>(side.host) : side.device;
    need(base != 0, "the copy's memory is null");
    const std::size_t offset = sum(sum(product(side.z, place.slice), product(side.y, place.pitch)), side.x);
    const std::size_t extent = sum(sum(product(depth - 1, place.slice), product(height - 1, place.pitch)), width);
    const std::uint64_t first = sum(base, offset);
    (void)sum(first, extent);
    const auto allocation = AddressSpace::instance().find(first);
    if (allocation && !host)
        need(extent <= AddressSpace::instance().room(first), "the copy reaches past the end of the allocation");
    need(allocation || side.type != CU_MEMORYTYPE_DEVICE, "the device address is in no allocation");
    place.pageable = !allocation;
    place.first = reinterpret_cast<std::byte*>(first);
    return place;
}

Place place_of(const CopySide& side, std::size_t width, std::size_t height, std::size_t depth) {
    switch (static_cast<int>(side.type)) {
    case CU_MEMORYTYPE_ARRAY: return place_in_array(side, width, height, depth);
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return place_in_memory(side, width, height, depth);
    default: fail(CUDA_ERROR_INVALID_VALUE, "unknown type of memory");
    }
}

template <class Copy>
CopyPlan plan_3d(const Copy& c) {
    return plan_copy({c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch,
                      c.dstHeight, false, c.dstLOD},
                     {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch,
                      c.srcHeight, false, c.srcLOD},
                     c.WidthInBytes, c.Height, c.Depth);
}

} // namespace

CopyPlan plan_copy(const CopySide& to, const CopySide& from, std::size_t width, std::size_t height, std::size_t depth) {
    CopyPlan plan;
    CUDA_MEMCPY3D& p = plan.parameters;
    p.dstMemoryType = to.type;
    p.dstHost = const_cast<void*>(to.host);
    p.dstDevice = to.device;
    p.dstArray = to.array;
    p.dstXInBytes = to.x;
    p.dstY = to.y;
    p.dstZ = to.z;
    p.dstPitch = to.pitch;
    p.dstHeight = to.height;
    p.srcMemoryType = from.type;
    p.srcHost = from.host;
    p.srcDevice = from.device;
    p.srcArray = from.array;
    p.srcXInBytes = from.x;
    p.srcY = from.y;
    p.srcZ = from.z;
    p.srcPitch = from.pitch;
    p.srcHeight = from.height;
    p.WidthInBytes = width;
    p.Height = height;
    p.Depth = depth;
    plan.box.width = width;
    plan.box.height = height;
    plan.box.depth = depth;
    if (width == 0 || height == 0 || depth == 0) return plan;
    Place destination = place_of(to, width, height, depth);
    Place source = place_of(from, width, height, depth);
    need(!destination.array || !source.array ||
             destination.array->shape.element_bytes == source.array->shape.element_bytes,
         "arrays have elements of the same size where one is copied to the other");
    plan.box.to = destination.first;
    plan.box.to_pitch = destination.pitch;
    plan.box.to_slice = destination.slice;
    plan.box.from = source.first;
    plan.box.from_pitch = source.pitch;
    plan.box.from_slice = source.slice;
    plan.pageable = destination.pageable || source.pageable;
    plan.to_array = std::move(destination.array);
    plan.from_array = std::move(source.array);
    return plan;
}

CopyPlan plan_copy(const CUDA_MEMCPY2D& c) {
    return plan_copy({c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, 0, c.dstPitch, 0},
                     {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, 0, c.srcPitch, 0},
                     c.WidthInBytes, c.Height, 1);
}
CopyPlan plan_copy(const CUDA_MEMCPY3D& c) { return plan_3d(c); }
CopyPlan plan_copy(const CUDA_MEMCPY3D_PEER& c) { return plan_3d(c); }

void CopyPlan::run() const {
    copy_box(box);
    WorkRaces::instance().keep_copy(box);
    count_copy(box.to, box.from, std::uint64_t{box.width} * box.height * box.depth);
}

void count_copy(const void* to, const void* from, std::uint64_t bytes) {
    if (!summary::is_on() || bytes == 0) return;
    const auto of_host = [](const void* address) {
        const auto a = AddressSpace::instance().find(reinterpret_cast<std::uint64_t>(address));
        return !a || a->kind == Allocation::Kind::host || a->kind == Allocation::Kind::registered;
    };
    summary::add_copy(of_host(to), of_host(from), bytes);
}

void submit_copy(Context& context, Stream& stream, const CopyPlan& plan, bool later) {
    if (!later) forbid_capture(stream);
    if (plan.box.width == 0 || plan.box.height == 0 || plan.box.depth == 0) return;
    if (later && stream.capturing()) {
        capture_node(stream, copy_content(plan.parameters, context.shared_from_this()));
    } else if (later && !plan.pageable) {
        stream.enqueue([plan] { plan.run(); });
    } else {
        stream.run([plan] { plan.run(); });
        flush_output();
    }
}

} // namespace warplight::software
