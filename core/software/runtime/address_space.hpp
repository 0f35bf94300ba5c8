// SPDX-License-Identifier: Apache-2.0
// The addresses that kernels may touch: one reserved range in which every allocation has pages of its own, with
// unmapped pages around them, so that a wild access faults; and the host memory that was registered.
#pragma once

#include "platform.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/options.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

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
        mapped,     ///< cuMemMap, in a reserved range
    };
    std::uint64_t base = 0;
    std::uint64_t size = 0; ///< as asked for
    Kind kind = Kind::device;
    int device = 0;
    unsigned flags = 0; ///< of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged; of others: below
    static constexpr unsigned imported = 1;         ///< device memory: another process's
    static constexpr unsigned managed_variable = 1; ///< of a module: .attribute(.managed)
    [[nodiscard]] bool is_managed() const {
        return kind == Kind::managed || (kind == Kind::variable && (flags & managed_variable) != 0);
    }
    Context* context = nullptr;
    std::optional<bool> sync_memops; ///< CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, where it was set
    unsigned access = 3;             ///< CUmemAccess_flags
    std::uint64_t id = 0;            ///< never given twice
    std::uint64_t pages = 0;         ///< first page
    /// Of registered memory that has two addresses: the other one.
    std::uint64_t host_base = 0;   ///< 0: this is the host's
    std::uint64_t device_base = 0; ///< 0: this is the device's, or they are the same
    std::uint64_t page_bytes = 0;
};

/// Memory that the host reads without a copy.
[[nodiscard]] inline bool host_reads(const Allocation& memory) {
    return memory.kind == Allocation::Kind::host || memory.kind == Allocation::Kind::registered || memory.is_managed();
}

class AddressSpace {
public:
    [[nodiscard]] static AddressSpace& instance();
    static constexpr std::uint64_t alignment_of_device_memory = 512; ///< bytes, as on a GPU

    /// Zero-filled memory of `size` > 0 bytes, at a multiple of `alignment` (a power of two up to a page). The end of
    /// the allocation lies at the end of its last page, up to the alignment, so that running past it faults. Nothing
    /// when there is no memory.
    [[nodiscard]] std::optional<std::uint64_t> allocate(std::uint64_t size, Allocation::Kind kind, int device,
                                                        Context* context, unsigned flags = 0,
                                                        std::uint64_t alignment = alignment_of_device_memory);
    /// The allocation that starts here and is of that kind (host: only host; device: device or managed) is given back.
    [[nodiscard]] std::optional<Allocation> release(std::uint64_t base, Allocation::Kind kind);
    [[nodiscard]] std::vector<Allocation> all_of(const Context* context) const;
    /// Everything that belongs to a context.
    void release_all(const Context* context);

    /// Makes the pages of an allocation shared memory and keeps their content. Nobody may write to them meanwhile.
    /// Nothing when there is no such allocation, or the system has no shared memory.
    [[nodiscard]] std::optional<platform::SharedMemory::Name> share(std::uint64_t base);
    /// The name of the shared memory; nothing where the allocation is not shared.
    [[nodiscard]] std::optional<platform::SharedMemory::Name> shared(std::uint64_t base) const;
    /// Maps the shared memory of another process, whose allocation of `size` bytes ends as allocations here do.
    [[nodiscard]] std::optional<std::uint64_t> map(const platform::SharedMemory& memory, std::uint64_t size, int device,
                                                   Context* context);

    enum class Registration : std::uint8_t {
        done,
        known,      ///< part of the range is known already
        impossible, ///< kernels are kept in the window, and the memory cannot have an address there
    };
    [[nodiscard]] Registration register_host(std::uint64_t base, std::uint64_t size, int device, Context* context,
                                             unsigned flags);
    [[nodiscard]] std::optional<Allocation> unregister_host(std::uint64_t base);

    /// Addresses for the runtime's own use: whole pages that fault until something is committed there.
    [[nodiscard]] std::optional<std::uint64_t> take_range(std::uint64_t bytes);
    void return_range(std::uint64_t base, std::uint64_t bytes);

    // --- ranges of addresses without memory
    /// Addresses that nothing else is put at, and that fault until something is mapped there. `bytes` are whole pages;
    /// `alignment` is a power of two.
    [[nodiscard]] std::optional<std::uint64_t> reserve(std::uint64_t bytes, std::uint64_t alignment);
    /// False where they are not exactly a range.
    [[nodiscard]] bool unreserve(std::uint64_t base, std::uint64_t bytes);
    /// Whether they lie in one range.
    [[nodiscard]] bool reserved(std::uint64_t base, std::uint64_t bytes) const;
    /// Start and bytes of the range that holds an address.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range_at(std::uint64_t address) const;
    /// Makes memory that was mapped into a reserved range known; false where something is there.
    [[nodiscard]] bool add_mapping(std::uint64_t base, std::uint64_t bytes, int device);
    void set_access(std::uint64_t base, unsigned access);
    void remove_mapping(std::uint64_t base);
    /// Physical memory counts whether it is mapped or not. False when there is not as much left.
    [[nodiscard]] bool take_memory(std::uint64_t bytes, int device);
    void return_memory(std::uint64_t bytes, int device);

