// SPDX-License-Identifier: GPL-3.0-or-later
/// Edits an argument in the dialog that fits it.
#pragma once

#include "session/session.hpp"

#include <functional>

class QWidget;

namespace warplight::ui {

class Workbench;

/// Structs are edited by their fields once the worker has told these, and by a text where nobody can tell them.
/// @param session whose arguments the argument is one of; kernels and source are those of the document
/// @param isThere asked before a dialog is shown later: whether the argument is still to be edited
/// @param take gets the edited argument where the user accepts it
void editArgument(Workbench& workbench, const session::Session& session, const session::Argument& argument,
                  QWidget* parent, const std::function<bool()>& isThere,
                  const std::function<void(const session::Argument&)>& take);

} // namespace warplight::ui
