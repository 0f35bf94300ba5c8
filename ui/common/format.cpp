// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/format.hpp"

#include <cmath>

namespace warplight::ui {
namespace {

/// Three significant digits, at least none and at most two after the point.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QString::number(value, 'f', decimals);
}

} // namespace

QString formatMs(double milliseconds) {
    if (!std::isfinite(milliseconds)) return QStringLiteral("–");
    const double size = std::abs(milliseconds);
    if (size == 0) return QStringLiteral("0 ms");
    if (size < 0.0009995) return threeDigits(milliseconds * 1e6) + QStringLiteral(" ns");
    if (size < 0.9995) return threeDigits(milliseconds * 1e3) + QStringLiteral(" µs");
    if (size < 999.5) return threeDigits(milliseconds) + QStringLiteral(" ms");
    return threeDigits(milliseconds / 1e3) + QStringLiteral(" s");
}

QString formatBytes(quint64 bytes) {
    static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    while (value >= 1023.95 && unit < 5) {
        value /= 1024;
        ++unit;
    }
    return threeDigits(value) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString formatCount(qint64 count) {
    QString digits = QString::number(count);
    const int first = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3)
        digits.insert(at, QChar(0x2009));
    return digits;
}

QString formatShape(const std::vector<qint64>& shape) {
    QStringList parts;
    for (const qint64 length : shape)
        parts << formatCount(length);
    return parts.isEmpty() ? QStringLiteral("scalar") : parts.join(QStringLiteral(" × "));
}

} // namespace warplight::ui
