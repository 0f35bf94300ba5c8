// SPDX-License-Identifier: Apache-2.0
// A set of a function's registers, a bit each.
#pragma once

#include "module.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace warplight::ptx {

class RegisterSet {
public:
    explicit RegisterSet(std::size_t registers = 0) : words_((registers + 63) / 64) {}
    [[nodiscard]] bool contains(RegisterId r) const { return (words_[r / 64] >> r % 64 & 1) != 0; }
    void insert(RegisterId r) { words_[r / 64] |= std::uint64_t{1} << r % 64; }
    void remove(RegisterId r) { words_[r / 64] &= ~(std::uint64_t{1} << r % 64); }
    /// Whether anything was new.
    bool insert(const RegisterSet& others) {
        std::uint64_t added = 0;
        for (std::size_t k = 0; k < words_.size(); ++k) {
            added |= others.words_[k] & ~words_[k];
            words_[k] |= others.words_[k];
        }
        return added != 0;
    }
    void remove(const RegisterSet& others) {
        for (std::size_t k = 0; k < words_.size(); ++k)
            words_[k] &= ~others.words_[k];
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t k = 0; k < words_.size(); ++k)
            for (std::uint64_t left = words_[k]; left; left &= left - 1)
                visit(static_cast<RegisterId>(64 * k) + static_cast<RegisterId>(std::countr_zero(left)));
    }

private:
    std::vector<std::uint64_t> words_;
};

} // namespace warplight::ptx
