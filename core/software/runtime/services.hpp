// SPDX-License-Identifier: Apache-2.0
// The functions that compiled kernels call.
#pragma once

namespace warplight::software {

/// Does nothing: calling it links the services, which only compiled code refers to.
void link_services();

} // namespace warplight::software
