// SPDX-License-Identifier: Apache-2.0
// The files of this folder are compiled once for each major version of the library.
#pragma once

#ifndef WARPLIGHT_RUNTIME_MAJOR
#error "WARPLIGHT_RUNTIME_MAJOR is 11, 12 or 13"
#endif

namespace warplight::runtime_api {
inline constexpr int kMajor = WARPLIGHT_RUNTIME_MAJOR;
} // namespace warplight::runtime_api
