// SPDX-License-Identifier: GPL-3.0-or-later
/// How sweeps run on Slurm: what sbatch is told, and where campaigns lie.
#pragma once

#include "ui/common/form_dialog.hpp"
#include "ui/sweep/slurm_settings.hpp"

class QCheckBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace warplight::ui {

class Theme;

class SlurmDialog : public FormDialog {
    Q_OBJECT
public:
    SlurmDialog(const SlurmSettings& settings, Theme& theme, QWidget* parent = nullptr);

    SlurmSettings settings() const;
    QString problem() const;

private:
    QLineEdit* addText(const char* name, const QString& text, const QString& example, const QString& help);
    void check();

    SlurmSettings given_;
    Theme& theme_;
    QLineEdit *partition_, *gres_, *time_, *more_, *image_, *cluster_, *program_, *folder_;
    QSpinBox* tasks_;
    QDoubleSpinBox* poll_;
    QCheckBox* keep_;
    QLabel* problem_;
    QDialogButtonBox* buttons_;
};

} // namespace warplight::ui
