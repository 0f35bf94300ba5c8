// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace warplight::ui {

class Theme;

/// A step of a pipeline that can be varied.
struct SweepStep {
    QString name;  ///< as sessions have it: "2.1", or a kernel
    QString title; ///< "2.1 flow"
    bool isLoop = false;
    bool operator==(const SweepStep&) const = default;
};

/// A row of a sweep: a name and its values, or its formulas.
class SweepRow : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Axis, Setting };
    SweepRow(Kind kind, Theme& theme, QWidget* parent = nullptr);

    /// "define:TILE", as sessions have it. Without its last part where none is chosen yet: "define:".
    std::string name() const;
    QString text() const;
    void set(const std::string& name, const QString& text);
    /// The arguments that may be chosen.
    void setArguments(const QStringList& scalars, const QStringList& arrays);
    /// Those of the pipeline; without them the session has its own launch.
    void setSteps(bool isPipeline, const QList<SweepStep>& steps);
    /// Why the row is wrong; empty when it is not.
    void setProblem(const QString& problem);
    QString problem() const;
    QComboBox* kindBox() const { return kind_; }
    QComboBox* stepBox() const { return step_; }
    QComboBox* subjectBox() const { return subject_; }
    QLineEdit* edit() const { return text_; }

signals:
    void edited();
    void removeRequested();

private:
    /// @param keep the name that is there, even if it is no argument
    void fitSubject(bool keep);
    void fitKinds();
    /// @param keep the step that is there, even if the pipeline has it no more
    void fitSteps(bool keep);
    void restyle();
    QString prefix() const;

    Theme& theme_;
    QComboBox *step_, *kind_, *subject_;
    QLineEdit* text_;
    QToolButton* remove_;
    QLabel* problem_;
    QStringList scalars_, arrays_;
    QList<SweepStep> steps_;
    const bool axis_;
    bool isPipeline_ = false;
    bool setting_ = false; ///< the row is being filled in
};

} // namespace warplight::ui
