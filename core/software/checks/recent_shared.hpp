// SPDX-License-Identifier: Apache-2.0
// What the threads of a block have done to shared memory since all of them met last: enough to see that an access races
// with none. As long as none may, accesses are only noted, here or by the kernel's own code. When one may, the notes
// are made up for: then the cells know all that they would know if each access had been told to them.
#pragma once

#include "block_order.hpp"
#include "race_cells.hpp"
#include "software/jit/abi/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::software::checks {

[[nodiscard]] inline AccessKind kind_of(const TracedAccess& what) {
    if (!what.writes) return AccessKind::read;
    if (!what.reads) return AccessKind::write;
    return what.elements ? AccessKind::update : AccessKind::atomic; // the values of stores are known
}

class RecentShared {
public:
    /// @param shared_bytes of a block
    /// @param width lanes that access memory at once
    RecentShared(BlockOrder& order, RaceCells& cells, std::uint64_t shared_bytes, unsigned width);

    /// Accesses of lanes by one instruction, at most RecentShared's width.
    struct Accesses {
        std::uint32_t first; ///< thread of the first lane
        std::uint32_t active;
        const std::uint64_t* addresses; ///< offsets in shared memory, of each lane
        std::uint32_t site;
        TracedAccess what;
    };
    /// True: it races with none, and has been noted. False: the cells must be asked.
    [[nodiscard]] bool note(const Accesses& accesses);
    /// The cells are asked from now on, until all threads meet. Call it before anything but that and begin_epoch()
    /// changes what is ordered.
    void leave();
    /// All threads have met, or a block begins.
    /// @param strong_quiet strong accesses order nothing
    void begin_phase(bool strong_quiet);
    /// All lanes of a warp have met.
    void begin_epoch(unsigned warp);
    [[nodiscard]] bool is_noting() const { return shared_.bytes != 0; }
    /// For the kernel's code.
    [[nodiscard]] TracedShared& traced() { return shared_; }
    [[nodiscard]] std::uint64_t used_bytes() const { return words_.size() * sizeof(std::uint32_t) + kNotesBytes; }

private:
    static constexpr std::size_t kNotesBytes = std::size_t{4} << 20;

    [[nodiscard]] bool add(std::uint32_t& word, std::uint32_t now, const TracedAccess& what) const;
    void make_up();

    BlockOrder& order_;
    RaceCells& cells_;
    const std::uint32_t shared_bytes_;
    const unsigned width_;
    std::vector<std::uint32_t> words_;
    std::unique_ptr<std::byte[]> notes_; ///< made when shared memory is there
    TracedShared shared_{};
    std::uint32_t last_stamp_ = 0;
};

} // namespace warplight::software::checks
