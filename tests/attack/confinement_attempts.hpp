// SPDX-License-Identifier: Apache-2.0
// What code that has taken over a worker would try. Made in a process that is confined as a worker is.
#pragma once

namespace confinement {

/// Confines this process, tries everything, and prints a line `NAME RESULT` for each: `done`, or the name of the error.
/// The folders and the process to attack come from the environment (WARPLIGHT_TEST_…).
int attempts();
/// Confines this process and makes a system call of another table: `int80` or `x32`. Prints `survived` if it returns.
int foreign_call(const char* which);

} // namespace confinement
