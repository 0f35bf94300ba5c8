// SPDX-License-Identifier: GPL-3.0-or-later
/// Messages above the editor. A banner blocks nothing and stays until it is answered or outdated.
#pragma once

#include <QHash>
#include <QScrollArea>
#include <functional>

class QVBoxLayout;

namespace warplight::ui {

class Banner;
class Theme;

/// The stack of banners. It leaves some lines, or half of the height, to the editor below; longer messages scroll.
class BannerStack : public QScrollArea {
    Q_OBJECT
public:
    enum class Kind { Info, Success, Warning, Error };
    struct Button {
        QString text;
        std::function<void()> pressed; ///< the banner closes first
    };

    explicit BannerStack(Theme& theme, QWidget* parent = nullptr);

    /// A new banner replaces the one with the same key.
    void show(const QString& key, Kind kind, const QString& title, const QString& text,
              const QList<Button>& buttons = {});
    void close(const QString& key);
    bool isShown(const QString& key) const { return banners_.contains(key); }
    /// Title and text, for tests and screen readers; empty when it is not shown.
    QString text(const QString& key) const;
    /// Presses a button of a banner by its text; false when there is none.
    bool press(const QString& key, const QString& button);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseBar();
    void restyle();
    void style(Banner* banner) const;

    Theme& theme_;
    QVBoxLayout* column_;
    QHash<QString, Banner*> banners_;
};

} // namespace warplight::ui
