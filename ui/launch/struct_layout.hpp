// SPDX-License-Identifier: GPL-3.0-or-later
/// The fields of structs among arguments, which the worker's compiler tells.
#pragma once

#include "debug/layout.hpp"
#include "session/session.hpp"

#include <functional>
#include <optional>
#include <string>

class QObject;

namespace warplight::ui {

class Workbench;

/// Asks for the layout of an argument: of the kernel's parameter with that number, or of the variable that it names.
/// @param context no answer comes once it is gone
/// @param answer gets nothing where the layout is not known
void askStructLayout(Workbench& workbench, const session::Argument& argument, const std::string& kernel, int number,
                     QObject* context, std::function<void(const std::optional<debug::Layout>&)> answer);

} // namespace warplight::ui
