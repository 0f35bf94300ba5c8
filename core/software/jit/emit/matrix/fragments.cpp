// SPDX-License-Identifier: Apache-2.0
#include "fragments.hpp"

#include "software/jit/emit/emitter.hpp"

#include <algorithm>

namespace warplight::jit {

namespace {

constexpr unsigned kMostVectors = 640; ///< 80 KiB: accumulators of the largest tiles and operands of two steps
constexpr unsigned kAtOnce = 40;       ///< vectors that one instruction may take

} // namespace

void Fragments::enter(const LaneBlock& block, const LanePlan& plan) {
    leave();
    inside_ = true;
    begin_ = block.begin;
    const auto& all = e_.function.instructions;
    std::vector<bool> live(e_.function.registers.size());
    for (std::size_t r = 0; r < live.size(); ++r)
        live[r] = !plan.registers.block_local[r];
    dies_.assign(block.end - block.begin, {});
    for (std::uint32_t at = block.end; at-- > block.begin;) {
        const ptx::Instruction& i = all[at];
        if (!i.guarded) ptx::each_written(e_.function, i, [&](ptx::RegisterId r) { live[r] = false; });
        ptx::each_read(e_.function, i, [&](ptx::RegisterId r) {
            if (!live[r]) dies_[at - begin_].push_back(r);
            live[r] = true;
        });
    }
}

void Fragments::leave() {
    inside_ = false;
    release_all();
}

std::optional<unsigned> Fragments::find(const Registers& registers) const {
    const auto first = within_.find(registers.at(0));
    if (first == within_.end()) return std::nullopt;
    const auto& [place, position] = first->second;
    const Registers& held = held_.at(place).registers;
    if (held.size() - position < registers.size() ||
        !std::equal(registers.begin(), registers.end(), held.begin() + static_cast<std::ptrdiff_t>(position)))
        return std::nullopt;
    return place + static_cast<unsigned>(position);
}

bool Fragments::is_whole(const Registers& registers) const {
    const auto first = within_.find(registers.at(0));
    return first != within_.end() && held_.at(first->second.place).registers == registers;
}

unsigned Fragments::take(std::size_t count) {
    if (auto& known = free_[count]; !known.empty()) {
        const unsigned place = known.back();
        known.pop_back();
        return place;
    }
    const unsigned place = used_;
    used_ += static_cast<unsigned>(count);
    most_used_ = std::max(most_used_, used_);
    return place;
}

void Fragments::give_back(unsigned place, std::size_t count) { free_[count].push_back(place); }

void Fragments::hold(const Registers& registers, unsigned place) {
    for (const ptx::RegisterId r : registers) // older values
        if (const auto old = within_.find(r); old != within_.end()) release(old->second.place, true);
    held_[place] = {registers};
    for (std::size_t k = 0; k < registers.size(); ++k)
        within_[registers[k]] = {place, k};
}

void Fragments::hold_result(const ptx::Instruction& i, const Registers& registers, unsigned place) {
    forget_written(i);
    hold(registers, place);
    result_held_ = true;
}

bool Fragments::die_at(const Registers& registers, std::uint32_t instruction) const {
    const Registers& dying = dies_.at(instruction - begin_);
    return std::all_of(registers.begin(), registers.end(),
                       [&](ptx::RegisterId r) { return std::find(dying.begin(), dying.end(), r) != dying.end(); });
}

void Fragments::hand_over(const Registers& registers) {
    if (const auto at = within_.find(registers.at(0)); at != within_.end()) release(at->second.place, false);
}

void Fragments::forget_written(const ptx::Instruction& i) {
    ptx::each_written(e_.function, i, [&](ptx::RegisterId r) {
        if (const auto at = within_.find(r); at != within_.end()) release(at->second.place, true);
    });
}

void Fragments::finish(std::uint32_t instruction) {
    if (!result_held_) forget_written(e_.function.instructions[instruction]);
    result_held_ = false;
    for (const ptx::RegisterId r : dies_.at(instruction - begin_)) {
        const auto at = within_.find(r);
        if (at == within_.end()) continue;
        const unsigned place = at->second.place;
        if (++held_.at(place).dead == held_.at(place).registers.size()) release(place, true);
    }
    // No instruction is being emitted, so everything may be forgotten.
    if (used_ + kAtOnce > kMostVectors) release_all();
}

llvm::Value* Fragments::address(unsigned place) {
    auto* vector = llvm::FixedVectorType::get(e_.b.getInt32Ty(), kWarpLanes);
    if (!memory_) memory_ = e_.stack_slot(vector, "fragments", 64);
    return e_.b.CreateConstGEP1_64(vector, memory_, place);
}

void Fragments::close() {
    if (memory_) memory_->setOperand(0, e_.b.getInt32(most_used_));
}

void Fragments::release(unsigned place, bool gives_back) {
    const auto at = held_.find(place);
    for (const ptx::RegisterId r : at->second.registers)
        within_.erase(r);
    if (gives_back) give_back(place, at->second.registers.size());
    held_.erase(at);
}

void Fragments::release_all() {
    held_.clear();
    within_.clear();
    free_.clear();
    used_ = 0;
}

} // namespace warplight::jit
