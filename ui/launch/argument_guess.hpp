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

/// The arguments that there were before.
struct PreviousArguments {
    std::vector<session::Argument> arguments;
    std::set<std::string> guessed; ///< those of them that nobody has chosen
    bool fromFile = false;         ///< a session was opened with them: all are kept, also those that do not fit
};

/// One argument a parameter. What was chosen and is of the same kind (array, scalar) is kept: out of `before` under the
/// same name or in the same place, or out of `remembered`. Else `const T*` is In, `T*` InOut, an integer the size of
/// the first array, or of one of its axes where the kernel counts along several, another number 1. What does not fit
/// in a session that was opened stays in its place or comes last.
GuessedArguments guessArguments(const compiler::Kernel& kernel, const PreviousArguments& before,
                                const std::map<std::string, session::Argument>& remembered, const QString& folder);

/// Of the parameter's kind, array or scalar, as far as that is known.
bool fitsParameter(const session::Argument& argument, const compiler::Parameter& parameter);

/// What is wrong with an argument for this parameter, as a sentence; empty when nothing is.
QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder);

/// "random, float32, 1024 × 768", "data/x.npy", "size of x", "2.5"
QString describeSource(const session::Argument& argument);
QString describeType(const session::Argument& argument);

} // namespace warplight::ui
