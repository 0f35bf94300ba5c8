// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/agreements.hpp"
#include "ui/common/form_dialog.hpp"
#include "ui/settings/preferences.hpp"

class QCheckBox;
class QComboBox;
class QFontComboBox;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace warplight::ui {

class CompileOptionsEditor;

class SettingsDialog : public FormDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(const Preferences& preferences, QWidget* parent = nullptr);
    Preferences preferences() const;
    void accept() override;

signals:
    /// A setting changed. The window applies it at once and undoes it when the dialog is cancelled.
    void edited();

private:
    Preferences original_;
    bool familyChosen_ = false;
    QComboBox* theme_;
    QComboBox* language_;
    QFontComboBox* family_;
    QSpinBox *size_, *cache_;
    CompileOptionsEditor* options_;
    QCheckBox *autosave_, *restoreTabs_, *check_, *keepRuns_;
    QSpinBox *keptRuns_, *linger_;
    QListWidget* agreements_;
    QPushButton* forget_;
    QList<Agreement> kept_, forgotten_; ///< agreements, in the order of the list
};

} // namespace warplight::ui
