// SPDX-License-Identifier: GPL-3.0-or-later
/// Fields for compile options: of a session in a dialog of its own, of new sessions in Settings.
#pragma once

#include "ui/common/form_dialog.hpp"
#include "ui/settings/compile_options.hpp"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace warplight::ui {

class NumberBox;
class OptionForm;

class CompileOptionsEditor : public QWidget {
    Q_OBJECT
public:
    explicit CompileOptionsEditor(const session::CompileOptions& options, QWidget* parent = nullptr);
    session::CompileOptions options() const;
    /// Why the options cannot be used, as also shown below the fields.
    QString problem() const;
    OptionForm* form() const { return form_; }

signals:
    void changed();

private:
    void check();
    QString registersProblem() const;

    session::CompileOptions original_;
    OptionForm* form_;
    QComboBox *compiler_, *standard_;
    QLineEdit *defines_, *others_;
    NumberBox* registers_;
    QCheckBox *fastMath_, *lineInfo_;
    QLabel* problem_;
};

class CompileOptionsDialog : public FormDialog {
    Q_OBJECT
public:
    explicit CompileOptionsDialog(const session::CompileOptions& options, QWidget* parent = nullptr);
    session::CompileOptions options() const { return editor_->options(); }

private:
    CompileOptionsEditor* editor_;
};

} // namespace warplight::ui
