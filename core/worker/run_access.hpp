// SPDX-License-Identifier: Apache-2.0
// What the worker of a run needs of the file system.
#pragma once

#include "worker/confinement.hpp"
#include "worker/run_request.hpp"

namespace warplight::worker {

/// The session's folder, what the user has agreed to, and the folders that its results go to. Of a session that the
/// user has typed, all files that it names.
Access access_of(const RunRequest& request);

} // namespace warplight::worker
