// SPDX-License-Identifier: GPL-3.0-or-later
/// Arguments that fill themselves in from a kernel's signature.
#pragma once

#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <QString>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplight::ui {

struct GuessedArguments {
    std::vector<session::Argument> arguments;
    std::vector<bool> guessed; ///< which of them nobody has chosen yet
};

/// One argument a parameter. What was chosen under the same name and of the same kind (array, scalar) is kept, out of
/// `previous` (but for those `guessed` before) or out of `remembered`; else `const T*` is In, `T*` InOut, an integer
/// the size of the first array, or of one of its axes where the kernel counts along several, another number 1.
GuessedArguments guessArguments(const compiler::Kernel& kernel, const std::vector<session::Argument>& previous,
                                const std::set<std::string>& guessed = {},
                                const std::map<std::string, session::Argument>& remembered = {});

/// What is wrong with an argument for this parameter, as a sentence; empty when nothing is.
QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder);

/// "random, float32, 1024 × 768", "data/x.npy", "size of x", "2.5"
QString describeSource(const session::Argument& argument);
QString describeType(const session::Argument& argument);

} // namespace warplight::ui
