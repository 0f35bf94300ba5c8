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
    QLineEdit* inputEdit() const { return input_; }
    /// Shows the line in which input for a program is typed. What was typed and not sent is gone with it.
    void setTakesInput(bool takes);
    /// Of a program that runs. An unfinished line is shown while the program waits for input.
    void appendOfProgram(bool isError, const QString& text);
    void clear();
    void save();
    /// Writes the shown lines. False and `problem` set when that failed.
    bool saveTo(const QString& path, QString* problem);

signals:
    void inputEntered(const QString& line); ///< with its end
    void inputEnded();

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
    QLineEdit *filter_, *input_;
    QWidget* inputRow_;
    QComboBox* kinds_;
    QToolButton *times_, *follow_;
    QAction *clear_, *save_;
    QList<OutputLine> pending_;
    QTimer flush_, question_;
};

} // namespace warplight::ui
