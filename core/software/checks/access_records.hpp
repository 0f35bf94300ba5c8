// SPDX-License-Identifier: Apache-2.0
// What cells of shadow memory have in common: a warp's access by one instruction is kept once, and the cells of all its
// words have the number of that record.
#pragma once

#include "software/jit/abi/traced_records.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace warplight::software::checks {

class AccessRecords {
public:
    using Number = std::uint32_t; ///< 0: none
    static constexpr Number kMost = (1U << 26) - 1;

    /// @param table for the kernel's code, which adds records too; zeros
    explicit AccessRecords(TracedRecords& table) : table_(table) { reserve(kLeast); }
    AccessRecords(const AccessRecords&) = delete;
    AccessRecords& operator=(const AccessRecords&) = delete;

    [[nodiscard]] std::uint64_t operator[](Number number) const { return table_.all[number]; }
    /// Of a record, which may have others too. 0: there are no numbers left, or its epoch has none.
    [[nodiscard]] Number number_of(std::uint64_t record) {
        Number& recent = table_.recent[TracedRecords::place_of(record)];
        return table_.all[recent] == record ? recent : recent = add(record);
    }
    void clear();
    [[nodiscard]] std::uint64_t used_bytes() const { return table_.next * sizeof(std::uint64_t); }

    /// Whether the kernel's code has no room to add any.
    [[nodiscard]] bool is_full() const { return table_.next >= table_.end; }
    /// Whether those should go that no cell has any more.
    [[nodiscard]] bool is_at_limit() const { return table_.next >= limit_; }
    void make_room();
    /// False: they take as much already.
    [[nodiscard]] bool raise_limit(std::uint64_t most_bytes);

    /// Leaves the records whose numbers it was asked for.
    class Renumbering {
    public:
        explicit Renumbering(AccessRecords& records);
        /// The new number.
        [[nodiscard]] Number operator()(Number number) {
            Number& known = numbers_[number];
            if (!known) known = leave(number);
            return known;
        }
        /// @param most_bytes that records should take from now on, unless more are left
        void end(std::uint64_t most_bytes);

    private:
        [[nodiscard]] Number leave(Number number);
        AccessRecords& records_;
        std::vector<Number> numbers_; ///< by the old one
        std::vector<std::uint64_t> left_;
    };

private:
    static constexpr Number kLeast = 64, kLeastLimit = 1024, kNoLimit = ~Number{0};
    struct Free {
        void operator()(std::uint64_t* records) const { std::free(records); }
    };
    [[nodiscard]] Number add(std::uint64_t record);
    void reserve(Number capacity);
    void set_limit(std::uint64_t limit);

    std::unique_ptr<std::uint64_t, Free> all_; ///< the system gives memory for it as it is touched
    Number capacity_ = 0, limit_ = kLeastLimit;
    TracedRecords& table_;
};

} // namespace warplight::software::checks
