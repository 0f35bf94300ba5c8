// SPDX-License-Identifier: GPL-3.0-or-later
/// The numbers of a launch: grid, block, shared memory, repeats. A field changes its own number and no other.
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

class ChecksBox;
class NumberBox;
class Theme;

class LaunchForm : public QWidget {
    Q_OBJECT
public:
    LaunchForm(Document& document, Theme& theme, QWidget* parent = nullptr);

    void setLimits(const LaunchLimits& limits);
    const LaunchLimits& limits() const { return limits_; }
    /// The first problem of a field, which makes the launch impossible; empty when there is none.
    QString problem() const;
    /// The layout, for further rows below.
    QFormLayout* layout() const { return form_; }
    /// Remembers the current numbers as fitting together, as they do after a run or in a session just opened.
    void settleBlock();
    const session::LaunchConfiguration& settled() const { return settled_; }
    NumberBox* box(LaunchField field) const { return boxes_[std::size_t(field)]; }
    QList<QWidget*> tabOrder() const;

signals:
    void coverRequested();
    void compareRequested(); ///< of block sizes
    /// The problems of the fields changed.
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
    void editOptions();
    void restyle();
    quint64 written(LaunchField field) const;

    Document& document_;
    Theme& theme_;
    LaunchLimits limits_;
    QFormLayout* form_;
    std::array<NumberBox*, 9> boxes_{};
    QCheckBox* cooperative_ = nullptr;
    ChecksBox* checks_ = nullptr;
    QToolButton *cover_ = nullptr, *compare_ = nullptr, *options_ = nullptr;
    QLabel* optionsText_ = nullptr;
    QLabel *extentsHint_ = nullptr, *sharedHint_ = nullptr, *repeatHint_ = nullptr, *threads_ = nullptr;
    std::array<quint64, 9> shown_{};                    ///< the session's numbers when last shown
    std::array<quint64, 9> entered_{};                  ///< the session's numbers before typing began
    std::vector<std::pair<QWidget*, QLayout*>> labels_; ///< each label with the fields beside it
    bool changing_ = false;
    QString problem_;
    session::LaunchConfiguration settled_; ///< the last launch whose numbers fitted together
};

} // namespace warplight::ui
