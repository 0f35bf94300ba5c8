// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/functions.hpp"

namespace warplight::runtime_api {
namespace {

CUresult answer_missing() { return static_cast<CUresult>(cudaErrorCallRequiresNewerDriver); }

} // namespace

void* Functions::missing() { return reinterpret_cast<void*>(&answer_missing); }

} // namespace warplight::runtime_api
