// SPDX-License-Identifier: Apache-2.0
// The executions of a warp's instructions, from what its threads did one after the other.
//
// Where fewer than 32 threads run side by side, each vector of threads leaves a trace: the blocks of code that it came
// to, and the addresses of its accesses. Threads of a warp go together on a GPU as long as they go the same way, and
// meet again where their ways meet. So the traces are joined as vectors of 32 lanes run (emit/lanes/lanes.cpp): the
// lanes that are furthest back in the text go next, all of them that are at the same place at once. A function that was
// called comes before its caller.
//
// Mostly all threads of a warp go the same way all the time. Then the traces are equal but for the addresses, and are
// joined one by one.
#pragma once

#include "profile/warp_access.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warplight::software::profile {

using warplight::profile::Cost;
using warplight::profile::WarpAccess;

class WarpTrace {
public:
    /// Each of up to four vectors has a first address, and a distance from thread to thread.
    struct RegularAccess {
        static constexpr unsigned kMost = 4;
        std::array<std::uint64_t, kMost> first{}, distance{};
        std::array<std::uint32_t, kMost> active{};
        unsigned width = 0; ///< of a vector
        [[nodiscard]] bool operator==(const RegularAccess&) const = default;
        [[nodiscard]] WarpAccess all(unsigned bytes) const;
    };

    /// What a joined trace is told to, in the order in which a warp would have done it.
    class Receiver {
    public:
        virtual ~Receiver() = default;
        /// Lanes that execute a basic block; `parted`: they leave it on different ways.
        virtual void executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) = 0;
        /// @param what of the access, as the trace was told
        virtual void accesses(std::uint32_t site, std::uint32_t what, const WarpAccess& access) = 0;
        /// Of vectors whose threads' addresses are equally far apart.
        virtual void accesses(std::uint32_t site, std::uint32_t what, const RegularAccess& access) = 0;
    };

    /// @param width threads of a vector: a power of two up to 16
    explicit WarpTrace(unsigned width) : width_(width), vectors_(32 / width) {}

    // --- one vector after the other. `first`: the lane of its first thread in the warp; `active`: of its threads
    void comes_to(unsigned first, std::uint32_t active, std::uint32_t block_site) {
        add(first, Kind::block, block_site, active);
    }
    /// @param addresses of all threads of the vector
    void accesses(unsigned first, std::uint32_t active, std::uint32_t site, std::uint32_t what,
                  const std::uint64_t* addresses) {
        Words& words = vectors_[first / width_];
        if (is_regular(addresses)) {
            std::uint64_t* const event = words.append(kRegularWords);
            event[0] = word_of(Kind::access, site, what | kRegular);
            event[1] = active;
            event[2] = addresses[0];
            event[3] = addresses[1] - addresses[0];
            return;
        }
        std::uint64_t* const event = words.append(2 + std::size_t{width_});
        event[0] = word_of(Kind::access, site, what);
        event[1] = active;
        std::copy(addresses, addresses + width_, event + 2);
    }
    void calls(unsigned first, std::uint32_t active) { add(first, Kind::call, 0, active); }
    void returns(unsigned first, std::uint32_t active) { add(first, Kind::end_of_call, 0, active); }

    /// All threads of the warp have ended: joins the traces, and forgets them.
    /// @param cut lanes whose trace goes on in truth: what is behind the first end of one is left out
    void join(Receiver& receiver, std::uint32_t cut = 0);
    void forget();

    /// `what` fits into so many bits. One more tells regular accesses.
    static constexpr unsigned kBitsOfWhat = 23;
    static constexpr std::uint32_t kRegular = 1U << kBitsOfWhat;
    static constexpr std::size_t kRegularWords = 4;
    /// Bytes of an access are the lowest bits of `what`, and whether it is a second one of its instruction is the next.
    static constexpr unsigned kBitsOfBytes = 8;

private:
    enum class Kind : std::uint64_t { block, access, call, end_of_call };
    /// A vector that grows without being filled.
    class Words {
    public:
        std::uint64_t* append(std::size_t count) {
            if (capacity_ - size_ < count) grow(count);
            return words_.get() + std::exchange(size_, size_ + count);
        }
        void push_back(std::uint64_t word) { *append(1) = word; }
        void clear() { size_ = 0; }
        [[nodiscard]] bool empty() const { return size_ == 0; }
        [[nodiscard]] std::size_t size() const { return size_; }
        [[nodiscard]] const std::uint64_t* data() const { return words_.get(); }
        [[nodiscard]] std::uint64_t front() const { return words_[0]; }
        [[nodiscard]] std::uint64_t operator[](std::size_t at) const { return words_[at]; }

    private:
        void grow(std::size_t count);

        std::unique_ptr<std::uint64_t[]> words_;
        std::size_t size_ = 0, capacity_ = 0;
    };

    void add(unsigned first, Kind kind, std::uint32_t site, std::uint32_t detail) {
        vectors_[first / width_].push_back(word_of(kind, site, detail));
    }
    [[nodiscard]] static std::uint64_t word_of(Kind kind, std::uint32_t site, std::uint32_t detail) {
        return static_cast<std::uint64_t>(kind) << 62 | std::uint64_t{detail} << 32 | site;
    }
    [[nodiscard]] static Kind kind_of(std::uint64_t word) { return static_cast<Kind>(word >> 62); }
    /// What an access is; of others the active threads.
    [[nodiscard]] static std::uint32_t detail_of(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> 32) & ((1U << (kBitsOfWhat + 1)) - 1);
    }
    /// Words of an event, with the first one.
    [[nodiscard]] std::size_t length_of(std::uint64_t word) const {
        if (kind_of(word) != Kind::access) return 1;
        return (detail_of(word) & kRegular) != 0 ? kRegularWords : 2 + std::size_t{width_};
    }
    /// Only where the vectors of a warp are few.
    [[nodiscard]] bool is_regular(const std::uint64_t* addresses) const {
        static_assert(RegularAccess::kMost == 4);
        if (width_ == 16) return are_regular(addresses, std::make_index_sequence<15>());
        return width_ == 8 && are_regular(addresses, std::make_index_sequence<7>());
    }
    /// Without a loop: it is asked at each access.
    template <std::size_t... Pairs>
    [[nodiscard]] static bool are_regular(const std::uint64_t* addresses, std::index_sequence<Pairs...> /*unused*/) {
        const std::uint64_t distance = addresses[1] - addresses[0];
        return (((addresses[Pairs + 1] - addresses[Pairs]) ^ distance) | ...) == 0;
    }

    [[nodiscard]] bool are_in_step() const;
    void join_in_step(Receiver& receiver) const;

    // --- lanes that go different ways, each with a trace of its own: an access has one address there
    /// Where a lane's trace goes on.
    struct Head {
        std::size_t at = 0;
        std::uint32_t depth = 0; ///< calls that it is in
        std::uint64_t place = 0; ///< compares like places in the text; kEnd: none is left
    };
    static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
    using Lanes = std::array<Words, 32>;

    [[nodiscard]] Lanes lanes() const;
    static void join(const Lanes& lanes, std::uint32_t cut, Receiver& receiver);
    /// The block that a lane goes to from the one at its head; kEnd: to none of this function.
    [[nodiscard]] static std::uint64_t successor(const Words& words, const Head& head);
    static void look(const Words& words, Head& head);

    unsigned width_;
    std::vector<Words> vectors_;
};

} // namespace warplight::software::profile
