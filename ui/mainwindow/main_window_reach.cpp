// SPDX-License-Identifier: GPL-3.0-or-later
// The bar about files outside of the session's folder.
#include "session/data_file.hpp"
#include "session/named_files.hpp"
#include "ui/common/agreements.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"

#include <algorithm>

namespace warplight::ui {
namespace {

constexpr qsizetype mostShown = 4;

} // namespace

std::vector<std::filesystem::path> MainWindow::filesOutside() {
    if (document().isProgram()) return {}; // nothing confines it
    const session::Reach reach = reachOf(document().folder());
    auto files = session::named_outside(document().session(), reach);
    const auto add = [&](const std::filesystem::path& file) {
        if (!reach.contains(file) && std::ranges::find(files, file) == files.end()) files.push_back(file);
    };
    // Headers are known once the source was compiled, what headers and other sessions name once it ran.
    for (const QString& file : document().compileOutput().outside)
        add(toPath(file));
    if (document().hasReport() && document().report().error && inputOfRun() == refusedInput_)
        for (const std::string& file : document().report().error->outside)
            add(session::path_from_utf8(file));
    return files;
}

void MainWindow::checkReach() {
    const auto files = filesOutside();
    QStringList shown, folders;
    for (const auto& file : files) {
        shown << fromPath(file);
        if (!session::Reach::can_be_allowed(file)) continue;
        const QString folder = fromPath(session::Reach::folder_to_allow(file));
        if (!folders.contains(folder)) folders << folder;
    }
    if (shown == outsideShown_) return;
    outsideShown_ = shown;
    if (shown.isEmpty()) return banners_->close(QStringLiteral("reach"));

    QString text = shown.mid(0, mostShown).join(QLatin1Char('\n'));
    if (shown.size() > mostShown) text += QLatin1Char('\n') + tr("and %1 more").arg(shown.size() - mostShown);
    if (folders.isEmpty())
        text += QLatin1Char('\n') + tr("No session may use these.");
    else
        text += QLatin1Char('\n') + tr("Allow this only if you know where the session comes from.");
    QList<BannerStack::Button> buttons;
    if (!folders.isEmpty())
        buttons << BannerStack::Button{folders.size() == 1 ? tr("Allow for this folder")
                                                           : tr("Allow for these folders"),
                                       [this, folders] { allowFolders(folders); }};
    buttons << BannerStack::Button{tr("Don't allow"), {}};
    banners_->show(QStringLiteral("reach"), BannerStack::Kind::Warning,
                   tr("This session reads files outside of its folder"), text, buttons);
}

void MainWindow::allowFolders(const QStringList& folders) {
    for (const QString& folder : folders)
        agree(document().folder(), folder);
    checkReach();
    if (runBanner_ == RunBanner::InputError) {
        runBanner_ = RunBanner::Stays;
        banners_->close(QStringLiteral("run"));
    }
    runner_->build();
}

} // namespace warplight::ui
