// SPDX-License-Identifier: Apache-2.0
/// Other names for a session's arguments, in all that refers to them.
#pragma once

#include "session/session.hpp"

#include <map>
#include <string>
#include <string_view>

namespace warplight::session {

/// Why no argument can be called so, as a sentence; empty where one can. Formulas and programs need such a name.
[[nodiscard]] std::string argument_name_problem(std::string_view name);

/// Why `from` cannot become `to` in this session, as a sentence; empty where it can.
[[nodiscard]] std::string rename_problem(const Session& session, const std::string& from, const std::string& to);

/// Whether a formula of the session has the name, for an argument or for anything else.
[[nodiscard]] bool is_in_formulas(const Session& session, std::string_view name);

/// From old names to new ones.
using NewNames = std::map<std::string, std::string, std::less<>>;

/// A formula with the new names of arguments.
[[nodiscard]] std::string renamed_formula(const std::string& formula, const NewNames& names);
/// What refers to the arguments: formulas, sizes, steps and frames of a pipeline, sweeps, and cases of an exercise. All
/// names are replaced at once. The arguments themselves keep theirs.
void rename_references(Session& session, const NewNames& names);
/// The arguments and what refers to them.
void rename_arguments(Session& session, const NewNames& names);

} // namespace warplight::session
