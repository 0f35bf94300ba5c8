// SPDX-License-Identifier: Apache-2.0
#include "launch_request.hpp"

#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warplight::software {

ParameterBytes pack_parameters(const Function& function, void* const* pointers, void* const* extra) {
    const auto& layout = function.parameters;
    const auto& parameters = function.ptx().parameters;
    ParameterBytes packed(std::max<std::uint64_t>(layout.size, 1));
    if (parameters.empty()) return packed;
    if (pointers && extra) fail(CUDA_ERROR_INVALID_VALUE, "arguments are given twice: kernelParams and extra");
    if (pointers) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (!pointers[i]) fail(CUDA_ERROR_INVALID_VALUE, fmt::format("argument {} is a null pointer", i));
            std::memcpy(packed.data() + layout.offsets[i], pointers[i], parameters[i].size);
        }
        return packed;
    }
    if (!extra) {
        fail(CUDA_ERROR_INVALID_VALUE,
             fmt::format("kernel '{}' takes {} arguments, none were given", function.ptx().name, parameters.size()));
    }
    const void* buffer = nullptr;
    const std::size_t* size = nullptr;
    for (std::size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = extra[i + 1];
        } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            size = static_cast<const std::size_t*>(extra[i + 1]);
        } else {
            fail(CUDA_ERROR_INVALID_VALUE, "unknown entry in extra");
        }
    }
    if (!buffer || !size) fail(CUDA_ERROR_INVALID_VALUE, "extra lacks the buffer or its size");
    // The last argument's padding may be left out.
    const std::uint64_t end = layout.offsets.back() + parameters.back().size;
    if (*size < end) {
        fail(CUDA_ERROR_INVALID_VALUE,
             fmt::format("kernel '{}' takes {} bytes of arguments, {} were given", function.ptx().name, end, *size));
    }
    std::memcpy(packed.data(), buffer, std::min<std::uint64_t>(*size, layout.size));
    return packed;
}

namespace {
constexpr unsigned kPortableCluster = 8; ///< blocks that a cluster may have on every GPU that has clusters
}

std::optional<std::array<unsigned, 3>> cluster_of(const LaunchRequest& request) {
    const Function& f = *request.function.function;
    const ptx::Function& kernel = f.ptx();
    const auto wrong = [](const std::string& what) { fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, what); };
    const std::array<unsigned, 3> own = f.cluster();
    const bool none = own[0] == 0 && own[1] == 0 && own[2] == 0;
    if (!request.cluster && none) {
        if (kernel.explicit_cluster) wrong(fmt::format("kernel '{}' must be launched with clusters", kernel.name));
        return std::nullopt;
    }
    const std::array<unsigned, 3> cluster = request.cluster.value_or(own);
    if (!none && cluster != own)
        wrong(fmt::format("kernel '{}' must be launched with clusters of ({},{},{})", kernel.name, own[0], own[1],
                          own[2]));
    const auto& [x, y, z] = cluster;
    if (x == 0 || y == 0 || z == 0) wrong("a cluster dimension is 0");
    unsigned most = f.large_clusters() ? kMostClusterBlocks : kPortableCluster;
    if (kernel.most_cluster_blocks != 0) most = std::min(most, kernel.most_cluster_blocks);
    if (f.module.context.device.capability < 90) most = 1;
    if (x > most || y > most || z > most || x * y * z > most)
        wrong(most == 1 ? "the device has no clusters of blocks"
                        : fmt::format("a cluster of ({},{},{}) blocks is over the limit of {}", x, y, z, most));
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (request.grid[axis] % cluster[axis] != 0)
            wrong(fmt::format("the grid's extent {} is no multiple of the cluster's {}", request.grid[axis],
                              cluster[axis]));
    return cluster;
}

void check_launch(LaunchRequest& request) {
    const Function& f = *request.function.function;
    const Device& device = f.module.context.device;
    const auto& [gx, gy, gz] = request.grid;
    const auto& [bx, by, bz] = request.block;
    if (gx == 0 || gy == 0 || gz == 0) fail(CUDA_ERROR_INVALID_VALUE, "a grid dimension is 0");
    if (bx == 0 || by == 0 || bz == 0) fail(CUDA_ERROR_INVALID_VALUE, "a block dimension is 0");
    if (gx > 0x7FFFFFFFU || gy > 65535 || gz > 65535) {
        fail(CUDA_ERROR_INVALID_VALUE,
             fmt::format("grid ({},{},{}) is over the limit (2147483647,65535,65535)", gx, gy, gz));
    }
    const std::uint64_t threads = std::uint64_t{bx} * by * bz;
    if (bx > 1024 || by > 1024 || bz > 64 || threads > static_cast<std::uint64_t>(device.limits.threads_per_block)) {
        fail(CUDA_ERROR_INVALID_VALUE, fmt::format("block ({},{},{}) is over the limit of {} threads, (1024,1024,64)",
                                                   bx, by, bz, device.limits.threads_per_block));
    }
    const auto& required = f.ptx().required_threads;
    if (required[0] != 0 && (bx != required[0] || by != std::max(required[1], 1U) || bz != std::max(required[2], 1U))) {
        fail(CUDA_ERROR_INVALID_VALUE,
             fmt::format("kernel '{}' must be launched with blocks of ({},{},{})", f.ptx().name, required[0],
                         std::max(required[1], 1U), std::max(required[2], 1U)));
    }
    if (threads > f.max_threads) {
        fail(CUDA_ERROR_INVALID_VALUE, fmt::format("kernel '{}' allows {} threads a block (its launch bounds), not {}",
                                                   f.ptx().name, f.max_threads, threads));
    }
    if (request.dynamic_shared > static_cast<std::uint64_t>(f.max_dynamic_shared())) {
        const bool too_large = request.cooperative && request.dynamic_shared <= 0x7FFFFFFF;
        fail(too_large ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_ERROR_INVALID_VALUE,
             fmt::format("{} bytes of dynamic shared memory are over the limit of {} of kernel '{}' "
                         "(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)",
                         request.dynamic_shared, f.max_dynamic_shared(), f.ptx().name));
    }
    request.cluster = cluster_of(request);
    if (!request.cooperative) return;
    const std::uint64_t blocks = std::uint64_t{gx} * gy * gz;
    const auto most =
        static_cast<std::uint64_t>(resident_blocks(f, static_cast<int>(threads), request.dynamic_shared)) *
        static_cast<std::uint64_t>(device.multiprocessors);
    if (blocks > most) {
        fail(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
             fmt::format("{} blocks cannot be resident at once: {} can", blocks, most));
    }
}

} // namespace warplight::software
