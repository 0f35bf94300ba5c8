// SPDX-License-Identifier: Apache-2.0
// Kernels that reach one address of their caller's choice, each in another way.
#pragma once

#include <string>
#include <vector>

struct AccessForm {
    std::string name;
    /// Kernel `attack(buffer, target, way)`, 32 threads: accesses `target`. `way` is target - buffer, and `buffer` has
    /// 64 KiB that may be accessed before.
    std::string text;
    bool is_narrow = false; ///< reaches low addresses only: the target is taken modulo 2^32
};

std::vector<AccessForm> access_forms();
