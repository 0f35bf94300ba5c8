// SPDX-License-Identifier: Apache-2.0
// Addresses of the host's own memory that a kernel must not reach, and whether it has been changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct HostAddress {
    std::string name;
    std::uint64_t address = 0;
};

/// Memory of this process by kind: the stack, the heap, constants, code and data of libraries, and addresses that are
/// none.
class HostMemory {
public:
    HostMemory();
    [[nodiscard]] std::vector<HostAddress> addresses() const;
    /// Whether the stack and heap memory, which could be written, is as it was.
    [[nodiscard]] bool is_unharmed() const;

private:
    static constexpr std::size_t kBytes = 64;
    unsigned char on_stack_[kBytes]; ///< where the object is a local variable
    std::vector<unsigned char> on_heap_;
    std::vector<HostAddress> mapped_;
};
