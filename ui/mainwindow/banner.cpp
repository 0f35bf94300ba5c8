// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/banner.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

namespace {

/// Words that are longer than a line may be broken after the signs in them.
QString brokenFor(int width, const QString& text, const QFontMetrics& metrics) {
    static const QRegularExpression words(QStringLiteral("\\S+")), sign(QStringLiteral("([_/\\\\.:,])"));
    static const QString breakable = QStringLiteral("\\1") + QChar(0x200b); // a space of no width
    QString broken;
    qsizetype end = 0;
    for (const QRegularExpressionMatch& match : words.globalMatch(text)) {
        QString word = match.captured();
        if (metrics.horizontalAdvance(word) > width) word.replace(sign, breakable);
        broken += text.mid(end, match.capturedStart() - end) + word;
        end = match.capturedEnd();
    }
    return broken + text.mid(end);
}

} // namespace

/// One message: a picture, words that wrap, buttons, and a cross. The buttons keep their size: they stand beside the
/// words where there is room for both, else below them.
class Banner : public QFrame {
public:
    Banner(const QString& title, const QString& text)
        : said_{title, text}, symbol_(new QLabel(this)), title_(words(QStringLiteral("title"), title)),
          text_(words(QStringLiteral("text"), text)), dismiss_(new QToolButton(this)) {
        setObjectName(QStringLiteral("banner"));
        text_->setVisible(!text.isEmpty());
        dismiss_->setIcon(icon(QStringLiteral("close")));
        dismiss_->setToolTip(BannerStack::tr("Dismiss"));
        dismiss_->setAccessibleName(dismiss_->toolTip());
        dismiss_->setAutoRaise(true);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    QLabel* symbol() const { return symbol_; }
    QString said() const { return said_.join(QLatin1Char('\n')); }
    QToolButton* dismiss() const { return dismiss_; }
    const QList<QPushButton*>& buttons() const { return buttons_; }
    QPushButton* addButton(const QString& text) {
        auto* button = new QPushButton(text, this);
        setTabOrder(buttons_.isEmpty() ? static_cast<QWidget*>(text_) : buttons_.last(), button);
        setTabOrder(button, dismiss_);
        buttons_ << button;
        return button;
    }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(width, false); }
    QSize sizeHint() const override { return {letters(60), place(letters(60), false)}; }
    QSize minimumSizeHint() const override {
        int widest = letters(12);
        for (const QPushButton* button : buttons_)
            widest = std::max(widest, button->sizeHint().width());
        return {left() + widest + 2 * Theme::grid, 0};
    }

protected:
    void resizeEvent(QResizeEvent*) override { place(width(), true); }
    bool event(QEvent* event) override {
        const bool done = QFrame::event(event);
        switch (event->type()) {
        case QEvent::FontChange:
        case QEvent::StyleChange:
        case QEvent::LayoutRequest: // of a label or a button
            updateGeometry();
            place(width(), true);
            break;
        default: break;
        }
        return done;
    }

private:
    QLabel* words(const QString& name, const QString& text) {
        auto* label = new QLabel(text, this);
        label->setObjectName(name);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        return label;
    }
    int letters(int count) const { return count * fontMetrics().averageCharWidth(); }
    int left() const { return 2 * Theme::grid + symbol_->sizeHint().width() + Theme::grid; }

