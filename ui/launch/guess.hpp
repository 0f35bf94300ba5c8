// SPDX-License-Identifier: GPL-3.0-or-later
/// Arguments out of a kernel's signature.
#pragma once

#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <QString>
#include <vector>

namespace warplight::ui {

/// Scalar type of the session format for a parameter ("int" → "i32"); empty for one it cannot express.
std::string scalarTypeOf(const compiler::Parameter& parameter);
/// Element type of a pointer parameter; "uint8" where the signature does not tell.
std::string elementTypeOf(const compiler::Parameter& parameter);

/// One argument a parameter. `const T*` is an input of random numbers, `T*` an in-out of zeros, an integer the
/// size of the first buffer, another number 1. Arguments that were there with the same name and a fitting
/// direction are kept.
std::vector<session::Argument> guessArguments(const compiler::Kernel& kernel,
                                              const std::vector<session::Argument>& previous);

/// A grid that covers `elements` with blocks of this many threads, one thread an element.
std::uint32_t blocksToCover(std::uint64_t elements, std::uint64_t threadsPerBlock);

/// Elements of the first buffer, or 0 when that is not known without reading data.
std::uint64_t elementsOfFirstBuffer(const session::Session& session);

/// What is wrong with an argument, seen beside the parameter it is for (which may be null), without reading
/// data: empty when nothing is. Sentences for people.
QString argumentProblem(const session::Session& session, const session::Argument& argument,
                        const compiler::Parameter* parameter, const QString& folder);

/// What would be refused at the launch: a block of more than 1024 threads, a grid of 0, …
QStringList launchProblems(const session::Session& session, const compiler::Kernel* kernel);

} // namespace warplight::ui
