// SPDX-License-Identifier: GPL-3.0-or-later
/// The rows of an argument's dialog that are about its result: the file that it is saved as, and what is expected. Only
/// those that matter are shown.
#pragma once

#include "session/session.hpp"

#include <QObject>
#include <QString>
#include <functional>
#include <string>

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QWidget;

namespace warplight::ui {

class Document;
class MemberBox;
class Workbench;

class ResultRows : public QObject {
    Q_OBJECT
public:
    using ProblemOf = std::function<QString(const std::string& formula)>;

    /// Adds its rows to the form, which owns their widgets.
    ResultRows(const session::Argument& argument, QFormLayout* form, Workbench& workbench, ProblemOf problemOf,
               QWidget* dialog);

    void setOutput(bool output);
    /// A formula is expected.
    [[nodiscard]] bool isFormula() const;
    /// What is wrong with the expected formula, or with the file whose arrays are listed. Marks the field.
    [[nodiscard]] QString problem();
    /// Sets the argument's file, rate and expectation. False, with a sentence, where a row cannot be read.
    bool take(session::Argument& argument, QString* problem) const;

signals:
    /// A text has changed, or other rows are shown.
    void changed();

private:
    void chooseExpected(QWidget* dialog);
    void fill(const session::Expectation& expect);
    void showRows();
    [[nodiscard]] bool expectsSession() const;
    [[nodiscard]] QString problemOfFormula() const;
    bool takeRate(session::Argument& argument, QString* problem) const;
    bool takeExpectation(session::Argument& argument, QString* problem) const;

    const Document& document_;
    const std::string name_; ///< of the argument
    const std::optional<session::Expectation> before_;
    ProblemOf problemOf_;
    QFormLayout* form_;
    bool output_ = false;
    QLineEdit *save_, *rate_, *expect_, *expectArgument_, *rtol_, *atol_;
    QWidget* expectRow_ = nullptr;
    MemberBox* member_;
    QCheckBox* raw_; ///< of a file whose name says otherwise
};

} // namespace warplight::ui
