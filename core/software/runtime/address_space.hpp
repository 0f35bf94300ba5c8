// SPDX-License-Identifier: Apache-2.0
// The addresses that kernels may touch: one reserved range in which every allocation has pages of its own, with
// unmapped pages around them, so that a wild access faults; and the host memory that was registered.
#pragma once

#include "platform.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>

namespace warplight::software {

class Context;

struct Allocation {
    enum class Kind : std::uint8_t {
        device,     ///< cuMemAlloc
        managed,    ///< cuMemAllocManaged
        host,       ///< cuMemHostAlloc
        registered, ///< cuMemHostRegister: the caller's own memory
        variable,   ///< of a module
        internal,   ///< heap of kernels, workspaces
        array,      ///< of a CUarray
    };
    std::uint64_t base = 0;
    std::uint64_t size = 0; ///< as asked for
    Kind kind = Kind::device;
    int device = 0;
    unsigned flags = 0; ///< of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged; of device memory: below
    static constexpr unsigned pooled = 1;   ///< of a memory pool
    static constexpr unsigned imported = 2; ///< another process's
    Context* context = nullptr;
    std::uint64_t id = 0;    ///< never given twice
    std::uint64_t pages = 0; ///< first page
    std::uint64_t page_bytes = 0;
};

class AddressSpace {
public:
    [[nodiscard]] static AddressSpace& instance();
    static constexpr std::uint64_t alignment_of_device_memory = 512; ///< what a GPU gives

    /// Zero-filled memory of `size` > 0 bytes, at a multiple of `alignment` (a power of two up to a page). The end of
    /// the allocation lies at the end of its last page, up to the alignment, so that running past it faults. Nothing
    /// when there is no memory.
    [[nodiscard]] std::optional<std::uint64_t> allocate(std::uint64_t size, Allocation::Kind kind, int device,
                                                        Context* context, unsigned flags = 0,
                                                        std::uint64_t alignment = alignment_of_device_memory);
    /// The allocation that starts here and is of that kind (host: only host; device: device or managed) is given back.
    [[nodiscard]] std::optional<Allocation> release(std::uint64_t base, Allocation::Kind kind);
    /// Everything that belongs to a context.
    void release_all(const Context* context);

    /// Makes the pages of an allocation shared memory; what is in them stays. Nobody may write to them meanwhile.
    /// Nothing when there is no such allocation, or the system has no shared memory.
    [[nodiscard]] std::optional<platform::SharedMemory::Name> share(std::uint64_t base);
    /// What was shared so.
    [[nodiscard]] std::optional<platform::SharedMemory::Name> shared(std::uint64_t base) const;
    /// Maps the shared memory of another process, whose allocation of `size` bytes ends as allocations here do.
    [[nodiscard]] std::optional<std::uint64_t> map(const platform::SharedMemory& memory, std::uint64_t size, int device,
                                                   Context* context);

    /// False where part of the range is known already.
    [[nodiscard]] bool register_host(std::uint64_t base, std::uint64_t size, int device, Context* context,
                                     unsigned flags);
    [[nodiscard]] std::optional<Allocation> unregister_host(std::uint64_t base);

    /// The allocation that holds this address.
    [[nodiscard]] std::optional<Allocation> find(std::uint64_t address) const;
    /// "12 bytes past the end of the 4096 bytes allocated at 0x…", for messages.
    [[nodiscard]] std::string describe(std::uint64_t address) const;
    /// Bytes that count against a device's memory.
    [[nodiscard]] std::uint64_t used(int device) const;

private:
    AddressSpace();
    std::optional<std::uint64_t> take_pages(std::uint64_t bytes, std::uint64_t alignment);
    std::optional<Allocation> place(std::uint64_t size, std::uint64_t alignment);
    void give_back(const Allocation& allocation);

    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, Allocation> allocations_; ///< by base
    std::map<std::uint64_t, std::uint64_t> free_;     ///< start → end
    std::map<int, std::uint64_t> used_;
    std::map<std::uint64_t, platform::SharedMemory> shared_; ///< by base
    std::uint64_t next_ = 0; ///< where the search goes on: what was freed last is given out last
    std::uint64_t last_id_ = 0;
};

} // namespace warplight::software
