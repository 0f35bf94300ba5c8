// SPDX-License-Identifier: GPL-3.0-or-later
/// The panels of the window, a row each. Docks, menus, keys, the order of F6, the layout that Reset Layout makes and
/// the tests follow the table.
#pragma once

#include <qnamespace.h>

#include <span>

namespace warplight::ui {

class Panel;
class Workbench;

/// The menu that has a panel's own actions (Panel::panelActions).
enum class PanelMenu { None, Build, Run, Debug };

struct PanelRow {
    const char* name;        ///< of the dock, of the action that shows it ("window.NAME"), and in saved layouts
    const char* title;       ///< on the dock and in menus; docs/user-guide.md names it
    const char* icon;        ///< of resources/icons
    Qt::DockWidgetArea area; ///< of a new window; panels of one area are tabs there
    PanelMenu menu;
    Panel* (*make)(Workbench&);
};

/// In the order of menus and keys: the first is shown by Alt+1.
std::span<const PanelRow> panelTable();

/// A number that is different for a different set of panels. Layouts saved with another number are not restored.
int layoutVersion();

} // namespace warplight::ui
