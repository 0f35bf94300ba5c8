// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/document.hpp"

#include <QAbstractTableModel>

namespace warplight::ui {

class Theme;

/// min, mean, median, p95, max and standard deviation (of the sample) of a list, in its unit.
struct TimingStatistics {
    int count = 0;
    double min = 0, mean = 0, median = 0, p95 = 0, max = 0, deviation = 0;
};
TimingStatistics timingStatistics(std::vector<double> values);

/// The runs of the window, newest first.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        When,
        Kernel,
        Device,
        Repeats,
        Median,
        Min,
        P95,
        HostToDevice,
        DeviceToHost,
        Build,
        ColumnCount
    };

    RunsModel(const Document& document, const Theme& theme, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const RunRecord& run(int row) const;
    /// Takes the document's runs anew.
    void reload();

private:
    const Document& document_;
    const Theme& theme_;
    int count_ = 0;
};

} // namespace warplight::ui
