// SPDX-License-Identifier: GPL-3.0-or-later
/// Where sweeps run: the machine of the device box or Slurm, the settings of the latter, and the sweeps there that can
/// be gone on with.
#pragma once

#include "ui/sweep/slurm_settings.hpp"

#include <QWidget>
#include <filesystem>

class QComboBox;
class QMenu;
class QToolButton;

namespace warplight::ui {

class Workbench;

class SweepPlace : public QWidget {
    Q_OBJECT
public:
    explicit SweepPlace(Workbench& workbench, QWidget* parent = nullptr);

    bool isSlurm() const { return settings_.chosen; }
    const SlurmSettings& settings() const { return settings_; }
    /// They are kept for this user.
    void setSettings(const SlurmSettings& settings);
    /// Why nothing can be started there; empty where it can.
    QString problem() const;
    /// Of a new campaign of the document: a number may come behind it.
    std::filesystem::path newFolder() const;
    /// While a sweep runs nothing is chosen.
    void setRunning(bool running);

    QComboBox* box() const { return box_; }
    QToolButton* settingsButton() const { return edit_; }
    QToolButton* resumeButton() const { return resume_; }
    QMenu* campaigns() const { return campaigns_; }

signals:
    void changed();
    void resumeRequested(const std::filesystem::path& folder);

protected:
    /// Another tab may have changed what is kept.
    void showEvent(QShowEvent* event) override;

private:
    void edit();
    void list();
    void showChoice();
    /// The first choice is called what it is: this machine, or the one of the device box.
    void nameMachine();

    Workbench& workbench_;
    SlurmSettings settings_;
    QComboBox* box_;
    QToolButton *edit_, *resume_;
    QMenu* campaigns_;
    bool running_ = false;
};

} // namespace warplight::ui
