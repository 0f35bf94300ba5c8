// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/guide_dialog.hpp"

#include "ui/common/form_dialog.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QAbstractTextDocumentLayout>
#include <QDialogButtonBox>
#include <QFile>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QVBoxLayout>

/// As initIcons() in theme.cpp does for the icons.
static void initGuide() { Q_INIT_RESOURCE(guide); }

namespace warplight::ui {

namespace {

QStringList guideLines() {
    initGuide();
    QFile file(QStringLiteral(":/guide/user-guide.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
}

/// 0 for a line that is no heading.
int levelOf(const QString& line) {
    static const QRegularExpression heading(QStringLiteral("^(#+) +\\S"));
    const QRegularExpressionMatch match = heading.match(line);
    return match.hasMatch() ? int(match.capturedLength(1)) : 0;
}

QString titleOf(const QString& heading) { return heading.mid(levelOf(heading)).trimmed(); }

/// As code hosts make them; scripts/check-docs.py has the same rule.
QString anchorOf(const QString& title) {
    static const QRegularExpression dropped(QStringLiteral("[^\\w\\- ]"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return title.toLower().remove(dropped).replace(QLatin1Char(' '), QLatin1Char('-'));
}

} // namespace

GuideDialog::GuideDialog(QWidget* parent) : QDialog(parent), text_(new QTextBrowser), sections_(new QListWidget) {
    setAttribute(Qt::WA_DeleteOnClose);
    text_->setOpenLinks(false);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setAccessibleName(tr("Guide"));
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { showSection(link.fragment()); });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    column->setSpacing(Theme::grid);
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(sections_);
    both->addWidget(text_);
    both->setStretchFactor(1, 1);
    both->setSizes({scaledPixels(200), scaledPixels(560)});
    column->addWidget(both, 1);
    column->addWidget(buttons);
    sections_->setAccessibleName(tr("Sections"));
    for (const QString& line : guideLines())
        if (levelOf(line) == 2) {
            auto* item = new QListWidgetItem(titleOf(line), sections_);
            item->setData(Qt::UserRole, anchorOf(item->text()));
        }
    connect(sections_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && !choosing_) showSection(item->data(Qt::UserRole).toString());
    });
    resize(QSize(scaledPixels(800), scaledPixels(560)).boundedTo(roomForDialog(this)));
}

QStringList GuideDialog::anchors() {
    QStringList all;
    for (const QString& line : guideLines())
        if (levelOf(line) > 0) all << anchorOf(titleOf(line));
    return all;
}

void GuideDialog::showSection(const QString& anchor) {
    const QStringList lines = guideLines();
    qsizetype at = 0;
    while (!anchor.isEmpty() && at < lines.size() &&
           !(levelOf(lines[at]) > 0 && anchorOf(titleOf(lines[at])) == anchor))
        ++at;
    while (anchor.isEmpty() && at < lines.size() && levelOf(lines[at]) != 2)
        ++at;
    if (at == lines.size()) return;
    qsizetype begin = at, end = at + 1;
    while (begin > 0 && levelOf(lines[begin]) != 2)
        --begin;
    while (end < lines.size() && !(levelOf(lines[end]) > 0 && levelOf(lines[end]) <= 2))
        ++end;
    QString section = lines.mid(begin, end - begin).join(QLatin1Char('\n'));
    // Pictures and other pages are not in the program.
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)")),
        page(QStringLiteral("\\[([^\\]]*)\\]\\([^#)][^)]*\\)"));
    section.remove(picture);
    section.replace(page, QStringLiteral("\\1"));
    text_->setMarkdown(section);
    text_->document()->setDocumentMargin(2 * Theme::grid);
    setWindowTitle(titleOf(lines[begin]));
    choosing_ = true;
    for (int row = 0; row < sections_->count(); ++row)
        if (sections_->item(row)->text() == titleOf(lines[begin])) sections_->setCurrentRow(row);
    choosing_ = false;
    // Once the text has the size of the dialog.
    const QString title = titleOf(lines[at]);
    QTimer::singleShot(0, this, [this, title] {
        for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
            if (block.blockFormat().headingLevel() == 0 || block.text() != title) continue;
            const double top = text_->document()->documentLayout()->blockBoundingRect(block).top();
            text_->verticalScrollBar()->setValue(int(top) - Theme::grid);
            return;
        }
    });
}

} // namespace warplight::ui
