// SPDX-License-Identifier: GPL-3.0-or-later
/// Clusters, preferences of the caches and the stream's priority: what few launches set.
#pragma once

#include "session/launch_options.hpp"
#include "ui/common/form_dialog.hpp"

#include <optional>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace warplight::ui {

/// One line for the launch panel: "Clusters of 2 × 1 × 1, priority -1".
QString launchOptionsText(const session::LaunchOptions& options, bool coldL2 = false);

class LaunchOptionsDialog : public FormDialog {
    Q_OBJECT
public:
    /// @param coldL2 of a session; of a step, which cannot choose that, nothing
    explicit LaunchOptionsDialog(const session::LaunchOptions& options, QWidget* parent = nullptr,
                                 std::optional<bool> coldL2 = {});

    session::LaunchOptions options() const;
    bool coldL2() const;

private:
    /// What the field means; nothing where it cannot be read.
    std::optional<std::vector<std::uint32_t>> cluster() const;
    void check();

    QLineEdit* cluster_;
    QSpinBox *carveout_, *priority_;
    QComboBox* cache_;
    QCheckBox* coldL2_;
    QLabel* problem_;
    QDialogButtonBox* buttons_;
};

} // namespace warplight::ui
