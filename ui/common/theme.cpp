// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/theme.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/system_scheme.hpp"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QPixmapCache>
#include <QProxyStyle>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

/// Loads the resources of this static library, which Qt does not by itself. The macro must stand outside a namespace.
static void initIcons() { Q_INIT_RESOURCE(icons); }

namespace warplight::ui {
namespace {

/// Fusion, with pictures and marks that grow with the text.
class ScaledStyle : public QProxyStyle {
public:
    ScaledStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        const int plain = QProxyStyle::pixelMetric(metric, option, widget);
        switch (metric) {
        case PM_SmallIconSize: // most other sizes of pictures are made from it
        case PM_ButtonIconSize:
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_TabCloseIndicatorWidth:
        case PM_TabCloseIndicatorHeight: return scaledPixels(plain);
        default: return plain;
        }
    }
};

Colours makeLight() {
    Colours c;
    c.window = "#f3f5f7";
    c.base = "#ffffff";
    c.alternate = "#f7f9fa";
    c.border = "#d3d9df";
    c.text = "#1b2430";
    c.mutedText = "#566373";
    c.disabledText = "#98a3b0";
    c.accent = "#0b7a6e";
    c.accentText = "#ffffff";
    c.accentSoft = "#d7efeb";
    c.error = "#b3261e";
    c.warning = "#8a5a00";
    c.success = "#1c7a3c";
    c.errorSoft = "#fce8e6";
    c.warningSoft = "#fdf1d7";
    c.successSoft = "#e0f3e5";
    SyntaxColours& s = c.syntax;
    s.text = "#1b2430";
    s.background = "#ffffff";
    s.currentLine = "#f1f6f6";
    s.selection = "#bfe5df";
    s.lineNumber = "#8792a0";
    s.lineNumberBackground = "#f7f9fa";
    s.comment = "#65737e";
    s.keyword = "#7a3e9d";
    s.type = "#0b6c8f";
    s.builtin = "#0b7a6e";
    s.qualifier = "#b03060";
    s.preprocessor = "#8a5a00";
    s.string = "#35722f";
    s.number = "#9a4a12";
    s.function = "#2357a8";
    s.operators = "#3c4856";
    s.matchedBrace = "#ffe2a0";
    s.linkedLine = "#d7efeb";
    return c;
}

Colours makeDark() {
    Colours c;
    c.window = "#1d232b";
    c.base = "#161b22";
    c.alternate = "#1a2028";
    c.border = "#343d49";
    c.text = "#e3e8ee";
    c.mutedText = "#9eabb9";
    c.disabledText = "#667281";
    c.accent = "#2fb8a6";
    c.accentText = "#06211d";
    c.accentSoft = "#17403b";
    c.error = "#ff8a80";
    c.warning = "#f2c063";
    c.success = "#7fd49a";
    c.errorSoft = "#432326";
    c.warningSoft = "#3d3219";
    c.successSoft = "#1c3826";
    SyntaxColours& s = c.syntax;
    s.text = "#dde3ea";
    s.background = "#161b22";
    s.currentLine = "#1c242d";
    s.selection = "#24524c";
    s.lineNumber = "#667281";
    s.lineNumberBackground = "#1a2028";
    s.comment = "#8693a1";
    s.keyword = "#c79bf0";
    s.type = "#6cc6e8";
    s.builtin = "#56d3c0";
    s.qualifier = "#f28fb1";
    s.preprocessor = "#e0b465";
    s.string = "#9ccf86";
    s.number = "#f0a878";
    s.function = "#86b7f5";
    s.operators = "#b9c4d0";
    s.matchedBrace = "#57481c";
    s.linkedLine = "#17403b";
    return c;
}

/// Distinct in hue and in lightness, so that they differ without colour vision too.
constexpr std::array<const char*, 8> lightSeries = {"#0b7a6e", "#c2571a", "#5b4bb7", "#a8286b",
                                                    "#3f7d20", "#1f6fb4", "#8c6d00", "#5f6b78"};
constexpr std::array<const char*, 8> darkSeries = {"#2fb8a6", "#f29e5c", "#a99bf5", "#f07fb2",
                                                   "#94cf6b", "#6fb5f0", "#e3c34f", "#aab6c2"};

QPalette paletteOf(const Colours& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.window);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.error);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.accentText);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::ToolTipBase, c.base);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.mutedText);
    const bool dark = c.window.lightness() < 128;
    p.setColor(QPalette::Light, dark ? c.border.lighter(115) : QColor("#ffffff"));
    p.setColor(QPalette::Midlight, dark ? c.border : c.window);
    p.setColor(QPalette::Mid, dark ? c.border.darker(115) : c.border);
    p.setColor(QPalette::Dark, dark ? c.base.darker(120) : c.border.darker(115));
    p.setColor(QPalette::Shadow, dark ? QColor("#0b0e12") : c.border.darker(150));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        p.setColor(QPalette::Disabled, role, c.disabledText);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.mutedText);
    return p;
}

