// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/banner.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace warplight::ui {

BannerStack::BannerStack(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    hide();
    connect(&theme_, &Theme::themeChanged, this, &BannerStack::restyle);
}

void BannerStack::show(const QString& key, Kind kind, const QString& title, const QString& text,
                       const QList<Button>& buttons) {
    close(key);
    auto* banner = new QFrame;
    banner->setObjectName(QStringLiteral("banner"));
    banner->setProperty("kind", static_cast<int>(kind));
    auto* row = new QHBoxLayout(banner);
    row->setContentsMargins(2 * Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    row->setSpacing(Theme::grid);
    auto* symbol = new QLabel;
    symbol->setObjectName(QStringLiteral("symbol"));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* titleLabel = new QLabel(title);
    titleLabel->setObjectName(QStringLiteral("title"));
    titleLabel->setTextFormat(Qt::PlainText);
    titleLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    titleLabel->setWordWrap(true);
    words->addWidget(titleLabel);
    auto* textLabel = new QLabel(text);
    textLabel->setObjectName(QStringLiteral("text"));
    textLabel->setTextFormat(Qt::PlainText);
    textLabel->setWordWrap(true);
    textLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    textLabel->setVisible(!text.isEmpty());
    words->addWidget(textLabel);
    row->addWidget(symbol, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    for (const Button& button : buttons) {
        auto* push = new QPushButton(button.text);
        row->addWidget(push, 0, Qt::AlignTop);
        connect(push, &QPushButton::clicked, this, [this, key, pressed = button.pressed] {
            const auto action = pressed; // the banner, and this lambda with it, goes first
            close(key);
            if (action) action();
        });
    }
    auto* dismiss = new QToolButton;
    dismiss->setIcon(icon(QStringLiteral("close")));
    dismiss->setToolTip(tr("Dismiss"));
    dismiss->setAccessibleName(dismiss->toolTip());
    dismiss->setAutoRaise(true);
    row->addWidget(dismiss, 0, Qt::AlignTop);
    connect(dismiss, &QToolButton::clicked, this, [this, key] { close(key); });
    style(banner);
    column_->addWidget(banner);
    banners_.insert(key, banner);
    QWidget::show();
}

void BannerStack::close(const QString& key) {
    QWidget* banner = banners_.take(key);
    if (!banner) return;
    column_->removeWidget(banner);
    banner->hide();
    banner->deleteLater();
    if (banners_.isEmpty()) hide();
}

QString BannerStack::text(const QString& key) const {
    const QWidget* banner = banners_.value(key);
    if (!banner) return {};
    return banner->findChild<QLabel*>(QStringLiteral("title"))->text() + QLatin1Char('\n') +
           banner->findChild<QLabel*>(QStringLiteral("text"))->text();
}

bool BannerStack::press(const QString& key, const QString& text) {
    if (QWidget* banner = banners_.value(key))
        for (QPushButton* button : banner->findChildren<QPushButton*>())
            if (button->text().remove(QLatin1Char('&')) == text) {
                button->click();
                return true;
            }
    return false;
}

void BannerStack::style(QWidget* banner) const {
    const Colours& c = theme_.colours();
    const auto kind = static_cast<Kind>(banner->property("kind").toInt());
    const QColor soft = kind == Kind::Error     ? c.errorSoft
                        : kind == Kind::Warning ? c.warningSoft
                        : kind == Kind::Success ? c.successSoft
                                                : c.accentSoft;
    const QColor strong = kind == Kind::Error     ? c.error
                          : kind == Kind::Warning ? c.warning
                          : kind == Kind::Success ? c.success
                                                  : c.accent;
    const QString name = kind == Kind::Error     ? QStringLiteral("error")
                         : kind == Kind::Warning ? QStringLiteral("warning")
                         : kind == Kind::Success ? QStringLiteral("success")
                                                 : QStringLiteral("info");
    banner->setStyleSheet(QStringLiteral("#banner { background: %1; border: 0; border-bottom: 1px solid %2; "
                                         "border-left: 3px solid %3; } #title { font-weight: 600; }")
                              .arg(soft.name(), c.border.name(), strong.name()));
    banner->findChild<QLabel*>(QStringLiteral("symbol"))
        ->setPixmap(icon(name, strong).pixmap(QSize(scaledPixels(20), scaledPixels(20)), devicePixelRatioF()));
}

void BannerStack::restyle() {
    for (QWidget* banner : banners_)
        style(banner);
}

} // namespace warplight::ui
