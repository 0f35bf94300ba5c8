// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/panel.hpp"
#include "ui/output/output_log.hpp"

#include <QSet>
#include <QTextCharFormat>
#include <QTimer>

class QAction;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace warplight::ui {

/// Output of kernels and messages of the compiler and the worker, line by line.
class OutputPanel : public Panel {
    Q_OBJECT
public:
    explicit OutputPanel(Workbench& workbench, QWidget* parent = nullptr);

    OutputLog& log() { return log_; }
    QPlainTextEdit* view() const { return view_; }
    QLineEdit* filterEdit() const { return filter_; }
    void clear();
    void save();
    /// Writes the shown lines. False and `problem` set when that failed.
    bool saveTo(const QString& path, QString* problem);

private:
    void attach(WorkerConnection* worker);
    void onCompiled();
    void showLine(const OutputLine& line);
    void rebuild();
    bool accepts(const OutputLine& line) const;
    void flush();
    QString shownText(const OutputLine& line) const;
    QTextCharFormat format(OutputLine::Kind kind) const;

    OutputLog log_;
    QPlainTextEdit* view_;
    QLineEdit* filter_;
    QComboBox* kinds_;
    QToolButton *times_, *follow_;
    QAction *clear_, *save_;
    QList<OutputLine> pending_;
    QTimer flush_;
    QSet<WorkerConnection*> attached_;
};

} // namespace warplight::ui
