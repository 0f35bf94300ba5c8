// SPDX-License-Identifier: GPL-3.0-or-later
/// Version, licences, and the walls around the worker in which sessions and kernels run.
#pragma once

#include "worker/confinement.hpp"

#include <QDialog>
#include <vector>

class QGridLayout;

namespace warplight::ui {

class Theme;

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    /// @param walls empty while the worker has not told of them
    AboutDialog(const Theme& theme, const std::vector<worker::Wall>& walls, QWidget* parent = nullptr);

private:
    void addWall(QGridLayout& rows, const Theme& theme, const worker::Wall& wall);
};

} // namespace warplight::ui
