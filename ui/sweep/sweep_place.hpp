// SPDX-License-Identifier: GPL-3.0-or-later
/// Where sweeps run: this machine or Slurm, the settings of the latter, and the sweeps there that can be gone on with.
#pragma once

#include "ui/sweep/slurm_settings.hpp"

#include <QWidget>
#include <filesystem>

class QComboBox;
class QMenu;
class QToolButton;

namespace warplight::ui {

class Document;
class Theme;

class SweepPlace : public QWidget {
    Q_OBJECT
public:
    SweepPlace(Document& document, Theme& theme, QWidget* parent = nullptr);

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

    Document& document_;
    Theme& theme_;
    SlurmSettings settings_;
    QComboBox* box_;
    QToolButton *edit_, *resume_;
    QMenu* campaigns_;
    bool running_ = false;
};

} // namespace warplight::ui
