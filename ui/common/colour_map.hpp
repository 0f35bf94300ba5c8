// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStringList>

#include <array>

namespace warplight::ui {

/// Values to colours, in 256 steps.
class ColourMap {
public:
    /// Viridis and Cividis are for eyes that tell few colours apart, too. The middle of Diverging is neutral.
    enum Name { Grey, Viridis, Heat, Diverging, Cividis };
    static QStringList names();

    explicit ColourMap(Name name = Viridis);
    /// `t` from 0 to 1; other values take the colour of the nearer end.
    QRgb at(double t) const;

private:
    std::array<QRgb, 256> table_;
};

} // namespace warplight::ui
