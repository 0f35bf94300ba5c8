// SPDX-License-Identifier: GPL-3.0-or-later
/// The question of ssh that it has for the user: a password, a code, whether a host's key is the right one. ssh starts
/// this program for it (SSH_ASKPASS), with the question as its argument, and reads the answer from its standard output.
#pragma once

#include <QDialog>
#include <QString>

class QLineEdit;
class QPushButton;

namespace warplight::ui {

class Theme;

class AskpassDialog : public QDialog {
    Q_OBJECT
public:
    enum class Kind {
        Secret,  ///< something that is not shown while it is typed
        HostKey, ///< whether this is the host: only a press of a button says yes
        Confirm, ///< whether a key of the agent may be used
        Note,    ///< something to do, such as touching a security key; nothing is answered
    };
    /// What ssh asks for. @param hint the variable SSH_ASKPASS_PROMPT
    static Kind kindOf(const QString& prompt, const QString& hint);

    AskpassDialog(const QString& prompt, const QString& hint, Theme& theme);

    Kind kind() const { return kind_; }
    /// For ssh, once the dialog was accepted; empty where nothing is answered.
    QString answer() const;

private:
    Kind kind_;
    QLineEdit* secret_ = nullptr;
};

/// Shows the dialog and writes the answer to the standard output. Returns the exit code: 1 for Cancel.
int runAskpass(const QString& prompt);

/// True where ssh has started this program to ask: with the question as the only argument.
bool isAskpass(int argumentCount);
/// Lets the ssh of workers that are started from now on ask by this program.
void offerAskpass();

} // namespace warplight::ui
