// SPDX-License-Identifier: Apache-2.0
// The parameters that methods around compilations share.
#pragma once

#include "warplight/compiler.hpp"
#include "worker/request.hpp"

namespace warplight::driver {
class Driver;
}

namespace warplight::worker {

/// What `compile` takes. The architecture "auto" is that of the device.
compiler::CompileRequest compile_request(const Params& params, const driver::Driver& driver);

/// The product of one to three extents.
int threads_of(const json& block);

} // namespace warplight::worker
