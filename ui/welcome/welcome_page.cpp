// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/welcome_page.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

namespace {

constexpr int cardWidth = 300;

/// A card is one button: the whole of it can be clicked, reached by Tab and started by Space or Enter.
class ExampleCard : public QAbstractButton {
public:
    ExampleCard(const Example& example, Theme& theme) : theme_(theme), icon_(example.icon), faulty_(example.faulty) {
        setText(example.title);
        setAccessibleName(example.title);
        setAccessibleDescription(example.description);
        setToolTip(example.exercise ? WelcomePage::tr("Open this exercise")
                                    : WelcomePage::tr("Open and run this example"));
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid);
        layout->setSpacing(Theme::grid);
        auto* head = new QHBoxLayout;
        head->setSpacing(Theme::grid);
        auto* mark = new QLabel;
        mark_ = mark;
        auto* title = new QLabel(example.title);
        title_ = title;
        title->setWordWrap(true);
        head->addWidget(mark, 0, Qt::AlignTop);
        head->addWidget(title, 1);
        text_ = new QLabel(example.description);
        text_->setWordWrap(true);
        text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        layout->addLayout(head);
        layout->addWidget(text_, 1);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::MinimumExpanding);
        setMinimumWidth(160);
        // The labels are for looking at only.
        for (QLabel* label : findChildren<QLabel*>())
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
        restyle();
    }

    void restyle() {
        QPalette palette = text_->palette();
        palette.setColor(QPalette::WindowText, theme_.colours().mutedText);
        text_->setPalette(palette);
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        bold.setPointSizeF(bold.pointSizeF() * 1.08);
        title_->setFont(bold);
        mark_->setPixmap(ui::icon(icon_, faulty_ ? theme_.colours().warning : theme_.colours().accent)
                             .pixmap(scaledPixels(20), scaledPixels(20)));
        update();
    }

    QSize sizeHint() const override { return layout()->sizeHint(); }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return layout()->heightForWidth(width); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Colours& colours = theme_.colours();
        const bool marked = underMouse() || hasFocus();
        painter.setPen(QPen(marked ? colours.accent : colours.border, marked ? 1.5 : 1));
        painter.setBrush(isDown() ? colours.accentSoft : colours.base);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), Theme::grid, Theme::grid);
    }

private:
    Theme& theme_;
    QLabel *title_, *text_, *mark_;
    QString icon_;
    bool faulty_;
};

} // namespace

WelcomePage::WelcomePage(Workbench& workbench, QWidget* parent) : QWidget(parent), workbench_(workbench) {
    build();
    connect(&workbench.theme(), &Theme::themeChanged, this, &WelcomePage::restyle);
    restyle();
}

void WelcomePage::build() {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(4 * Theme::grid, 3 * Theme::grid, 4 * Theme::grid, 3 * Theme::grid);
    layout->setSpacing(Theme::grid);

    title_ = new QLabel(tr("Warplight"));
    subtitle_ = new QLabel(tr("Write a kernel, give it data, run it, and see what it did."));
    subtitle_->setWordWrap(true);
    layout->addWidget(title_);
    layout->addWidget(subtitle_);

    auto* begin = new QHBoxLayout;
    begin->setSpacing(Theme::grid);
    begin->setContentsMargins(0, Theme::grid, 0, Theme::grid);
    auto* create = new QPushButton(icon(QStringLiteral("new")), tr("&New kernel"));
    auto* open = new QPushButton(icon(QStringLiteral("open")), tr("Open…"));
    create->setToolTip(tr("Start from an empty kernel"));
    open->setToolTip(tr("Open a session, a kernel or an array"));
    begin->addWidget(create);
    begin->addWidget(open);
    begin->addStretch();
    layout->addLayout(begin);
    connect(create, &QPushButton::clicked, this, &WelcomePage::newRequested);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openDialogRequested);

    recentBox_ = new QWidget;
    recent_ = new QVBoxLayout(recentBox_);
    recent_->setContentsMargins(0, 0, 0, Theme::grid);
    recent_->setSpacing(Theme::half);
    recentBox_->hide();
    layout->addWidget(recentBox_);

    const std::vector<Example> examples = listExamples(examplesFolder());
    addCards(layout, examples.empty() ? tr("No examples are installed.") : tr("Examples: one click runs them"),
             examples);
    const std::vector<Example> lessons = listExamples(lessonsFolder());
    if (!lessons.empty()) addCards(layout, tr("Lessons: see what is wrong, and how to mend it"), lessons);
    const std::vector<Example> exercises = listExamples(exercisesFolder());
    if (!exercises.empty()) addCards(layout, tr("Exercises: write the kernel, and check it"), exercises);
    layout->addStretch(1);
    scroll->setWidget(page);
    layOutCards();
}

void WelcomePage::addCards(QVBoxLayout* page, const QString& heading, const std::vector<Example>& examples) {
    auto* label = new QLabel(heading);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    page->addWidget(label);
    auto* area = new QWidget;
    Cards cards{new QGridLayout(area), {}};
    cards.grid->setContentsMargins(0, 0, 0, 0);
    cards.grid->setSpacing(2 * Theme::grid);
    page->addWidget(area);
    for (const Example& example : examples) {
        auto* card = new ExampleCard(example, workbench_.theme());
        connect(card, &QAbstractButton::clicked, this, [this, path = example.path] { emit exampleRequested(path); });
        cards.widgets << card;
    }
    cards_ << cards;
}

void WelcomePage::setRecentFiles(const QStringList& paths) {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto* label = new QLabel(tr("Recent"));
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    recent_->addWidget(label);
    int shown = 0;
    for (const QString& path : paths) {
        if (shown == 6) break;
        const QFileInfo info(path);
        if (!info.exists()) continue;
        ++shown;
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIcon(icon(QStringLiteral("file")));
        button->setText(info.fileName() + QStringLiteral("  —  ") + QDir::toNativeSeparators(info.absolutePath()));
        button->setToolTip(QDir::toNativeSeparators(path));
        connect(button, &QToolButton::clicked, this, [this, path] { emit openRequested(path); });
        recent_->addWidget(button, 0, Qt::AlignLeft);
    }
    recentBox_->setVisible(shown > 0);
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOutCards();
}

void WelcomePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // The style sheet polishes the labels when they are first shown, and sets their fonts back.
    QTimer::singleShot(0, this, &WelcomePage::restyle);
}

void WelcomePage::layOutCards() {
    const int columns = std::clamp((width() - 8 * Theme::grid) / scaledPixels(cardWidth), 1, 4);
    if (columns == columns_) return;
    columns_ = columns;
    for (const Cards& cards : std::as_const(cards_)) {
        for (QWidget* card : cards.widgets)
            cards.grid->removeWidget(card);
        for (int i = 0; i < 4; ++i)
            cards.grid->setColumnStretch(i, i < columns ? 1 : 0);
        for (int i = 0; i < cards.widgets.size(); ++i)
            cards.grid->addWidget(cards.widgets[i], i / columns, i % columns);
    }
}

void WelcomePage::restyle() {
    QFont big = font();
    big.setPointSizeF(font().pointSizeF() * 2.1);
    big.setWeight(QFont::DemiBold);
    title_->setFont(big);
    QPalette palette = subtitle_->palette();
    palette.setColor(QPalette::WindowText, workbench_.theme().colours().mutedText);
    subtitle_->setPalette(palette);
    for (const Cards& cards : std::as_const(cards_))
        for (QWidget* card : cards.widgets)
            static_cast<ExampleCard*>(card)->restyle();
    layOutCards();
}

} // namespace warplight::ui
