// SPDX-License-Identifier: Apache-2.0
// The executions of a warp's instructions, from what its threads did one after the other.
//
// Where fewer than 32 threads run side by side, each leaves a trace: the blocks of code that it came to, and the
// addresses of its accesses. Threads of a warp go together on a GPU as long as they go the same way, and meet again
// where their ways meet. So the traces are joined as vectors of 32 lanes run (emit/lanes/lanes.cpp): the lanes that are
// furthest back in the text go next, all of them that are at the same place at once. A function that was called comes
// before its caller.
#pragma once

#include "warp_access.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplight::software::profile {

class WarpTrace {
public:
    /// What a joined trace is told to, in the order in which a warp would have done it.
    class Receiver {
    public:
        virtual ~Receiver() = default;
        /// Lanes that execute a basic block; `parted`: they leave it on different ways.
        virtual void executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) = 0;
        /// @param what of the access, as the trace was told
        virtual void accesses(std::uint32_t site, std::uint32_t what, const WarpAccess& access) = 0;
    };

    // --- one lane after the other
    void comes_to(unsigned lane, std::uint32_t block_site) { add(lane, Kind::block, block_site, 0); }
    void accesses(unsigned lane, std::uint32_t site, std::uint32_t what, std::uint64_t address) {
        add(lane, Kind::access, site, what);
        lanes_[lane].push_back(address);
    }
    void calls(unsigned lane) { add(lane, Kind::call, 0, 0); }
    void returns(unsigned lane) { add(lane, Kind::end_of_call, 0, 0); }

    /// All threads of the warp have ended: joins the traces, and forgets them.
    void join(Receiver& receiver);
    void forget();
    [[nodiscard]] std::size_t words() const;

    /// `what` fits into so many bits.
    static constexpr unsigned kBitsOfWhat = 24;
    /// Bytes of an access are the lowest bits of `what`, and whether it is a second one of its instruction is the next.
    static constexpr unsigned kBitsOfBytes = 8;

private:
    enum class Kind : std::uint64_t { block, access, call, end_of_call };
    using Words = std::vector<std::uint64_t>;

    /// Where a lane's trace goes on.
    struct Head {
        std::size_t at = 0;
        std::uint32_t depth = 0; ///< calls that it is in
        std::uint64_t place = 0; ///< compares like places in the text; kEnd: none is left
    };
    static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

    void add(unsigned lane, Kind kind, std::uint32_t site, std::uint32_t what) {
        lanes_[lane].push_back(static_cast<std::uint64_t>(kind) << 62 | std::uint64_t{what} << 32 | site);
    }
    [[nodiscard]] static Kind kind_of(std::uint64_t word) { return static_cast<Kind>(word >> 62); }
    [[nodiscard]] static std::uint32_t what_of(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> 32) & ((1U << kBitsOfWhat) - 1);
    }
    /// The block that a lane goes to from the one at its head; kEnd: to none of this function.
    [[nodiscard]] std::uint64_t successor(unsigned lane, const Head& head) const;
    void look(unsigned lane, Head& head) const;

    std::array<Words, 32> lanes_;
};

} // namespace warplight::software::profile
