// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/export_button.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/save_dialog.hpp"

#include <qcustomplot.h>

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QRegularExpression>
#include <QSaveFile>
#ifdef WARPLIGHT_QT_SVG
#include <QSvgGenerator>
#endif

namespace warplight::ui {

QString writeWhole(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
    return file.errorString();
}

namespace {

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) bytes.clear();
    return bytes;
}

QByteArray svgOf([[maybe_unused]] QCustomPlot* plot) {
    QByteArray bytes;
#ifdef WARPLIGHT_QT_SVG
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(plot->size());
    generator.setViewBox(QRect(QPoint(0, 0), plot->size()));
    QCPPainter painter;
    if (!painter.begin(&generator)) return {};
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot->toPainter(&painter, plot->width(), plot->height());
    painter.end();
#endif
    return bytes;
}

} // namespace

QStringList ExportButton::pictureEndings(bool plot) {
    QStringList endings{QStringLiteral("png")};
#ifdef WARPLIGHT_QT_SVG
    if (plot) endings << QStringLiteral("svg");
#else
    Q_UNUSED(plot)
#endif
    return endings;
}

ExportButton::ExportButton(Content content, QWidget* parent) : QToolButton(parent), content_(std::move(content)) {
    setIcon(ui::icon(QStringLiteral("export")));
    setAutoRaise(true);
    setPopupMode(InstantPopup);
    setToolTip(tr("Copy or save what is shown"));
    setAccessibleName(toolTip());
    auto* menu = new QMenu(this);
    if (content_.values) {
        connect(menu->addAction(tr("Copy &Values")), &QAction::triggered, this, &ExportButton::copyValues);
        connect(menu->addAction(tr("Save Values as &CSV…")), &QAction::triggered, this,
                [this] { ask(tr("Save Values"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)")); });
        menu->addSeparator();
    }
    connect(menu->addAction(tr("Copy &Picture")), &QAction::triggered, this, &ExportButton::copyPicture);
    for (const QString& ending : pictureEndings(content_.plot)) {
        const QString kind = ending.toUpper();
        connect(
            menu->addAction(ending == QLatin1String("svg") ? tr("Save Picture as &SVG…") : tr("Save Picture as P&NG…")),
            &QAction::triggered, this, [this, ending, kind] {
                ask(tr("Save Picture"), QLatin1Char('.') + ending, QStringLiteral("%1 (*.%2)").arg(kind, ending));
            });
    }
    setMenu(menu);
}

QImage ExportButton::image() const {
    if (content_.picture) return content_.picture();
    // Twice as fine as on the screen: a picture in a text is often printed.
    return content_.plot ? content_.plot->toPixmap(0, 0, 2).toImage() : QImage();
}

void ExportButton::copyValues() {
    QGuiApplication::clipboard()->setText(content_.values(QLatin1Char('\t')));
    emit message(tr("Copied the values."));
}

void ExportButton::copyPicture() {
    const QImage picture = image();
    if (picture.isNull()) {
        emit message(tr("There is no picture yet."));
        return;
    }
    QGuiApplication::clipboard()->setImage(picture);
    emit message(tr("Copied the picture."));
}

QString ExportButton::save(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("csv") && content_.values)
        bytes = content_.values(QLatin1Char(',')).toUtf8();
    else if (ending == QLatin1String("svg") && content_.plot)
        bytes = svgOf(content_.plot);
    else if (ending == QLatin1String("png"))
        bytes = pngOf(image());
    else
        return tr("End the name with %1.").arg(pictureEndings(content_.plot).join(QStringLiteral(", ")));
    if (bytes.isEmpty()) return tr("There is nothing to save yet.");
    return writeWhole(path, bytes);
}

void ExportButton::ask(const QString& title, const QString& ending, const QString& filter) {
    static const QRegularExpression notInNames(QStringLiteral("[\\\\/:*?\"<>|]"));
    const QString name = content_.name().replace(notInNames, QStringLiteral("_")) + ending;
    const QString path = askWhereToSave(this, title, name, filter);
    if (path.isEmpty()) return;
    const QString problem = save(path);
    emit message(problem.isEmpty() ? tr("Saved %1.").arg(path) : tr("%1 could not be written: %2").arg(path, problem));
}

} // namespace warplight::ui
