// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/style_sheet.hpp"

#include "ui/common/theme.hpp"

#include <QFontMetrics>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace warplight::ui {
namespace {
double scaleOfText = 1;
}

double textScale() { return scaleOfText; }
void setTextScale(double scale) { scaleOfText = scale; }
int scaledPixels(int pixels) { return std::max(1, int(std::lround(pixels * scaleOfText))); }

QString styleSheet(const Colours& c, const QFont& font) {
    // A header that may have an arrow takes its width from every text: only those that sort have the rules for it.
    QString sheet = QStringLiteral(R"(
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolBar { background: @window; border: 0; border-bottom: 1px solid @border; padding: 4px 8px; spacing: 4px; }
QToolBar::separator { background: @border; width: 1px; margin: 4px 8px; }
QToolBar QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 4px 8px; }
QToolBar QToolButton:hover { background: @base; border-color: @border; }
QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: @accentSoft; border-color: @accent; }
QToolBar QToolButton:focus { border-color: @accent; }
QStatusBar { background: @window; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QMenuBar { background: @window; border: 0; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @accentSoft; color: @text; }
QMenu { background: @base; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 8px; border-radius: 4px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QDockWidget { titlebar-close-icon: none; font-size: @fontSizept; }
QDockWidget::title { background: @window; padding: 6px 8px; border-bottom: 1px solid @border; text-align: left; }
QTabWidget::pane { border: 0; border-top: 1px solid @border; }
QTabBar { qproperty-drawBase: 0; background: transparent; }
QMainWindow > QTabBar { qproperty-elideMode: ElideNone; }
QTabBar::tab { background: transparent; color: @muted; padding: 6px 12px; border: 0; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; background: @alternate; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; background: @base; }
QTabBar::tab:focus { color: @accent; }
QHeaderView { background: @window; border: 0; }
QHeaderView::section { background: @window; color: @muted; padding: 4px 8px; border: 0;
    border-right: 1px solid @border; border-bottom: 1px solid @border; }
QHeaderView::section:last { border-right: 0; }
QHeaderView::section:vertical { padding: 0 8px; }
QHeaderView[showSortIndicator="true"]::up-arrow, QHeaderView[showSortIndicator="true"]::down-arrow {
    subcontrol-origin: margin; subcontrol-position: top center;
    width: @px10; height: @px10; }
QHeaderView[showSortIndicator="true"]::up-arrow:vertical,
QHeaderView[showSortIndicator="true"]::down-arrow:vertical { width: 0; height: 0; }
QHeaderView[showSortIndicator="true"]::up-arrow { image: url(:/icons/@shade/chevron-up.svg); }
QHeaderView[showSortIndicator="true"]::down-arrow { image: url(:/icons/@shade/chevron-down.svg); }
QTableCornerButton::section { background: @window; border: 0; }
QTreeView, QTableView, QListView { border: 0; outline: 0; }
QTreeView::item, QListView::item { padding: 2px 0; }
QScrollArea { border: 0; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { padding: 3px 6px; border: 1px solid @border; border-radius: 4px;
    background: @base; color: @text; selection-background-color: @accent; selection-color: @accentText; }
QDialog QPlainTextEdit { padding: 2px; border: 1px solid @border; border-radius: 4px; background: @base; color: @text; }
QDialog QPlainTextEdit:focus { border-color: @accent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @disabled; background: @window; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"] { border-color: @error; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: @px16;
    border: 0; border-left: 1px solid @border; border-top-right-radius: 4px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: @px16;
    border: 0; border-left: 1px solid @border; border-bottom-right-radius: 4px; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover, QDoubleSpinBox::up-button:hover,
QDoubleSpinBox::down-button:hover { background: @accentSoft; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/@shade/chevron-up.svg); width: @px10; height: @px10; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/@shade/chevron-down.svg); width: @px10; height: @px10; }
QComboBox::drop-down { border: 0; width: @px20; }
QComboBox::down-arrow { image: url(:/icons/@shade/chevron-down.svg); width: @px12; height: @px12; }
QComboBox QAbstractItemView { background: @base; border: 1px solid @border; selection-background-color: @accentSoft;
    selection-color: @text; }
QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: @px14; height: @px14; border: 1px solid @muted; border-radius: 3px; background: @base; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/@shade/check.svg); }
QCheckBox::indicator:disabled { border-color: @border; background: @window; }
QPushButton { padding: 5px 14px; border: 1px solid @border; border-radius: 4px; background: @base; color: @text; }
QPushButton:hover { border-color: @accent; }
QPushButton:pressed { background: @accentSoft; }
QPushButton:default { background: @accent; border-color: @accent; color: @accentText; }
QPushButton:default:hover { border-color: @text; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @disabled; background: @window; border-color: @border; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px; }
QToolButton[framed="true"] { padding: 3px 8px; border-color: @border; background: @base; }
QToolButton[framed="true"]:disabled { color: @disabled; background: @window; }
QToolButton:hover { background: @accentSoft; }
QToolButton[framed="true"]:hover { border-color: @accent; }
QToolButton:checked { background: @accentSoft; border-color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; }
QGroupBox { border: 0; margin-top: @lineHeightpx; padding-top: 8px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; left: 0; padding: 0; }
QToolTip { background: @base; color: @text; border: 1px solid @border; padding: 4px 8px; }
QProgressBar { border: 0; border-radius: 3px; background: @border; color: @text; text-align: center; max-height: @px6; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: @px12; margin: 0; }
QScrollBar:horizontal { background: transparent; height: @px12; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
)");
    const bool dark = c.window.lightness() < 128;
    const std::pair<const char*, QString> names[] = {
        {"@windowText", c.text.name()},
        {"@window", c.window.name()},
        {"@base", c.base.name()},
        {"@alternate", c.alternate.name()},
        {"@border", c.border.name()},
        {"@text", c.text.name()},
        {"@muted", c.mutedText.name()},
        {"@disabled", c.disabledText.name()},
        {"@accentText", c.accentText.name()},
        {"@accentSoft", c.accentSoft.name()},
        {"@accent", c.accent.name()},
        {"@error", c.error.name()},
        {"@scroll", (dark ? c.border.lighter(130) : c.border.darker(112)).name()},
        {"@shade", dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {"@fontSize", QString::number(font.pointSizeF())},
        {"@lineHeight", QString::number(QFontMetrics(font).height())},
    };
    for (const auto& [name, value] : names)
        sheet.replace(QLatin1String(name), value);
    static const QRegularExpression length(QStringLiteral("@px(\\d+)"));
    for (QRegularExpressionMatch match = length.match(sheet); match.hasMatch(); match = length.match(sheet))
        sheet.replace(match.capturedStart(), match.capturedLength(),
                      QStringLiteral("%1px").arg(scaledPixels(match.captured(1).toInt())));
    return sheet;
}

} // namespace warplight::ui
