// SPDX-License-Identifier: GPL-3.0-or-later
/// One step of a pipeline, with the fields of its kind.
#pragma once

#include "session/session.hpp"
#include "ui/common/form_dialog.hpp"
#include "warplight/compiler.hpp"

#include <QStringList>
#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace warplight::ui {

class StepDialog : public FormDialog {
    Q_OBJECT
public:
    StepDialog(const session::PipelineStep& step, const session::Session& session,
               const std::vector<compiler::Kernel>& kernels, QWidget* parent = nullptr);

    session::PipelineStep step() const { return step_; }
    QString problem() const { return said_; }

private:
    void build(const session::LaunchStep& launch);
    void build(const session::CopyStep& copy);
    void build(const session::FillStep& fill);
    void build(const session::SwapStep& swap);
    void build(const session::LoopStep& loop);
    /// A row for each parameter of the kernel that is named.
    void listParameters();
    /// What the box of a parameter shows at first.
    QString textFor(const compiler::Kernel* known, std::size_t place, int arraysBefore) const;
    /// What was typed for the parameter of that name, else what the step was given for it.
    QString givenText(const QString& name) const;
    QComboBox* addArrays(const QString& label, const std::string& chosen);
    QLineEdit* addField(const QString& label, const QString& text, const QString& help);
    /// Null where the source has none of that name.
    const compiler::Kernel* kernelOf(const std::string& name) const;
    const compiler::Kernel* kernel() const; ///< the one that is named now
    /// Reads the fields into step_. @returns what is wrong, as a sentence
    QString read();
    QString readLaunch(session::LaunchStep& launch);
    QString readArgument(std::size_t place, session::StepArgument& argument) const;
    void check();

    session::PipelineStep step_;
    session::LaunchStep given_;                   ///< as it was when the dialog opened
    std::map<QString, QString> typed_;            ///< by the name of the parameter
    const std::vector<compiler::Kernel> kernels_; ///< a copy: a reply may replace those of the document meanwhile
    QStringList arrays_, scalars_;
    QFormLayout *rows_, *parameterRows_ = nullptr;
    QComboBox *kernelBox_ = nullptr, *first_ = nullptr, *second_ = nullptr, *kind_ = nullptr;
    std::vector<QComboBox*> parameters_;
    QLineEdit *grid_ = nullptr, *block_ = nullptr, *value_ = nullptr, *until_ = nullptr;
    QLineEdit *start_ = nullptr, *toStart_ = nullptr, *count_ = nullptr;
    QLineEdit *times_ = nullptr, *every_ = nullptr, *atMost_ = nullptr, *shared_ = nullptr;
    QCheckBox* cooperative_ = nullptr;
    QLabel* note_;
    QDialogButtonBox* buttons_;
    QString said_;
};

/// "4, 2" or formulas "ceil(n/bx), 2", which have commas in parentheses; x, y, z.
QStringList splitExtents(const QString& text);

} // namespace warplight::ui
