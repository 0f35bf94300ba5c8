// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/roofline.hpp"

#include <QWidget>
#include <optional>

class QCustomPlot;
class QLabel;

namespace warplight::ui {

class Theme;

/// The two roofs of a GPU and the place of a kernel under them, with a sentence about it.
class RooflinePlot : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePlot(Theme& theme, QWidget* parent = nullptr);

    /// @param achieved gigaflops that were measured on this GPU; 0: it ran elsewhere
    void setKernel(const profile::Figures& total, const profile::Gpu& gpu, double achieved);
    QString text() const;

private:
    void restyle();
    void draw();

    Theme& theme_;
    QCustomPlot* plot_;
    QLabel* text_;
    std::optional<profile::Roofline> roofline_;
    const profile::Gpu* gpu_ = nullptr;
    double achieved_ = 0;
};

} // namespace warplight::ui