QString firstGoodMonospace() {
    const QStringList families = QFontDatabase::families();
    for (const auto* name : {"JetBrains Mono", "Cascadia Mono", "Fira Code", "Source Code Pro", "DejaVu Sans Mono",
                             "Noto Sans Mono", "Consolas", "Menlo"})
        if (families.contains(QLatin1String(name))) return QLatin1String(name);
    return QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
}

} // namespace

const Colours& Theme::lightColours() {
    static const Colours colours = makeLight();
    return colours;
}

const Colours& Theme::darkColours() {
    static const Colours colours = makeDark();
    return colours;
}

Theme::Theme(QObject* parent)
    : QObject(parent), system_(new SystemScheme(QGuiApplication::palette(), this)), systemFont_(QApplication::font()) {
    initIcons();
    QApplication::setStyle(new ScaledStyle);
    connect(system_, &SystemScheme::changed, this, [this] {
        if (mode_ == Mode::System) apply();
    });
    apply();
}

std::shared_ptr<Theme> Theme::shared() {
    static std::weak_ptr<Theme> kept;
    std::shared_ptr<Theme> theme = kept.lock();
    if (!theme) kept = theme = std::make_shared<Theme>();
    return theme;
}

void Theme::setMode(Mode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    apply();
}

QColor Theme::series(int i) const {
    const auto& colours = dark_ ? darkSeries : lightSeries;
    return QColor(QLatin1String(colours[static_cast<std::size_t>(i < 0 ? 0 : i) % colours.size()]));
}

namespace {
double zoomFactor(int steps) { return std::pow(1.1, steps); }
} // namespace

QFont Theme::monospace() const {
    static const QString fallback = firstGoodMonospace();
    QFont font(fontFamily_.isEmpty() ? fallback : fontFamily_);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setPointSizeF(std::max(5.0, fontSize_ * zoomFactor(zoom_)));
    return font;
}

void Theme::setFontSize(int points) {
    points = std::clamp(points, 6, 40);
    if (points == fontSize_) return;
    fontSize_ = points;
    apply();
}

void Theme::setFontFamily(const QString& family) {
    if (family == fontFamily_) return;
    fontFamily_ = family;
    apply();
}

void Theme::setZoom(int steps) {
    steps = std::clamp(steps, -6, 24);
    if (steps == zoom_) return;
    zoom_ = steps;
    apply();
}

void Theme::apply() {
    dark_ = mode_ == Mode::Dark || (mode_ == Mode::System && system_->isDark());
    const Colours& c = colours();
    const QPalette palette = paletteOf(c);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    QFont font = systemFont_;
    const double base = systemFont_.pointSizeF() > 0 ? systemFont_.pointSizeF() : 10.0;
    font.setPointSizeF(base * zoomFactor(zoom_));
    setTextScale(zoomFactor(zoom_));
    QApplication::setFont(font);
    qApp->setStyleSheet(styleSheet(c, font));
    QPixmapCache::clear();
    emit themeChanged();
}

} // namespace warplight::ui
