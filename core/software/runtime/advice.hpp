// SPDX-License-Identifier: Apache-2.0
// What a program's user is told on standard error where a program or library cannot run here, once for each file.
#pragma once

#include <string_view>

namespace warplight::software::advice {

/// The fat binary at this address has no code that the device can run. Nothing is told where it lies in no file.
void on_machine_code(const void* image, unsigned capability);
/// Code at this address asked for the private tables of NVIDIA's driver.
void on_private_tables(const void* caller);

/// "cuBLAS" for libcublas.so.13, cublas64_13.dll and their like; empty for other files.
[[nodiscard]] std::string_view closed_library(std::string_view file);

} // namespace warplight::software::advice
