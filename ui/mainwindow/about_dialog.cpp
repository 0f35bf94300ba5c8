// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/about_dialog.hpp"

#include "ui/common/form_dialog.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QLabel* wrapped(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(QStringLiteral("<b>%1</b>").arg(text));
    label->setTextFormat(Qt::RichText);
    return label;
}

} // namespace

AboutDialog::AboutDialog(const Theme& theme, const std::vector<worker::Wall>& walls, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Warplight"));

    auto* picture = new QLabel;
    picture->setPixmap(QApplication::windowIcon().pixmap(scaledPixels(48), scaledPixels(48)));
    auto* text = new QVBoxLayout;
    text->addWidget(new QLabel(tr("<h3>Warplight %1</h3>").arg(QApplication::applicationVersion())));
    text->addWidget(wrapped(tr("A workbench for GPU kernels: write a CUDA kernel, give it data, run it, and see what "
                               "it did.")));
    text->addWidget(wrapped(tr("The workbench is free software under the GNU General Public License, version 3 or "
                               "later; its core library is under the Apache License 2.0. Qt %1.")
                                .arg(QLatin1String(qVersion()))));
    auto* top = new QHBoxLayout;
    top->setSpacing(2 * Theme::grid);
    top->addWidget(picture, 0, Qt::AlignTop);
    top->addLayout(text, 1);

    auto* list = new QWidget;
    auto* rows = new QGridLayout(list);
    rows->setHorizontalSpacing(Theme::grid);
    rows->setVerticalSpacing(Theme::half);
    rows->setContentsMargins(0, 0, Theme::grid, 0);
    rows->setColumnStretch(2, 1);
    for (const worker::Wall& wall : walls)
        addWall(*rows, theme, wall);
    rows->setRowStretch(rows->rowCount(), 1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(list);

    const bool whole = std::all_of(walls.begin(), walls.end(), [](const worker::Wall& wall) { return wall.whole(); });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid);
    column->setSpacing(Theme::grid);
    column->addLayout(top);
    column->addSpacing(Theme::grid);
    column->addWidget(heading(tr("Walls around sessions and kernels")));
    column->addWidget(
        wrapped(walls.empty() ? tr("The worker has not told yet which walls stand. Open this again in a moment.")
                : whole ? tr("Sessions and kernels run in a worker process. On this system all of its walls stand.")
                        : tr("Sessions and kernels run in a worker process. On this system some of its walls are "
                             "missing: open sessions from strangers with care.")));
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    resize(QSize(scaledPixels(600), scaledPixels(560)).boundedTo(roomForDialog(parent ? parent : this)));
}

void AboutDialog::addWall(QGridLayout& rows, const Theme& theme, const worker::Wall& wall) {
    const Colours& colours = theme.colours();
    const int row = rows.rowCount();
    const QString state = wall.whole() ? tr("stands") : wall.stands() ? tr("stands in part") : tr("missing");
    auto* sign = new QLabel;
    sign->setPixmap(icon(wall.whole() ? QStringLiteral("success") : QStringLiteral("warning"),
                         wall.whole() ? colours.success : colours.warning)
                        .pixmap(scaledPixels(16), scaledPixels(16)));
    sign->setAccessibleName(state);
    QString text = QString::fromStdString(wall.keeps);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    text += QLatin1Char('.');
    if (!wall.whole())
        text += tr("\nOn this system it %1: %2.")
                    .arg(wall.stands() ? state : tr("is missing"), QString::fromStdString(wall.missing));
    auto* name = new QLabel(QString::fromStdString(wall.name));
    name->setAccessibleDescription(state);
    rows.addWidget(sign, row, 0, Qt::AlignTop);
    rows.addWidget(name, row, 1, Qt::AlignTop);
    rows.addWidget(wrapped(text), row, 2, Qt::AlignTop);
}

} // namespace warplight::ui
