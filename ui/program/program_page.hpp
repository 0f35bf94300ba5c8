// SPDX-License-Identifier: GPL-3.0-or-later
/// What the Launch panel shows of a program: arguments, working folder, standard input, compile options.
#pragma once

#include "ui/common/document.hpp"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;

namespace warplight::ui {

/// As a shell has them, with quotes where they are needed.
QString joinArguments(const std::vector<std::string>& arguments);
std::vector<std::string> splitArguments(const QString& text);

class ProgramPage : public QWidget {
    Q_OBJECT
public:
    /// @param options opens the dialog of compile options
    ProgramPage(Document& document, QAction* options, QWidget* parent = nullptr);

    QLineEdit* argumentsEdit() const { return arguments_; }
    QLineEdit* folderEdit() const { return folder_; }
    QLineEdit* inputEdit() const { return input_; }

private:
    void showSession();
    void chooseFolder();
    void chooseInput();
    void change(const QString& what, const char* key, const std::function<void(session::Program&)>& change);

    Document& document_;
    QLineEdit *arguments_, *folder_, *input_;
    QLabel* options_;
    bool changing_ = false; ///< what is typed stays as it was typed
};

} // namespace warplight::ui
