// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace warplight::ui {

class Theme;

/// Asks for a name and a formula, in a row above a page. Says below them what may be named, or what is wrong.
class FormulaBar : public QWidget {
    Q_OBJECT
public:
    FormulaBar(Theme& theme, QWidget* parent = nullptr);

    /// Shows it. `done` is the text of its button.
    void ask(const QString& name, const QString& formula, const QString& done, const QStringList& names);
    void setProblem(const QString& problem);
    QString problem() const; ///< empty when there is none
    QLineEdit* nameEdit() const { return name_; }
    QLineEdit* formulaEdit() const { return formula_; }
    /// As the button does.
    void accept();

signals:
    void accepted(const QString& name, const QString& formula);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showNote();

    Theme& theme_;
    QLineEdit *name_, *formula_;
    QPushButton* done_;
    QLabel* note_;
    QString problem_;
    QStringList names_;
};

} // namespace warplight::ui
