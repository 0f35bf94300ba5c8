// SPDX-License-Identifier: GPL-3.0-or-later
/// The numbers of a launch: grid, block, shared memory, how often. Each field writes itself and nothing else.
#pragma once

#include "ui/common/document.hpp"
#include "ui/launch/launch_shape.hpp"

#include <QWidget>
#include <array>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLayout;
class QToolButton;

namespace warplight::ui {

class NumberBox;
class Theme;

class LaunchForm : public QWidget {
    Q_OBJECT
public:
    LaunchForm(Document& document, Theme& theme, QWidget* parent = nullptr);

    void setLimits(const LaunchLimits& limits);
    const LaunchLimits& limits() const { return limits_; }
    /// Why the launch cannot work, the first of the fields' problems; empty when it can.
    QString problem() const;
    /// For rows below these.
    QFormLayout* layout() const { return form_; }
    /// What depends on the block was last known to fit it: after a run, or when a session is opened.
    void settleBlock();
    const session::LaunchConfiguration& settled() const { return settled_; }
    NumberBox* box(LaunchField field) const { return boxes_[std::size_t(field)]; }
    QList<QWidget*> tabOrder() const;

signals:
    void coverRequested();
    /// The problems are others than before.
    void checked();

protected:
    bool event(QEvent* event) override;

private:
    NumberBox* addBox(LaunchField field, const QString& name, const QString& help);
    /// A row with a hint below its fields, hidden while there is none.
    QLabel* addRow(QWidget* label, QLayout* fields);
    void showSession();
    void change(LaunchField field, quint64 value);
    void check();
    void adaptShared();
    void restyle();
    quint64 written(LaunchField field) const;

    Document& document_;
    Theme& theme_;
    LaunchLimits limits_;
    QFormLayout* form_;
    std::array<NumberBox*, 9> boxes_{};
    QCheckBox* cooperative_ = nullptr;
    QToolButton* cover_ = nullptr;
    QLabel *extentsHint_ = nullptr, *sharedHint_ = nullptr, *repeatHint_ = nullptr, *threads_ = nullptr;
    std::array<quint64, 9> shown_{};                    ///< what the session had when it was last shown
    std::array<quint64, 9> entered_{};                  ///< what it had before the field was typed into
    std::vector<std::pair<QWidget*, QLayout*>> labels_; ///< beside which fields
    bool changing_ = false;
    QString problem_;
    session::LaunchConfiguration settled_; ///< with which everything fitted
};

} // namespace warplight::ui
