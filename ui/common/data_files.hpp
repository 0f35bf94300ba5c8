// SPDX-License-Identifier: GPL-3.0-or-later
/// Which files hold arrays, by their names: for filters of dialogs, and for what a dialog asks about a file.
#pragma once

#include <QString>

namespace warplight::ui {

/// "*.npy *.npz …", for the filter of a dialog that opens data.
QString dataPatterns();
/// Files that say themselves what they hold: all of those patterns but raw numbers.
bool saysItsType(const QString& path);
/// One of those patterns.
bool isDataFile(const QString& path);
/// .npz and HDF5: several arrays, each under its name.
bool isContainerFile(const QString& path);

} // namespace warplight::ui
