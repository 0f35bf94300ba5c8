// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers for people, with units that scale.
#pragma once

#include <QString>

#include <vector>

namespace warplight::ui {

/// "850 ns", "12.3 µs", "3.21 ms", "1.50 s": three significant digits.
QString formatMs(double milliseconds);
/// "512 B", "4.00 KiB", "1.50 GiB"
QString formatBytes(quint64 bytes);
/// "1 048 576": groups of three, thin spaces.
QString formatCount(qint64 count);
/// "1024 × 768"
QString formatShape(const std::vector<qint64>& shape);

} // namespace warplight::ui
