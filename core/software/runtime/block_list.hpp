// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace warplight::software {

/// A queue of large elements, in blocks that serve again. One thread may add while another one uses what it has taken.
template <class T>
class BlockList {
public:
    BlockList() = default;
    BlockList(const BlockList&) = delete;
    BlockList& operator=(const BlockList&) = delete;
    ~BlockList() {
        free_all(std::move(first_)); // one by one: a chain of owners ends by recursion
        free_all(std::move(spare_));
    }

    [[nodiscard]] bool empty() const { return !first_; }
    /// The new last element, as T() is or as pop() has left an older one.
    T& push() {
        if (!last_ || last_->end == kEach) {
            std::unique_ptr<Block> block = std::move(spare_);
            if (block) {
                spare_ = std::move(block->next);
                --spares_;
            } else {
                block = std::make_unique<Block>();
            }
            Block* const added = block.get();
            (last_ ? last_->next : first_) = std::move(block);
            last_ = added;
        }
        return last_->elements[last_->end++];
    }
    [[nodiscard]] T& front() { return first_->elements[first_->begin]; }
    /// The element has been reset by who used it.
    void pop() {
        if (++first_->begin < first_->end) return;
        std::unique_ptr<Block> block = std::move(first_);
        first_ = std::move(block->next);
        if (!first_) last_ = nullptr;
        keep(std::move(block));
    }
    /// Takes all elements of the other list, which gets blocks to fill in return. This one is empty.
    void take(BlockList& other) {
        first_ = std::move(other.first_);
        last_ = std::exchange(other.last_, nullptr);
        while (spare_) {
            std::unique_ptr<Block> block = std::move(spare_);
            spare_ = std::move(block->next);
            --spares_;
            other.keep(std::move(block));
        }
    }

private:
    static constexpr std::size_t kEach = 16;
    static constexpr std::size_t kMostSpares = 64; ///< blocks that a list keeps

    struct Block {
        std::array<T, kEach> elements{};
        std::size_t begin = 0, end = 0;
        std::unique_ptr<Block> next;
    };
    void keep(std::unique_ptr<Block> block) {
        if (spares_ == kMostSpares) return;
        block->begin = block->end = 0;
        block->next = std::move(spare_);
        spare_ = std::move(block);
        ++spares_;
    }
    static void free_all(std::unique_ptr<Block> block) {
        while (block)
            block = std::move(block->next);
    }

    std::unique_ptr<Block> first_; ///< null: there are no elements
    Block* last_ = nullptr;
    std::unique_ptr<Block> spare_;
    std::size_t spares_ = 0;
};

} // namespace warplight::software
