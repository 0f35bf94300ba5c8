// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/panel_table.hpp"

#include "ui/buffers/buffers_panel.hpp"
#include "ui/debug/debug_panel.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/profile/profile_panel.hpp"
#include "ui/timing/timing_panel.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

namespace warplight::ui {
namespace {

template <class P>
Panel* make(Workbench& workbench) {
    return new P(workbench);
}

constexpr PanelRow rows[] = {
    {"explorer", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Explorer"), "explorer", Qt::LeftDockWidgetArea,
     PanelMenu::None, make<ExplorerPanel>},
    {"launch", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Launch"), "launch", Qt::RightDockWidgetArea,
     PanelMenu::Run, make<LaunchPanel>},
    {"problems", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Problems"), "problems", Qt::BottomDockWidgetArea,
     PanelMenu::Build, make<ProblemsPanel>},
    {"output", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Output"), "output", Qt::BottomDockWidgetArea,
     PanelMenu::None, make<OutputPanel>},
    {"buffers", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Buffers"), "buffers", Qt::BottomDockWidgetArea,
     PanelMenu::None, make<BuffersPanel>},
    {"timing", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Timing"), "timing", Qt::BottomDockWidgetArea,
     PanelMenu::None, make<TimingPanel>},
    {"profile", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Profile"), "profile", Qt::BottomDockWidgetArea,
     PanelMenu::None, make<ProfilePanel>},
    {"function", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Function"), "function", Qt::BottomDockWidgetArea,
     PanelMenu::None, make<FunctionPanel>},
    {"debug", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Debug"), "debug", Qt::BottomDockWidgetArea,
     PanelMenu::Debug, make<DebugPanel>},
    {"notes", QT_TRANSLATE_NOOP("warplight::ui::MainWindow", "Notes"), "note", Qt::LeftDockWidgetArea, PanelMenu::None,
     make<NotesPanel>},
};

constexpr bool isFilled(const char* text) { return text && *text; }

static_assert(std::all_of(std::begin(rows), std::end(rows),
                          [](const PanelRow& row) {
                              return isFilled(row.name) && isFilled(row.title) && isFilled(row.icon) && row.make;
                          }),
              "a panel has a name, a title, an icon and a class");
static_assert(std::all_of(std::begin(rows), std::end(rows),
                          [](const PanelRow& row) {
                              return std::count_if(std::begin(rows), std::end(rows), [&row](const PanelRow& other) {
                                         return std::string_view(other.name) == row.name;
                                     }) == 1;
                          }),
              "two panels have the same name");
static_assert(std::size(rows) <= 10, "Alt+1 to Alt+9 show panels, and Alt+0 the tenth");

constexpr auto panelsIn(Qt::DockWidgetArea area) {
    return std::count_if(std::begin(rows), std::end(rows), [area](const PanelRow& row) { return row.area == area; });
}
static_assert(panelsIn(Qt::LeftDockWidgetArea) >= 1 && panelsIn(Qt::RightDockWidgetArea) == 1 &&
                  panelsIn(Qt::BottomDockWidgetArea) == std::ssize(rows) - 1 - panelsIn(Qt::LeftDockWidgetArea),
              "a new window has panels on each side, which MainWindow::fitSides sizes, and the others below");

/// FNV-1a. Names are added up, so that their order makes no difference.
constexpr int hashOfNames() {
    std::uint32_t sum = 0;
    for (const PanelRow& row : rows) {
        std::uint32_t hash = 2166136261;
        for (const char letter : std::string_view(row.name))
            hash = (hash ^ std::uint32_t(letter)) * 16777619;
        sum += hash;
    }
    return int(sum & std::uint32_t(std::numeric_limits<int>::max()));
}

} // namespace

std::span<const PanelRow> panelTable() { return rows; }

int layoutVersion() { return hashOfNames(); }

} // namespace warplight::ui
