// SPDX-License-Identifier: GPL-3.0-or-later
/// Messages that matter, above the editor: they stay until they are answered or outdated, and stop nothing.
#pragma once

#include <QHash>
#include <QWidget>
#include <functional>

class QLabel;
class QVBoxLayout;

namespace warplight::ui {

class Theme;

class BannerStack : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Info, Success, Warning, Error };
    struct Button {
        QString text;
        std::function<void()> pressed; ///< the banner closes first
    };

    explicit BannerStack(Theme& theme, QWidget* parent = nullptr);

    /// One banner a key: a new one replaces the old.
    void show(const QString& key, Kind kind, const QString& title, const QString& text,
              const QList<Button>& buttons = {});
    void close(const QString& key);
    bool isShown(const QString& key) const { return banners_.contains(key); }
    /// Title and text, for tests and screen readers; empty when it is not shown.
    QString text(const QString& key) const;
    /// Presses a button of a banner by its text; false when there is none.
    bool press(const QString& key, const QString& button);

private:
    void restyle();
    void style(QWidget* banner) const;

    Theme& theme_;
    QVBoxLayout* column_;
    QHash<QString, QWidget*> banners_;
};

} // namespace warplight::ui
