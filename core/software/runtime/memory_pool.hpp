// SPDX-License-Identifier: Apache-2.0
// Memory pools of devices. Memory that a stream gives back goes to the pool in stream order. The stream itself may get
// it again at once; another stream gets it when that point is reached, or waits for it. Memory over the pool's
// threshold goes back to the device at the next synchronization.
#pragma once

#include "stream.hpp"

#include <cuda.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::software {

class Device;

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
public:
    MemoryPool(int device, std::uint64_t most);
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    const int device;
    const std::uint64_t max_size; ///< bytes; 0: as much as the device has

    /// For work in the stream. Throws CUDA_ERROR_OUT_OF_MEMORY.
    [[nodiscard]] CUdeviceptr allocate(std::uint64_t size, Stream& stream);
    /// `reached`: where its stream has come when the memory may be used for something else.
    void release(CUdeviceptr base, Ticket reached);
    /// Gives unused memory back until at most `keep` bytes are reserved.
    void trim(std::uint64_t keep);
    /// The same, to the threshold.
    void trim_to_threshold();

    /// Bytes that were asked for at an address; 0: it was given back.
    [[nodiscard]] std::uint64_t size_of(CUdeviceptr base);

    /// Of CUmemPool_attribute. Throw CUDA_ERROR_INVALID_VALUE.
    [[nodiscard]] static bool wide(int attribute); ///< 64 bits, else an int
    [[nodiscard]] std::uint64_t attribute(int attribute);
    void set_attribute(int attribute, std::uint64_t value);
    /// Of CUmemAccess_flags.
    [[nodiscard]] unsigned access(int other);
    void set_access(int other, unsigned flags);

private:
    struct Block {
        CUdeviceptr base = 0;
        std::uint64_t bytes = 0;
        Ticket reached;
    };
    struct Live {
        std::uint64_t bytes = 0; ///< of the block
        std::uint64_t used = 0;  ///< bytes that were asked for
    };
    std::optional<Block> reuse(std::uint64_t bytes, Stream& stream);
    [[nodiscard]] std::uint64_t reserved() const;
    void trim_held(std::uint64_t keep, bool waits);

    std::mutex mutex_;
    std::map<CUdeviceptr, Live> live_;
    std::vector<Block> held_;
    std::map<int, unsigned> access_;
    bool follow_events_ = true, opportunistic_ = true, internal_dependencies_ = true;
    std::uint64_t threshold_ = 0;
    std::uint64_t used_ = 0, used_high_ = 0, blocks_ = 0, reserved_high_ = 0; ///< bytes
};

/// The pool that an allocation belongs to, or null.
[[nodiscard]] std::shared_ptr<MemoryPool> pool_of(CUdeviceptr base);
/// What was never given back to any of them: addresses and bytes.
[[nodiscard]] std::vector<std::pair<CUdeviceptr, std::uint64_t>> memory_of_pools();
[[nodiscard]] std::shared_ptr<MemoryPool> default_pool(const Device& device);
/// The pool that cuMemAllocAsync takes memory from.
[[nodiscard]] std::shared_ptr<MemoryPool> current_pool(const Device& device);
void set_current_pool(const Device& device, std::shared_ptr<MemoryPool> pool);
[[nodiscard]] std::shared_ptr<MemoryPool> create_pool(int device, std::uint64_t most);
/// No handle any more; it ends with its last allocation. Throws CUDA_ERROR_INVALID_VALUE for a default pool.
void destroy_pool(const std::shared_ptr<MemoryPool>& pool);
/// After a synchronization.
void trim_pools();

} // namespace warplight::software
