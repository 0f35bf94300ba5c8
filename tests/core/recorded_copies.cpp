// SPDX-License-Identifier: Apache-2.0
// Copies of rows and boxes between host memory, device memory and arrays, and fills.
#include "recorded_cases.hpp"
#include "warplight/array.hpp"
#include "warplight/context.hpp"
#include "warplight/memory.hpp"
#include "warplight/structured_copy.hpp"

#include <memory>

using namespace warplight::driver;
using warplight::ConstBuffer;
using warplight::MutableBuffer;

namespace recorded {
namespace {

enum class Place { host, device, plane, layers, volume };
constexpr const char* kPlaces[] = {"host", "device", "2-D array", "layered array", "3-D array"};

// Every place is a box of this many bytes a row, rows and slices.
constexpr std::size_t kRow = 48, kRows = 5, kSlices = 3, kAll = kRow * kRows * kSlices;

struct Box {
    Place place;
    Bytes host;
    DeviceAllocation device;
    std::unique_ptr<Array> array;

    Box(Place where, std::uint32_t seed) : place(where), host(noise(kAll, seed)) {
        if (place == Place::device) {
            device = mem_alloc(kAll);
            memcpy_htod(device, {host.data(), host.size()});
        } else if (place != Place::host) {
            const std::size_t depth = place == Place::plane ? 0 : kSlices;
            const unsigned flags = place == Place::layers ? array3d_flags::LAYERED : 0;
            array = std::make_unique<Array>(
                ArrayDescriptor3D{kRow / 4, kRows, depth, array_format::UNSIGNED_INT8, 4, flags});
            Memcpy3D fill;
            fill.set_src_host(ConstBuffer{host.data(), host.size()});
            fill.set_dst_array(*array);
            fill.width_in_bytes = fill.src_pitch = kRow;
            fill.height = fill.src_height = kRows;
            fill.depth = slices();
            fill();
        }
    }
    std::size_t slices() const { return place == Place::plane ? 1 : kSlices; }
    template <class Copy>
    void source(Copy& copy) {
        if (place == Place::host) copy.set_src_host(ConstBuffer{host.data(), host.size()});
        if (place == Place::device) copy.set_src_device(device);
        if (array) copy.set_src_array(*array);
        if (!array) copy.src_pitch = kRow;
    }
    template <class Copy>
    void target(Copy& copy) {
        if (place == Place::host) copy.set_dst_host(MutableBuffer{host.data(), host.size()});
        if (place == Place::device) copy.set_dst_device(device);
        if (array) copy.set_dst_array(*array);
        if (!array) copy.dst_pitch = kRow;
    }
    Bytes content() {
        if (place == Place::host) return host;
        Bytes bytes(kRow * kRows * slices());
        if (place == Place::device) {
            memcpy_dtoh({bytes.data(), bytes.size()}, device);
            return bytes;
        }
        Memcpy3D read;
        read.set_src_array(*array);
        read.set_dst_host(MutableBuffer{bytes.data(), bytes.size()});
        read.width_in_bytes = read.dst_pitch = kRow;
        read.height = read.dst_height = kRows;
        read.depth = slices();
        read();
        return bytes;
    }
};

Bytes copied_2d(Place from, Place to, std::uint32_t seed) {
    Box source(from, seed), target(to, seed + 1000);
    const Bytes choice = noise(8, seed + 5);
    Memcpy2D copy;
    source.source(copy);
    target.target(copy);
    copy.src_x_in_bytes = choice[0] % 8 * 4U;
    copy.dst_x_in_bytes = choice[1] % 8 * 4U;
    copy.width_in_bytes = 4 + choice[2] % 5 * 4U;
    copy.src_y = choice[3] % 3;
    copy.dst_y = choice[4] % 3;
    copy.height = 1 + choice[5] % 3;
    copy(choice[6] % 2 == 0);
    return target.content();
}

Bytes copied_3d(Place from, Place to, std::uint32_t seed) {
    Box source(from, seed), target(to, seed + 1000);
    const Bytes choice = noise(12, seed + 7);
    Memcpy3D copy;
    source.source(copy);
    target.target(copy);
    if (!source.array) copy.src_height = kRows;
    if (!target.array) copy.dst_height = kRows;
    copy.src_x_in_bytes = choice[0] % 8 * 4U;
    copy.dst_x_in_bytes = choice[1] % 8 * 4U;
    copy.width_in_bytes = 4 + choice[2] % 5 * 4U;
    copy.src_y = choice[3] % 3;
    copy.dst_y = choice[4] % 3;
    copy.height = 1 + choice[5] % 3;
    const bool flat = from == Place::plane || to == Place::plane;
    copy.src_z = from == Place::plane ? 0 : choice[6] % 2;
    copy.dst_z = to == Place::plane ? 0 : choice[7] % 2;
    copy.depth = flat ? 1 : 1 + choice[8] % 2;
    copy();
    return target.content();
}

Bytes filled(unsigned size, bool rows, std::uint32_t seed) {
    const Bytes choice = noise(8, seed);
    Box box(Place::device, seed);
    const std::size_t start = choice[0] % 16 * 4U, width = 1 + choice[1] % 8, height = 1 + choice[2] % 5;
    const auto at = box.device + start;
    if (size == 1)
        rows ? memset_d2d8(at, kRow, choice[3], width, height) : memset_d8(at, choice[3], width * height);
    else if (size == 2)
        rows ? memset_d2d16(at, kRow, static_cast<std::uint16_t>(choice[3] * 259), width, height)
             : memset_d16(at, static_cast<std::uint16_t>(choice[3] * 259), width * height);
    else
        rows ? memset_d2d32(at, kRow, choice[3] * 16843010U, width, height)
             : memset_d32(at, choice[3] * 16843010U, width * height);
    Context::get_current().synchronize();
    return box.content();
}

} // namespace

void add_copies(std::vector<Case>& cases) {
    constexpr Place all[] = {Place::host, Place::device, Place::plane, Place::layers, Place::volume};
    std::uint32_t seed = 1;
    for (const Place from : all)
        for (const Place to : all) {
            const std::string ends =
                std::string(kPlaces[static_cast<int>(from)]) + " to " + kPlaces[static_cast<int>(to)];
            const bool flat = from <= Place::plane && to <= Place::plane;
            if (flat)
                for (int i = 0; i < 2; ++i, ++seed)
                    cases.push_back(
                        {"2-D copy, " + ends + ", " + std::to_string(i), [=] { return copied_2d(from, to, seed); }});
            for (int i = 0; i < 2; ++i, ++seed)
                cases.push_back(
                    {"3-D copy, " + ends + ", " + std::to_string(i), [=] { return copied_3d(from, to, seed); }});
        }
    for (const unsigned size : {1U, 2U, 4U})
        for (const bool rows : {false, true})
            for (int i = 0; i < 2; ++i, ++seed)
                cases.push_back(
                    {"fill of " + std::to_string(size) + " bytes" + (rows ? ", rows, " : ", ") + std::to_string(i),
                     [=] { return filled(size, rows, seed); }});
}

} // namespace recorded
