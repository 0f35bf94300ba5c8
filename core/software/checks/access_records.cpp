// SPDX-License-Identifier: Apache-2.0
#include "access_records.hpp"

#include <algorithm>
#include <new>

namespace warplight::software::checks {

void AccessRecords::reserve(Number capacity) {
    auto* const all = static_cast<std::uint64_t*>(std::realloc(all_.get(), capacity * sizeof(std::uint64_t)));
    if (!all) throw std::bad_alloc();
    (void)all_.release();
    all_.reset(all);
    if (capacity_ == 0) {
        *all = 0;
        table_.next = 1;
    }
    capacity_ = capacity;
    table_.all = all;
    table_.end = std::min(capacity_, limit_);
}

void AccessRecords::make_room() {
    if (table_.next >= capacity_ && capacity_ <= kMost) reserve(std::min(2 * capacity_, kMost + 1));
}

AccessRecords::Number AccessRecords::add(std::uint64_t record) {
    if (static_cast<std::uint32_t>(record) == 0) return 0;
    make_room();
    if (table_.next >= capacity_) return 0;
    table_.all[table_.next] = record;
    return table_.next++;
}

void AccessRecords::set_limit(std::uint64_t limit) {
    limit_ = static_cast<Number>(std::max<std::uint64_t>(limit, kLeastLimit));
    table_.end = std::min(capacity_, limit_);
}

bool AccessRecords::raise_limit(std::uint64_t most_bytes) {
    const std::uint64_t most = std::min<std::uint64_t>(most_bytes / sizeof(std::uint64_t), kMost);
    if (most <= table_.next) return false;
    set_limit(most);
    return true;
}

void AccessRecords::clear() {
    if (table_.next == 1) return;
    table_.next = 1;
    std::fill_n(table_.recent, TracedRecords::kRecent, 0U);
}

// --- without those that no cell has any more

AccessRecords::Renumbering::Renumbering(AccessRecords& records)
    : records_(records), numbers_(records.table_.next), left_{0} {}

AccessRecords::Number AccessRecords::Renumbering::leave(Number number) {
    left_.push_back(records_[number]);
    return static_cast<Number>(left_.size() - 1);
}

void AccessRecords::Renumbering::end(std::uint64_t most_bytes) {
    const auto count = static_cast<Number>(left_.size());
    records_.clear();
    std::copy(left_.begin(), left_.end(), records_.table_.all);
    records_.table_.next = count;
    // Where most are left there must be room for some, or each new one would end here.
    const std::uint64_t most = most_bytes / sizeof(std::uint64_t);
    // Where hardly any have gone, looking again would take long for nothing.
    const bool is_last = count > kMost / 8 * 7;
    records_.set_limit(is_last ? kNoLimit : std::min<std::uint64_t>(std::max(most, count + most / 4), kMost));
}

} // namespace warplight::software::checks
