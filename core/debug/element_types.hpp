// SPDX-License-Identifier: Apache-2.0
// Types of arrays in shared memory, of which the compiler tells debuggers nothing: what their accesses say.
#pragma once

#include "software/ptx/module.hpp"

#include <map>

namespace warplight::debug {

/// Of each variable in shared memory whose accesses agree on one. PTX writes `.u32` for int and for unsigned: what is
/// 16 bits or more counts as signed. Others are missing.
[[nodiscard]] std::map<const ptx::Variable*, ptx::Type> element_types(const ptx::Module& module);

} // namespace warplight::debug
