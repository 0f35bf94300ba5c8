// SPDX-License-Identifier: Apache-2.0
// A kernel's arguments as the driver takes them.
#pragma once

#include "interface/state.hpp"

namespace warplight::driver::detail {

/// The arguments in one block of memory, each aligned as its type.
std::vector<std::byte> pack_arguments(std::span<const Argument> arguments);

/// A pointer to each argument where the layout of the parameters is known, else all of them packed. Points into the
/// arguments and into itself.
class NativeArguments {
public:
    /// @param as_pointers for calls that take nothing else
    NativeArguments(const FunctionState& function, std::span<const Argument> arguments, bool as_pointers = false);
    NativeArguments(const NativeArguments&) = delete;
    NativeArguments& operator=(const NativeArguments&) = delete;

    /// `kernelParams` and `extra` of the driver's functions; one of them is null.
    void** pointers() noexcept { return pointers_.empty() ? nullptr : pointers_.data(); }
    void** extra() noexcept { return pointers_.empty() ? extra_ : nullptr; }

private:
    std::vector<void*> pointers_; ///< one more than there are arguments, so never empty when used
    std::vector<std::byte> packed_;
    std::size_t packed_size_ = 0;
    void* extra_[5] = {};
};

} // namespace warplight::driver::detail
