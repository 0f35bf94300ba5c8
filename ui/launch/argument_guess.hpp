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
    std::vector<bool> guessed;                ///< true for those that the user has not chosen
    std::map<std::string, std::string> names; ///< that kept arguments had, and have now
};

/// The arguments before the signature changed.
struct PreviousArguments {
    std::vector<session::Argument> arguments;
    std::set<std::string> guessed; ///< names of those that the user has not chosen
    bool fromFile = false;         ///< they are of an opened session: all are kept, even misfits
};

/// Makes one argument per parameter. An argument that the user chose is kept if its kind (array, scalar) fits: from
/// `before` under the same name or in the same place, or from `remembered`.
/// A guess: `const T*` is In, `T*` is InOut, and objects of textures and surfaces are arrays. An integer is the size of
/// the first array, or of one of its axes where the kernel counts along several. Any other number is 1. Misfits of an
/// opened session stay in their place or come last.
GuessedArguments guessArguments(const compiler::Kernel& kernel, const PreviousArguments& before,
                                const std::map<std::string, session::Argument>& remembered, const QString& folder);

/// True unless one is an array and the other a scalar.
bool fitsParameter(const session::Argument& argument, const compiler::Parameter& parameter);

/// Why the argument does not fit this parameter, as a sentence; empty when it fits.
QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder);

/// "random, float32, 1024 × 768", "data/x.npy", "size of x", "2.5"
QString describeSource(const session::Argument& argument);
QString describeType(const session::Argument& argument);

} // namespace warplight::ui
