// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warplight::ui {

/// What a worker does for a request ("Comparing buffers"), for people who wait for it. Empty for a method that nobody
/// waits for.
QString requestText(const QString& method);

} // namespace warplight::ui
