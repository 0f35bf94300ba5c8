// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace warplight::jit {

/// An instruction, or a form of one, that cannot be compiled. The message says which.
class EmitError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace warplight::jit
