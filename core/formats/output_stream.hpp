// SPDX-License-Identifier: Apache-2.0
// A new file as libraries write it: at any place, by functions that no exception may leave.
#pragma once

#include "files/new_file.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>

namespace warplight::formats {

class OutputStream {
public:
    explicit OutputStream(files::NewFile& file) : file_(file) {}

    /// False after an error, which rethrow() throws.
    [[nodiscard]] bool write(std::span<const std::byte> bytes) noexcept {
        if (error_) return false;
        try {
            const std::uint64_t before = std::min<std::uint64_t>(bytes.size(), file_.size() - place_);
            if (before) file_.write_at(place_, bytes.first(static_cast<std::size_t>(before)));
            if (before < bytes.size()) file_.write(bytes.subspan(static_cast<std::size_t>(before)));
            place_ += bytes.size();
        } catch (...) {
            error_ = std::current_exception();
        }
        return !error_;
    }
    /// What was written before. Bytes behind the end are not read.
    [[nodiscard]] std::size_t read(std::span<std::byte> to) noexcept {
        if (error_) return 0;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), file_.size() - place_));
        try {
            file_.read_at(place_, to.first(count));
        } catch (...) {
            error_ = std::current_exception();
            return 0;
        }
        place_ += count;
        return count;
    }
    /// False for a place behind the end.
    [[nodiscard]] bool seek(std::uint64_t place) noexcept {
        if (place > file_.size()) return false;
        place_ = place;
        return true;
    }
    [[nodiscard]] std::uint64_t place() const noexcept { return place_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return file_.size(); }
    [[nodiscard]] bool failed() const noexcept { return error_ != nullptr; }
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    files::NewFile& file_;
    std::uint64_t place_ = 0;
    std::exception_ptr error_;
};

} // namespace warplight::formats
