// SPDX-License-Identifier: Apache-2.0
#include "block_slots.hpp"

#include "row_steps.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::BitVector;
using llvm::Value;
using software::Wait;

BlockSlots::BlockSlots(std::vector<SegmentCode> segments, const llvm::Function& start, const llvm::DataLayout& layout)
    : segments_(std::move(segments)), layout_(layout) {
    constexpr std::size_t kMostBlocks = 400;
    std::size_t blocks = 0;
    bool several_ends = false;
    for (const SegmentCode& each : segments_) {
        blocks += each.blocks.size();
        several_ends |= each.ends.size() > 1 && each.is_of_all();
        const bool is_known = llvm::all_of(each.ends, [](const SegmentEnd& end) {
            return end.is_plain_barrier() || end.is(Wait::done) || end.is(Wait::grid_stride);
        });
        if (each.ends.empty() || !is_known) return;
    }
    if (!several_ends || blocks > kMostBlocks) return; // without a loop around a barrier there is little to gain
    find_places(start);
    for (const SegmentCode& each : segments_)
        graphs_.push_back(graph_of(each));
    // All places are taken to hold such numbers until a store is found that contradicts.
    ends_together_ = ask_all();
    if (!ends_together_) types_.clear();
}

std::optional<std::uint64_t> BlockSlots::place_of(std::size_t segment, const Value* pointer) const {
    const auto place = bytes_behind(segments_[segment].frame, pointer, layout_);
    return place && types_.contains(*place) ? place : std::nullopt;
}

/// Scalars that are stored and loaded as they are, and nothing else of which overlaps.
void BlockSlots::find_places(const llvm::Function& start) {
    std::map<std::uint64_t, std::uint64_t> taken; // from, to
    std::vector<std::pair<std::uint64_t, std::uint64_t>> others;
    for (const SegmentCode& segment : segments_)
        for (const BasicBlock* block : segment.blocks)
            for (const llvm::Instruction& i : *block)
                for (const llvm::Use& use : i.operands()) {
                    if (!use->getType()->isPointerTy() || llvm::isa<llvm::GetElementPtrInst, llvm::PHINode>(i))
                        continue;
                    const auto place = bytes_behind(segment.frame, use, layout_);
                    if (!place) continue;
                    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                    const bool is_address = llvm::getLoadStorePointerOperand(&i) == use.get() &&
                                            (!store || store->getValueOperand() != use.get());
                    llvm::Type* type =
                        is_address ? llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&i)) : nullptr;
                    const std::uint64_t size = type ? layout_.getTypeStoreSize(type).getFixedValue() : 1;
                    const auto known = types_.find(*place);
                    if (!type || !type->isSingleValueType() || type->isVectorTy() ||
                        (known != types_.end() && known->second != type)) {
                        others.emplace_back(*place, *place + size);
                        continue;
                    }
                    types_[*place] = type;
                    taken[*place] = *place + size;
                }
    for (const BasicBlock& block : start) // what it stores is of each thread
        for (const llvm::Instruction& i : block)
            if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
                llvm::APInt offset(layout_.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
                store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
                const std::uint64_t from = offset.getZExtValue();
                others.emplace_back(
                    from, from + layout_.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
            }
    for (const auto& [from, to] : taken)
        for (const auto& [other_from, other_to] : taken)
            if (from < other_from && other_from < to) {
                types_.erase(from);
                types_.erase(other_from);
            }
    for (const auto& [from, to] : others)
        for (const auto& [place, end] : taken)
            if (place < to && from < end) types_.erase(place);
}

