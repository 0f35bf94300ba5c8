// SPDX-License-Identifier: Apache-2.0
// Functions of the program that the driver calls: streams' host functions, and clean-up of user objects.
#pragma once

namespace warplight::software {

/// True on a thread that is in such a function: it may not call the driver.
[[nodiscard]] bool in_host_function();
class HostFunctionScope {
public:
    HostFunctionScope();
    ~HostFunctionScope();
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};

} // namespace warplight::software
