// SPDX-License-Identifier: Apache-2.0
// A kernel's arguments as the driver takes them.
#pragma once

#include "interface/state.hpp"

#include <array>

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
    void** pointers() noexcept { return pointers_; }
    void** extra() noexcept { return pointers_ ? nullptr : extra_; }

private:
    void** pointers_ = nullptr;
    std::array<void*, 16> few_; ///< most kernels need no more
    std::vector<void*> many_;
    std::vector<std::byte> packed_;
    std::size_t packed_size_ = 0;
    void* extra_[5] = {};
};

} // namespace warplight::driver::detail