BlockSlots::Graph BlockSlots::graph_of(const SegmentCode& segment) {
    Graph graph;
    const auto count = static_cast<unsigned>(segment.blocks.size());
    for (unsigned k = 0; k < count; ++k)
        graph.numbers[segment.blocks[k]] = k;
    graph.to.resize(count);
    BitVector ends(count); // from which an end is reached
    for (bool changes = true; std::exchange(changes, false);)
        for (unsigned k = count; k-- > 0;) {
            if (ends[k]) continue;
            const bool comes = llvm::isa<llvm::ReturnInst>(segment.blocks[k]->getTerminator()) ||
                               llvm::any_of(llvm::successors(segment.blocks[k]),
                                            [&](const BasicBlock* to) { return ends[graph.numbers.lookup(to)]; });
            if (!comes) continue;
            ends.set(k);
            changes = true;
        }
    for (unsigned k = 0; k < count; ++k)
        for (const BasicBlock* each : llvm::successors(segment.blocks[k])) {
            const unsigned to = graph.numbers.lookup(each);
            if (ends[k] && ends[to] && !llvm::is_contained(graph.to[k], to)) graph.to[k].push_back(to);
        }
    graph.behind.assign(count, BitVector(count));
    graph.passed.assign(count, BitVector(count, true));
    for (bool changes = true; std::exchange(changes, false);)
        for (unsigned k = count; k-- > 0;) {
            BitVector behind = graph.behind[k], passed(count, !graph.to[k].empty());
            for (const unsigned to : graph.to[k]) {
                behind.set(to);
                behind |= graph.behind[to];
                passed &= graph.passed[to];
            }
            passed.set(k);
            changes |= behind != graph.behind[k] || passed != graph.passed[k];
            graph.behind[k] = std::move(behind);
            graph.passed[k] = std::move(passed);
        }
    return graph;
}

/// Whether all threads that compute it in this segment get the same number.
bool BlockSlots::is_same(std::size_t segment, const Value* value, unsigned steps) const {
    if (llvm::isa<llvm::Constant>(value)) return true;
    const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i) return false;
    if (!graphs_[segment].numbers.contains(i->getParent())) return true; // computed once for all threads
    if (steps == 0) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(i))
        return load->isSimple() && place_of(segment, load->getPointerOperand()).has_value();
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(i)) {
        const Value* only = phi->hasConstantValue();
        return only && is_same(segment, only, steps - 1);
    }
    if (i->mayReadOrWriteMemory() || i->mayHaveSideEffects() || i->getType()->isVectorTy()) return false;
    return llvm::all_of(i->operands(), [&](const Value* operand) {
        return llvm::isa<llvm::Function>(operand) || is_same(segment, operand, steps - 1);
    });
}

/// The blocks that a thread may leave out although others execute them, or execute more often.
BitVector BlockSlots::of_some(std::size_t segment) const {
    constexpr unsigned kMostSteps = 12;
    const Graph& graph = graphs_[segment];
    BitVector some(static_cast<unsigned>(graph.to.size()), segments_[segment].is_of_some);
    for (unsigned from = 0; from < graph.to.size(); ++from) {
        if (graph.to[from].size() < 2) continue;
        const llvm::Instruction* way = segments_[segment].blocks[from]->getTerminator();
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(way);
        const auto* cases = llvm::dyn_cast<llvm::SwitchInst>(way);
        const Value* condition = branch ? branch->getCondition() : cases ? cases->getCondition() : nullptr;
        if (condition && is_same(segment, condition, kMostSteps)) continue;
        llvm::SmallVector<unsigned, 16> todo(graph.to[from].begin(), graph.to[from].end());
        BitVector seen(some.size());
        while (!todo.empty()) {
            const unsigned k = todo.pop_back_val();
            if (seen[k] || (k != from && graph.passed[from][k])) continue;
            seen.set(k);
            todo.append(graph.to[k].begin(), graph.to[k].end());
        }
        some |= seen;
    }
    return some;
}

