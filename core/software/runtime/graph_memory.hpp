// SPDX-License-Identifier: Apache-2.0
// Memory that belongs to graphs: its address is fixed when the node that allocates it is made, and launches of the
// graph take it and give it back.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::software {

class Context;

class GraphMemory {
public:
    GraphMemory(CUdeviceptr address, std::uint64_t bytes, int on_device)
        : base(address), size(bytes), device(on_device) {}
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    const CUdeviceptr base;
    const std::uint64_t size;
    const int device;
    // Guarded by graph_mutex().
    bool live = false;                    ///< as of the launches so far
    const void* freed_by_graph = nullptr; ///< the graph with a node that frees it
};

/// Throws CUDA_ERROR_OUT_OF_MEMORY. Of no context: it stays as long as a graph needs it.
[[nodiscard]] std::shared_ptr<GraphMemory> allocate_graph_memory(std::uint64_t size, int device);
/// Null for other addresses.
[[nodiscard]] std::shared_ptr<GraphMemory> find_graph_memory(CUdeviceptr address);
/// A launch takes the memory, or gives it back. Live memory stays even when its graph is gone. graph_mutex() is held.
void set_live(const std::shared_ptr<GraphMemory>& memory, bool live);

/// What launches have taken and nothing has given back.
[[nodiscard]] std::vector<std::shared_ptr<GraphMemory>> live_graph_memory();

/// For cuMemFree and cuMemFreeAsync: false for other memory. Throws CUDA_ERROR_INVALID_VALUE for memory that no launch
/// has taken. The memory stays while the result is kept.
[[nodiscard]] bool free_graph_memory(CUdeviceptr address, std::shared_ptr<GraphMemory>& keep);

/// Values of CUgraphMem_attribute. Throws CUDA_ERROR_INVALID_VALUE.
[[nodiscard]] std::uint64_t graph_memory_attribute(int device, int attribute);
/// A high-water mark begins anew.
void reset_graph_memory_attribute(int device, int attribute);

} // namespace warplight::software
