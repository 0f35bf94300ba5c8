// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace warplight::software {

/// The calls of one run_on_workers(). A job is opened again and again and never freed, so threads may look at one
/// without a lock: who has entered keeps it from being opened anew.
class alignas(64) Job {
public:
    /// Nobody knows it: who has closed it waits until all have left.
    void open(const std::function<void(unsigned)>& body, unsigned count, const void* owner) {
        body_ = &body;
        count_ = count;
        owner_ = owner;
        begun_ = 0;
        beyond_ = kPlaces;
        unsigned first = 0;
        for (auto& word : words_) { // calls that there are not have begun
            word = count >= first + kBits ? 0
                   : count <= first       ? ~std::uint64_t{0}
                                          : ~std::uint64_t{0} << (count - first);
            first += kBits;
        }
        failed_ = false;
        open_ = true;
    }
    /// No thread enters any more.
    void close() { open_ = false; }
    /// Nobody but the one who opened it has entered.
    [[nodiscard]] bool is_left() const { return users_ == 0; }
    /// What the first call has thrown that did. When all have left.
    [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

    [[nodiscard]] const void* owner() const { return owner_; }
    /// Calls that have not begun.
    [[nodiscard]] unsigned left() const {
        if (!open_) return 0;
        const unsigned begun = begun_, count = count_;
        return begun < count ? count - begun : 0;
    }
    /// True: it is open, and nobody opens it anew until leave(). False: it has been closed. leave() follows in any
    /// case, because who has closed it may have seen this one meanwhile and waits.
    [[nodiscard]] bool enter() {
        ++users_;
        return open_;
    }
    /// True: nobody is left.
    bool leave() { return --users_ == 0; }

    static constexpr unsigned kNoPlace = ~0U;
    /// Makes calls until all have begun: the one with the thread's own number first, if it can be had, and then its
    /// neighbours. So a thread finds in its caches what it had in the last job.
    void run(unsigned place) {
        while (const auto call = take(place)) {
            try {
                (*body_)(*call);
            } catch (...) {
                if (!failed_.exchange(true)) failure_ = std::current_exception();
            }
        }
    }

private:
    static constexpr unsigned kBits = 64, kPlaces = 4 * kBits;

    [[nodiscard]] std::optional<unsigned> take(unsigned place) {
        const unsigned count = count_;
        // Who counts himself in gets a call for certain, so the search below finds one.
        if (begun_ >= count || begun_.fetch_add(1) >= count) return std::nullopt;
        const unsigned numbered = std::min(count, kPlaces), words = (numbered + kBits - 1) / kBits;
        const unsigned start = std::min(place, numbered - 1);
        for (unsigned k = 0; k <= words; ++k) { // the first word twice: from the place on, and then as a whole
            const unsigned at = (start / kBits + k) % words;
            const std::uint64_t wanted = k == 0 ? ~std::uint64_t{0} << (start % kBits) : ~std::uint64_t{0};
            for (std::uint64_t free = ~words_.at(at) & wanted; free != 0;) {
                const std::uint64_t bit = free & -free;
                const std::uint64_t taken = words_.at(at).fetch_or(bit);
                if (!(taken & bit)) return at * kBits + static_cast<unsigned>(std::countr_zero(bit));
                free = ~taken & wanted;
            }
        }
        return beyond_++;
    }

    std::atomic<bool> open_ = false;
    std::atomic<unsigned> users_ = 0;
    std::atomic<unsigned> count_ = 0;
    std::atomic<const void*> owner_ = nullptr;
    std::atomic<const std::function<void(unsigned)>*> body_ = nullptr;
    std::atomic<unsigned> begun_ = 0;
    std::atomic<unsigned> beyond_ = kPlaces;                          ///< calls without a bit in words_
    std::array<std::atomic<std::uint64_t>, kPlaces / kBits> words_{}; ///< of a call that has begun a bit
    std::atomic<bool> failed_ = false;
    std::exception_ptr failure_;
};

} // namespace warplight::software
