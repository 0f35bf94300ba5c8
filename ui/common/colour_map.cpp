// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/colour_map.hpp"

#include "page/colours.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplight::ui {

QStringList ColourMap::names() {
    return {QCoreApplication::translate("ColourMap", "Grey"), QCoreApplication::translate("ColourMap", "Viridis"),
            QCoreApplication::translate("ColourMap", "Heat"), QCoreApplication::translate("ColourMap", "Diverging"),
            QCoreApplication::translate("ColourMap", "Cividis")};
}

ColourMap::ColourMap(Name name) {
    std::vector<QColor> stops;
    switch (name) {
    case Grey: stops = {QColor(0, 0, 0), QColor(255, 255, 255)}; break;
    case Viridis:
        for (const page::Colour& colour : page::viridis_stops()) // as reports have it
            stops.emplace_back(colour.red, colour.green, colour.blue);
        break;
    case Heat:
        stops = {QColor(8, 4, 20),    QColor(75, 12, 107), QColor(150, 38, 103),
                 QColor(220, 75, 62), QColor(251, 155, 6), QColor(252, 255, 164)};
        break;
    case Diverging:
        stops = {QColor(33, 84, 166), QColor(120, 170, 215), QColor(242, 242, 242), QColor(234, 150, 120),
                 QColor(165, 24, 42)};
        break;
    case Cividis: // as viridis, from data that are in the public domain (CC0)
        stops = {QColor(0, 32, 77),     QColor(0, 51, 111),    QColor(57, 72, 107),   QColor(87, 92, 109),
                 QColor(112, 113, 115), QColor(138, 135, 121), QColor(166, 157, 117), QColor(196, 181, 108),
                 QColor(228, 207, 91),  QColor(255, 234, 70)};
        break;
    }
    for (int i = 0; i < 256; ++i) {
        const double place = i / 255.0 * double(stops.size() - 1);
        const size_t first = std::min(size_t(place), stops.size() - 2);
        const double t = place - double(first);
        const QColor a = stops[first], b = stops[first + 1];
        const auto mix = [t](int from, int to) { return int(std::lround(from + (to - from) * t)); };
        table_[size_t(i)] = qRgb(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
    }
}

QRgb ColourMap::at(double t) const { return table_[size_t(std::lround(std::clamp(t, 0.0, 1.0) * 255))]; }

} // namespace warplight::ui
