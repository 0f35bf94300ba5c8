// SPDX-License-Identifier: Apache-2.0
// Loads of elements that follow one another in each lane, while the lanes are far apart. Example, a step of a product
// whose second matrix is stored by columns:
//
//     sum += row[k] * tile[t][k]; sum += row[k + 1] * tile[t][k + 1]; ...      t: the lane
//
// Each lane reads 16 bytes at once, and shuffles make a vector of each element. A gather takes longer, for it loads
// every element of every lane by itself. Short rows without gaps, such as those of three floats, are read as whole
// vectors.
#pragma once

#include "lane_groups.hpp"

#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

class LaneAccess;

class RowLoads {
public:
    explicit RowLoads(Emitter& e) : e_(e) {}

    /// Emits an instruction of a block if it is a load of such elements. The first load of them reads what the others
    /// in the block will want.
    /// @param end behind the block's last instruction
    bool emit(std::uint32_t at, std::uint32_t end);
    /// At a block's end.
    void leave() { read_.clear(); }
    /// Loads may be done before the stores up to an instruction, as they are known to write elsewhere.
    void pass_stores(std::uint32_t until) { passed_until_ = until; }

private:
    struct Element {
        std::uint32_t at;   ///< the load
        unsigned index;     ///< among the elements that it reads
        std::int64_t place; ///< bytes from the first load's address
    };
    using Values = std::vector<llvm::Value*>;

    [[nodiscard]] bool may_begin(std::uint32_t at) const;
    [[nodiscard]] std::vector<Element> same_rows(std::uint32_t at, std::uint32_t end, unsigned bytes) const;
    [[nodiscard]] std::vector<std::int64_t> places_of_row(const std::vector<Element>& all,
                                                          const LaneAccess& access) const;
    [[nodiscard]] bool is_of_structure(const ptx::Instruction& load, std::int64_t place, unsigned bytes) const;
    [[nodiscard]] std::optional<std::int64_t> stored_place(const ptx::Instruction& i, const ptx::Instruction& load,
                                                           unsigned bytes) const;
    bool emit_likely(std::uint32_t at, std::uint32_t end, LaneAccess& access);
    void write(std::uint32_t at);

    Emitter& e_;
    std::uint32_t passed_until_ = 0;
    std::map<std::uint32_t, Values> read_; ///< by load: what it reads, where another load has read it already
};

} // namespace warplight::jit
