// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace warplight::ui {

/// Columns by which a new line of C++ begins after these lines; the last of them is the one before it.
int indentationAfter(const QStringList& lines, int width);

} // namespace warplight::ui
