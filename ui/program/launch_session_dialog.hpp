// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a session of a launch of a program: `warplight-cli import` runs the program again, on the software device, in
/// a process of its own.
#pragma once

#include "ui/common/form_dialog.hpp"

#include <QElapsedTimer>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <vector>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace warplight::ui {

/// A program that was run, and launches of one kernel in it.
struct ProgramLaunches {
    QString source;  ///< the saved file that has the kernel
    QString program; ///< that was built of it
    QString folder;  ///< in which it runs
    QStringList arguments, options;
    bool readsInput = false; ///< from a file, which it does not get again
    QString kernel;
    std::vector<quint64> launches; ///< which of the kernel's launches they are, from 1; one at least
};

class LaunchSessionDialog : public FormDialog {
    Q_OBJECT
public:
    explicit LaunchSessionDialog(ProgramLaunches launches, QWidget* parent = nullptr);
    ~LaunchSessionDialog() override;

    /// The session that was made; empty: none.
    QString session() const { return session_; }
    /// What the user should know about it.
    QStringList notes() const { return notes_; }
    bool isRunning() const { return process_.state() != QProcess::NotRunning; }
    void start();
    /// Stops the program that runs, or closes the dialog.
    void done(int result) override;

private:
    void chooseFolder();
    void update();
    void showElapsed();
    void finish(int code, QProcess::ExitStatus status);
    void say(const QString& text);

    ProgramLaunches launches_;
    QSpinBox* which_;
    QLineEdit* folder_;
    QLabel *about_, *said_;
    QProgressBar* progress_;
    QPushButton *make_, *close_;
    QProcess process_;
    QElapsedTimer clock_;
    QTimer timer_;
    QString session_;
    QStringList notes_;
    bool stopped_ = false;
};

} // namespace warplight::ui
