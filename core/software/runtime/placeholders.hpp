// SPDX-License-Identifier: Apache-2.0
// Reserved addresses on Windows. A view of a file mapping can only be put into a placeholder: reserved addresses that
// begin and end exactly where the view does. This class splits placeholders, joins them again, and remembers what lies
// where. The system's calls are behind an interface, so that tests run it everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace warplight::software {

/// The calls of the system. Each does all of what it says, or refuses and changes nothing.
class PlaceholderSystem {
public:
    virtual ~PlaceholderSystem() = default;

    /// A placeholder there, or anywhere for address 0. 0: refused.
    [[nodiscard]] virtual std::uint64_t reserve(std::uint64_t address, std::uint64_t bytes) = 0;
    /// Ends a whole placeholder.
    [[nodiscard]] virtual bool release(std::uint64_t address, std::uint64_t bytes) = 0;
    /// Makes the first `bytes` of a longer placeholder a placeholder of their own.
    [[nodiscard]] virtual bool split(std::uint64_t address, std::uint64_t bytes) = 0;
    /// Makes neighbours, which fill the range, one placeholder.
    [[nodiscard]] virtual bool join(std::uint64_t address, std::uint64_t bytes) = 0;
    /// Private memory of zeros in place of a whole placeholder, and the way back.
    [[nodiscard]] virtual bool commit(std::uint64_t address, std::uint64_t bytes) = 0;
    [[nodiscard]] virtual bool decommit(std::uint64_t address, std::uint64_t bytes) = 0;
    /// A view of a file mapping in place of a whole placeholder, readable and writable, and the way back.
    [[nodiscard]] virtual bool map(std::intptr_t memory, std::uint64_t offset, std::uint64_t address,
                                   std::uint64_t bytes) = 0;
    [[nodiscard]] virtual bool unmap(std::uint64_t address) = 0;
};

/// Thread-safe. Addresses and sizes are whole pages. A refusal of the system in the middle leaves what was there
/// before; only how the free addresses are cut into placeholders may differ.
class Placeholders {
public:
    explicit Placeholders(PlaceholderSystem& system) : system_(system) {}

    /// Addresses that nothing lies at, there or anywhere for address 0. 0: there are none.
    [[nodiscard]] std::uint64_t reserve(std::uint64_t address, std::uint64_t bytes);
    /// Of all that reserve() gave at once; false while memory lies there.
    [[nodiscard]] bool unreserve(std::uint64_t base);
    /// Whether an address was reserved here.
    [[nodiscard]] bool holds(std::uint64_t address) const;

    /// Memory of zeros. False where something lies in the range, or it is not reserved, or there is no memory.
    [[nodiscard]] bool commit(std::uint64_t address, std::uint64_t bytes);
    /// Part of a file mapping. False for the same reasons.
    [[nodiscard]] bool map(std::intptr_t memory, std::uint64_t offset, std::uint64_t address, std::uint64_t bytes);
    /// Gives back what commit() and map() put into the range; they need not fill it. False where the range cuts
    /// something, which changes nothing, or where the system keeps some of it.
    bool clear(std::uint64_t address, std::uint64_t bytes);

    enum class Replaced : std::uint8_t {
        done,
        refused, ///< nothing has changed
        zeroed,  ///< the memory is there again, but its content is gone
        lost,    ///< and the memory is gone too: the addresses are free
    };
    /// Puts the file mapping in place of exactly what one commit() put there.
    [[nodiscard]] Replaced replace(std::intptr_t memory, std::uint64_t address, std::uint64_t bytes);

private:
    enum class Content : std::uint8_t { none, memory, view };
    struct Region {
        std::uint64_t bytes = 0;
        std::uint64_t base = 0; ///< of the reservation
        Content content = Content::none;
    };
    using Regions = std::map<std::uint64_t, Region>;

    [[nodiscard]] Regions::iterator region_at(std::uint64_t address);
    [[nodiscard]] bool is_free(std::uint64_t address, std::uint64_t bytes);
    bool isolate(std::uint64_t address, std::uint64_t bytes);
    bool split(std::uint64_t address, std::uint64_t bytes);
    void join_around(std::uint64_t address, std::uint64_t bytes);
    bool join(Regions::iterator first, Regions::iterator end);
    template <class Fill>
    bool fill(std::uint64_t address, std::uint64_t bytes, Content content, const Fill& call);

    PlaceholderSystem& system_;
    mutable std::mutex mutex_;
    Regions regions_;                                 ///< by first address; they fill the reservations
    std::map<std::uint64_t, std::uint64_t> reserved_; ///< base → bytes
};

#ifdef _WIN32
/// Of this process, or null where the system has no placeholders.
[[nodiscard]] Placeholders* system_placeholders();
#endif

} // namespace warplight::software
