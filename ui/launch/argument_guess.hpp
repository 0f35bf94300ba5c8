// SPDX-License-Identifier: GPL-3.0-or-later
/// Arguments that fill themselves in from a kernel's signature.
#pragma once

#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <QString>
#include <vector>

namespace warplight::ui {

struct GuessedArguments {
    std::vector<session::Argument> arguments;
    std::vector<bool> guessed; ///< which of them nobody has chosen yet
    bool changed = false;      ///< other than `previous`
};

/// One argument a parameter. What `previous` has under the same name and of the same kind (array, scalar) is kept;
/// else `const T*` is In, `T*` InOut, an integer the size of the first array, another number 1.
GuessedArguments guessArguments(const compiler::Kernel& kernel, const std::vector<session::Argument>& previous);

/// What is wrong with an argument for this parameter, as a sentence; empty when nothing is.
QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder);

/// "random, float32, 1024 × 768", "data/x.npy", "size of x", "2.5"
QString describeSource(const session::Argument& argument);
QString describeType(const session::Argument& argument);

/// Total elements of the first array argument whose size is known without reading data, and its shape; empty: none.
std::vector<std::size_t> firstArrayShape(const session::Session& session, const QString& folder);

/// Why this launch would be refused by any device, or empty. Limits are those of all CUDA devices.
QString launchProblem(const session::LaunchConfiguration& launch);

} // namespace warplight::ui
