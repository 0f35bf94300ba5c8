// SPDX-License-Identifier: Apache-2.0
// Notes the launches of a program, with their times by events: WARPLIGHT_RUNTIME_LAUNCH_LOG=FILE. For drivers that do
// not note them themselves, as the software device does.
#pragma once

#include "runtime_api/functions.hpp"

namespace warplight::runtime_api {

/// Puts functions that note launches in place of the table's, where the variable is set. Without it nothing is changed,
/// and launches cost what they did. Launches that a graph or another library makes are not seen.
void record_launches(Functions& functions, bool per_thread);
/// Called before a context is ended here.
void end_of_context(CUcontext context);

} // namespace warplight::runtime_api
