// SPDX-License-Identifier: Apache-2.0
// Vectors of 32 lanes in the order of matrix instructions: eight groups of four lanes.
#pragma once

#include "software/jit/lanes/lanes.hpp"

#include <llvm/IR/IRBuilder.h>

#include <array>
#include <vector>

namespace warplight::jit {

class LaneVectors {
protected:
    static constexpr unsigned kLanes = kWarpLanes;
    static constexpr unsigned kGroups = 8; ///< of four lanes
    static constexpr unsigned kWithin = 4;
    using Type = llvm::Type;
    using Value = llvm::Value;

    explicit LaneVectors(llvm::IRBuilder<>& builder) : b_(builder) {}

    // --- vectors

    static unsigned size(Value* vector) {
        return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    }
    Type* words(unsigned bits, unsigned count) { return llvm::FixedVectorType::get(b_.getIntNTy(bits), count); }
    /// All parts in one vector; their number is a power of two.
    Value* concatenate(std::vector<Value*> parts) {
        for (; parts.size() > 1; parts.resize(parts.size() / 2)) {
            std::vector<int> places(std::size_t{2} * size(parts[0]));
            for (std::size_t p = 0; p < places.size(); ++p)
                places[p] = static_cast<int>(p);
            for (std::size_t k = 0; k < parts.size() / 2; ++k)
                parts[k] = b_.CreateShuffleVector(parts[2 * k], parts[2 * k + 1], places);
        }
        return parts[0];
    }
    /// count elements from `first` on, a step apart.
    Value* pick(Value* vector, unsigned first, unsigned count, unsigned step = 1) {
        std::vector<int> places(count);
        for (unsigned k = 0; k < count; ++k)
            places[k] = static_cast<int>(first + k * step);
        return b_.CreateShuffleVector(vector, places);
    }
    /// One element of each part in turn.
    Value* interleave(const std::vector<Value*>& parts) {
        if (parts.size() == 1) return parts[0];
        const unsigned count = size(parts[0]), ways = static_cast<unsigned>(parts.size());
        std::vector<int> places(std::size_t{count} * ways);
        for (unsigned k = 0; k < count; ++k)
            for (unsigned way = 0; way < ways; ++way)
                places[std::size_t{k} * ways + way] = static_cast<int>(way * count + k);
        return b_.CreateShuffleVector(concatenate(parts), places);
    }
    /// Lane 4 * group + within becomes lane 8 * within + group, or back.
    Value* turn(Value* vector, bool to_groups) {
        std::array<int, kLanes> places{};
        for (unsigned group = 0; group < kGroups; ++group)
            for (unsigned within = 0; within < kWithin; ++within) {
                const unsigned by_group = group * kWithin + within, by_lane = within * kGroups + group;
                places[to_groups ? by_group : by_lane] = static_cast<int>(to_groups ? by_lane : by_group);
            }
        return b_.CreateShuffleVector(vector, places);
    }

    // --- memory

    Value* load(Value* at, unsigned bits, unsigned count) {
        return b_.CreateAlignedLoad(words(bits, count), at, llvm::Align(1));
    }
    void store(Value* vector, Value* at) { b_.CreateAlignedStore(vector, at, llvm::Align(1)); }

    /// A register whose group g has four words in a row at line(g).
    template <class Line>
    Value* load_groups(unsigned bits, Line line) {
        std::vector<Value*> parts(kGroups);
        for (unsigned group = 0; group < kGroups; ++group)
            parts[group] = load(line(group), bits, kWithin);
        return concatenate(parts);
    }
    template <class Line>
    void store_groups(Value* reg, Line line) {
        for (unsigned group = 0; group < kGroups; ++group)
            store(pick(reg, group * kWithin, kWithin), line(group));
    }
    /// A register whose element e in lane w of all groups is in a row at line(w, e).
    template <class Line>
    Value* load_turned(unsigned bits, unsigned elements, Line line) {
        std::vector<Value*> parts;
        for (unsigned within = 0; within < kWithin; ++within) {
            std::vector<Value*> each(elements);
            for (unsigned e = 0; e < elements; ++e)
                each[e] = load(line(within, e), bits, kGroups);
            parts.push_back(b_.CreateBitCast(interleave(each), words(bits * elements, kGroups)));
        }
        return turn(concatenate(parts), true);
    }
    template <class Line>
    void store_turned(Value* reg, unsigned bits, unsigned elements, Line line) {
        Value* turned = turn(reg, false);
        for (unsigned within = 0; within < kWithin; ++within) {
            Value* part = b_.CreateBitCast(pick(turned, within * kGroups, kGroups), words(bits, kGroups * elements));
            for (unsigned e = 0; e < elements; ++e)
                store(elements == 1 ? part : pick(part, e, kGroups, elements), line(within, e));
        }
    }

    llvm::IRBuilder<>& b_;
};

} // namespace warplight::jit