    // --- shadows: a byte for each byte of memory, at the same distance everywhere
    /// Gives all memory a shadow of zeros, which costs memory where it is touched. False when there are no addresses
    /// for it.
    [[nodiscard]] bool make_shadows();
    /// 0 before make_shadows().
    [[nodiscard]] std::uint64_t shadow_distance() const { return shadow_distance_; }

    void set_sync_memops(std::uint64_t base, bool on);
    /// Whether an address is of those that only devices use, with or without memory there.
    [[nodiscard]] bool covers(std::uint64_t address) const { return address - start_ < bytes_; }
    /// Bytes of addresses for memory.
    [[nodiscard]] std::uint64_t capacity() const { return bytes_; }
    /// Whether a limit on address space leaves fewer addresses than there should be.
    [[nodiscard]] bool limited() const { return limited_; }
    /// How generated code has to keep its addresses in the window. None where there is no window: a limit on address
    /// space leaves no room for it, or the program asked for none (Configuration::walls).
    [[nodiscard]] jit::Walls walls() const { return walls_; }
    /// Whether a fault there is one of an address outside of the window, which has been taken for the window's end.
    [[nodiscard]] bool is_beyond_window(std::uint64_t address) const {
        return walls_ != jit::Walls::none && address - (kWindowEnd - kWindowSlack) < 2 * kWindowSlack;
    }
    /// The allocation that holds this address.
    [[nodiscard]] std::optional<Allocation> find(std::uint64_t address) const;
    /// How many bytes from an address on may be copied: to the end of its allocation, and of mappings to that of the
    /// last one behind that has access too. 0 for others.
    [[nodiscard]] std::uint64_t room(std::uint64_t address) const;
    /// The same, or the one that was given back there last, as far as that is remembered.
    [[nodiscard]] std::optional<Allocation> find_or_freed(std::uint64_t address) const;
    /// How messages call memory.
    struct Naming {
        /// The name of an allocation; empty: it is told by size, address and kind.
        std::function<std::string(const Allocation&)> name = {};
        /// An address in the allocation that was meant; nothing: the nearest one.
        std::optional<std::uint64_t> meant = {};
    };
    /// "the 4096 bytes at 0x… (device memory)"
    [[nodiscard]] static std::string name_of(const Allocation& allocation);
    /// "12 bytes past the end of the 4096 bytes at 0x… (device memory)", for messages. Of memory that was given back
    /// it says so.
    [[nodiscard]] std::string describe(std::uint64_t address) const { return describe(address, Naming()); }
    [[nodiscard]] std::string describe(std::uint64_t address, const Naming& naming) const;
    /// Bytes that count against a device's memory.
    [[nodiscard]] std::uint64_t used(int device) const;

private:
    AddressSpace();
    [[nodiscard]] bool reserve_window();
    void use(std::uint64_t start, std::uint64_t bytes);
    std::optional<std::uint64_t> take_pages(std::uint64_t bytes, std::uint64_t alignment);
    std::optional<Allocation> place(std::uint64_t size, std::uint64_t alignment);
    void give_back(const Allocation& allocation);
    [[nodiscard]] bool give_device_address(Allocation& registered);
    void take_device_address(const Allocation& registered);
    void remember_freed(const Allocation& allocation);
    void forget_freed(std::uint64_t first_page, std::uint64_t bytes);
    [[nodiscard]] const Allocation* find_freed(std::uint64_t address) const;
    /// The one at an address, or the nearest one that may have been meant.
    [[nodiscard]] const Allocation* find_nearest(std::uint64_t address) const;
    void give_back_pages(std::uint64_t start, std::uint64_t bytes);

    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, Allocation> allocations_; ///< by base
    std::map<std::uint64_t, Allocation> freed_;       ///< by first page: the last ones, as long as nothing is there
    std::map<std::uint64_t, std::uint64_t> free_;     ///< start → end
    std::map<std::uint64_t, std::uint64_t> ranges_;   ///< reserved: start → bytes
    std::map<int, std::uint64_t> used_;
    std::map<std::uint64_t, platform::SharedMemory> shared_; ///< by base
    std::map<std::uint64_t, unsigned> edges_;                ///< first and last pages of registered memory: by how many
    std::uint64_t next_ = 0; ///< where the search goes on, so that freed addresses come back late
    std::uint64_t last_id_ = 0;
    std::uint64_t start_ = 0, bytes_ = 0;
    std::uint64_t shadows_ = 0; ///< where addresses for them begin; 0: none are reserved yet
    std::atomic<std::uint64_t> shadow_distance_ = 0;
    bool limited_ = false;
    jit::Walls walls_ = jit::Walls::none;
};

} // namespace warplight::software