/// Whether the segment may have stored to the place before.
bool BlockSlots::is_hidden(std::size_t segment, const llvm::LoadInst& load) const {
    const Graph& graph = graphs_[segment];
    const unsigned at = graph.numbers.lookup(load.getParent());
    const auto place = place_of(segment, load.getPointerOperand());
    for (const BasicBlock* block : segments_[segment].blocks)
        for (const llvm::Instruction& i : *block) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store || place_of(segment, store->getPointerOperand()) != place) continue;
            const unsigned from = graph.numbers.lookup(block);
            if (graph.behind[from][at] || (from == at && store->comesBefore(&load))) return true;
        }
    return false;
}

/// Takes places away. Returns whether it has found none to be taken away.
bool BlockSlots::ask(std::size_t segment) {
    constexpr unsigned kMostSteps = 12;
    const BitVector some = of_some(segment);
    bool all = true;
    for (unsigned k = 0; k < some.size(); ++k)
        for (const llvm::Instruction& i : *segments_[segment].blocks[k]) {
            const auto place = llvm::getLoadStorePointerOperand(&i)
                                   ? place_of(segment, llvm::getLoadStorePointerOperand(&i))
                                   : std::nullopt;
            if (!place) continue;
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            const bool is_kept =
                store ? store->isSimple() && !some[k] && is_same(segment, store->getValueOperand(), kMostSteps)
                      : !is_hidden(segment, llvm::cast<llvm::LoadInst>(i));
            if (is_kept) continue;
            types_.erase(*place);
            all = false;
        }
    return all;
}

bool BlockSlots::ask_all() {
    for (bool changes = true; std::exchange(changes, false);)
        for (std::size_t k = 0; k < segments_.size(); ++k)
            changes |= !ask(k);
    if (types_.empty()) return false;
    for (std::size_t k = 0; k < segments_.size(); ++k) {
        if (segments_[k].ends.size() < 2 || !segments_[k].is_of_all()) continue;
        const BitVector some = of_some(k);
        for (const SegmentEnd& end : segments_[k].ends)
            for (const BasicBlock* block : end.blocks)
                if (some[graphs_[k].numbers.lookup(block)]) return false;
    }
    return true;
}

std::vector<llvm::LoadInst*> BlockSlots::loads(std::size_t segment) const {
    std::vector<llvm::LoadInst*> all;
    for (BasicBlock* block : segments_[segment].blocks)
        for (llvm::Instruction& i : *block)
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load && place_of(segment, load->getPointerOperand()))
                all.push_back(load);
    return all;
}

/// Which blocks are reached from the segment's first one by ways that do not pass one of them.
BitVector BlockSlots::reached_without(std::size_t segment, unsigned block) const {
    const Graph& graph = graphs_[segment];
    BitVector seen(static_cast<unsigned>(graph.to.size()));
    llvm::SmallVector<unsigned, 16> todo{0};
    while (!todo.empty()) {
        const unsigned k = todo.pop_back_val();
        if (k == block || seen[k]) continue;
        seen.set(k);
        todo.append(graph.to[k].begin(), graph.to[k].end());
    }
    return seen;
}

std::vector<BlockSlotStore> BlockSlots::stores(std::size_t segment) const {
    const Graph& graph = graphs_[segment];
    std::vector<BlockSlotStore> all;
    for (BasicBlock* block : segments_[segment].blocks)
        for (llvm::Instruction& i : *block) {
            auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            const auto place = store ? place_of(segment, store->getPointerOperand()) : std::nullopt;
            if (!place) continue;
            BlockSlotStore one{store, *place, {}};
            const unsigned at = graph.numbers.lookup(block);
            const BitVector without = reached_without(segment, at);
            bool is_told = true;
            for (const SegmentEnd& end : segments_[segment].ends) {
                bool with = false, never = true;
                for (const BasicBlock* told : end.blocks) {
                    const unsigned to = graph.numbers.lookup(told);
                    with |= without[to];
                    never &= at != to && !graph.behind[at][to];
                }
                is_told &= never || !with;
                one.ends.push_back(!never);
            }
            if (!is_told) one.ends.clear();
            all.push_back(std::move(one));
        }
    return all;
}

} // namespace warplight::jit
