// SPDX-License-Identifier: Apache-2.0
// What the benchmarks ask the operating system.
#pragma once

#include <cstddef>
#include <string>

namespace warplight::bench {

/// Bytes of the process that lie in memory.
std::size_t resident_bytes();
/// Time that processors spent on all threads of the process so far.
double processor_milliseconds();
/// Sets a variable of the environment, for libraries opened later and for child processes.
void set_environment(const std::string& name, const std::string& value);
/// Unless it is set already.
void set_default_environment(const std::string& name, const std::string& value);
/// What a command writes to its standard output. Throws std::runtime_error when it does not end with 0.
std::string output_of(const std::string& command);
/// The program that runs.
std::string program_path();

} // namespace warplight::bench