    /// Returns the height; `apply` moves the parts there.
    int place(int width, bool apply) const {
        constexpr int space = Theme::grid;
        const auto put = [apply](QWidget* widget, const QRect& place) {
            if (apply) widget->setGeometry(place);
        };
        const QSize symbol = symbol_->sizeHint(), cross = dismiss_->sizeHint();
        put(symbol_, {{2 * space, space}, symbol});
        const int end = width - space - cross.width();
        put(dismiss_, {{end, space}, cross});

        int row = 0, high = 0;
        for (const QPushButton* button : buttons_) {
            row += button->sizeHint().width() + space;
            high = std::max(high, button->sizeHint().height());
        }
        const bool beside = end - space - row - left() >= letters(36);
        const int room = std::max(end - space - (beside ? row : 0) - left(), letters(8));
        int y = space;
        for (int i = 0; i < 2; ++i) {
            QLabel* label = i ? text_ : title_;
            if (label->isHidden()) continue;
            if (apply)
                if (const QString shown = brokenFor(room, said_[i], label->fontMetrics()); label->text() != shown)
                    label->setText(shown);
            const int height = label->heightForWidth(room);
            put(label, {left(), y, room, height});
            y += height + 2;
        }
        y = std::max({y - 2, space + symbol.height(), space + cross.height()});
        if (beside) {
            int x = end - row;
            for (QPushButton* button : buttons_) {
                put(button, {{x, space}, button->sizeHint()});
                x += button->sizeHint().width() + space;
            }
            return std::max(y, space + high) + space;
        }
        int x = left();
        y += space;
        for (QPushButton* button : buttons_) {
            const QSize size = button->sizeHint();
            if (x > left() && x + size.width() > width - space) {
                x = left();
                y += high + space;
            }
            put(button, {{x, y}, size});
            x += size.width() + space;
        }
        return buttons_.isEmpty() ? y : y + high + space;
    }

    QStringList said_; ///< title and text
    QLabel *symbol_, *title_, *text_;
    QToolButton* dismiss_;
    QList<QPushButton*> buttons_;
};

BannerStack::BannerStack(Theme& theme, QWidget* parent) : QScrollArea(parent), theme_(theme) {
    auto* content = new QWidget;
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    content->installEventFilter(this);
    hide();
    connect(&theme_, &Theme::themeChanged, this, &BannerStack::restyle);
}

int BannerStack::heightForWidth(int width) const {
    const int whole = column_->totalHeightForWidth(width);
    if (!parentWidget()) return whole;
    const int room = parentWidget()->height(), fewLines = 6 * fontMetrics().lineSpacing();
    return std::min(whole, std::max(room / 2, room - fewLines));
}

QSize BannerStack::sizeHint() const { return {column_->sizeHint().width(), heightForWidth(width())}; }

bool BannerStack::eventFilter(QObject* watched, QEvent* event) {
    // A scroll area takes no notice of it for itself.
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        chooseBar();
    }
    if (watched == parentWidget() && event->type() == QEvent::Resize) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void BannerStack::resizeEvent(QResizeEvent* event) {
    chooseBar();
    QScrollArea::resizeEvent(event);
}

void BannerStack::chooseBar() {
    // One that is there makes the lines shorter, so that it would stay although nothing needs it.
    const bool fits = column_->totalHeightForWidth(width()) <= height();
    setVerticalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

void BannerStack::show(const QString& key, Kind kind, const QString& title, const QString& text,
                       const QList<Button>& buttons) {
    close(key);
    if (parentWidget()) parentWidget()->installEventFilter(this);
    auto* banner = new Banner(title, text);
    banner->setProperty("kind", static_cast<int>(kind));
    for (const Button& button : buttons)
        connect(banner->addButton(button.text), &QPushButton::clicked, this, [this, key, pressed = button.pressed] {
            const auto action = pressed; // the banner, and this lambda with it, goes first
            close(key);
            if (action) action();
        });
    connect(banner->dismiss(), &QToolButton::clicked, this, [this, key] { close(key); });
    style(banner);
    column_->addWidget(banner);
    banners_.insert(key, banner);
    QWidget::show();
}

void BannerStack::close(const QString& key) {
    Banner* banner = banners_.take(key);
    if (!banner) return;
    column_->removeWidget(banner);
    banner->hide();
    banner->deleteLater();
    if (banners_.isEmpty()) hide();
}

QString BannerStack::text(const QString& key) const {
    const Banner* banner = banners_.value(key);
    return banner ? banner->said() : QString();
}

bool BannerStack::press(const QString& key, const QString& text) {
    if (const Banner* banner = banners_.value(key))
        for (QPushButton* button : banner->buttons())
            if (button->text().remove(QLatin1Char('&')) == text) {
                button->click();
                return true;
            }
    return false;
}

void BannerStack::style(Banner* banner) const {
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
    banner->symbol()->setPixmap(
        icon(name, strong).pixmap(QSize(scaledPixels(20), scaledPixels(20)), devicePixelRatioF()));
}

void BannerStack::restyle() {
    for (Banner* banner : banners_)
        style(banner);
}

} // namespace warplight::ui
