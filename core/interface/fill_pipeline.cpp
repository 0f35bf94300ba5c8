// SPDX-License-Identifier: Apache-2.0
#include "interface/fill_pipeline.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace warplight::driver::detail {

namespace {
constexpr std::size_t kSlice = std::size_t{512} << 10; ///< what is worth handing to another thread
} // namespace

FillPipeline::FillPipeline(std::vector<std::span<std::byte>> buffers, unsigned threads)
    : buffers_(std::move(buffers)), chunk_(buffers_.front().size()), slices_of_chunk_((chunk_ + kSlice - 1) / kSlice),
      filled_(buffers_.size()) {
    try {
        for (unsigned i = 1; i < threads; ++i)
            threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): those that there are do it
    }
}

FillPipeline::~FillPipeline() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void FillPipeline::begin(Read read, std::size_t bytes) {
    {
        const std::scoped_lock lock(mutex_);
        read_ = std::move(read);
        bytes_ = bytes;
        const std::size_t whole = bytes / chunk_, rest = bytes % chunk_;
        slices_ = whole * slices_of_chunk_ + (rest + kSlice - 1) / kSlice;
        next_ = 0;
        given_back_ = 0;
        failed_ = false;
        failure_ = nullptr;
        for (auto& filled : filled_)
            filled = 0;
        running_ = true;
        ++round_;
    }
    work_.notify_all();
}

/// Fills the next slice, where its buffer is free.
bool FillPipeline::fill_one() {
    std::size_t slice = next_.load();
    std::size_t part = 0;
    do {
        part = slice / slices_of_chunk_;
        if (slice >= slices_ || part >= given_back_.load() + buffers_.size()) return false;
    } while (!next_.compare_exchange_weak(slice, slice + 1));

    const std::size_t in_part = slice % slices_of_chunk_ * kSlice, from = part * chunk_ + in_part;
    const std::size_t size = std::min({kSlice, chunk_ - in_part, bytes_ - from});
    const std::size_t buffer = part % buffers_.size();
    try {
        if (!failed_.load()) read_(from, buffers_[buffer].subspan(in_part, size));
    } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = true;
    }
    {
        const std::scoped_lock lock(mutex_);
        ++filled_[buffer];
    }
    filling_.notify_one(); // the one who takes
    return true;
}

void FillPipeline::run() {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            work_.wait(lock, [&] { return ending_ || (running_ && round_ != seen); });
            if (ending_) return;
            seen = round_;
            ++busy_;
        }
        for (;;) {
            const std::size_t given_back = given_back_.load();
            if (fill_one()) continue;
            if (next_.load() >= slices_) break;
            std::unique_lock lock(mutex_); // all buffers are full
            giving_back_.wait(lock, [&] { return given_back_.load() != given_back; });
        }
        const std::scoped_lock lock(mutex_);
        if (--busy_ == 0) done_.notify_all();
    }
}

std::span<const std::byte> FillPipeline::wait(std::size_t part) {
    const std::size_t from = part * chunk_, size = std::min(chunk_, bytes_ - from);
    const std::size_t slices = (size + kSlice - 1) / kSlice;
    auto& filled = filled_[part % buffers_.size()];
    for (;;) {
        const std::size_t now = filled.load();
        if (now == slices) break;
        if (fill_one()) continue;
        std::unique_lock lock(mutex_); // others have the rest of it
        filling_.wait(lock, [&] { return filled.load() != now; });
    }
    if (failed_.load()) {
        const std::scoped_lock lock(mutex_);
        std::rethrow_exception(failure_);
    }
    return buffers_[part % buffers_.size()].first(size);
}

void FillPipeline::give_back() {
    {
        const std::scoped_lock lock(mutex_);
        filled_[given_back_.load() % buffers_.size()] = 0;
        ++given_back_;
    }
    giving_back_.notify_all();
}

void FillPipeline::end() noexcept {
    std::unique_lock lock(mutex_);
    next_ = slices_; // nobody begins another slice
    ++given_back_;
    giving_back_.notify_all();
    running_ = false;
    done_.wait(lock, [&] { return busy_ == 0; });
}

} // namespace warplight::driver::detail
