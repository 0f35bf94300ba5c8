// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/save_dialog.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

namespace warplight::ui {
namespace {

/// "csv" of "Comma-separated values (*.csv)"
QString endingOfKind(const QString& kind) {
    static const QRegularExpression ending(QStringLiteral("\\(\\*\\.(\\w+)\\)"));
    return ending.match(kind).captured(1);
}

} // namespace

QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposal, const QString& kinds) {
    const QFileInfo proposed(proposal);
    // Without a folder it is the one of the last file.
    const QString folder = proposal.contains(QLatin1Char('/')) ? proposed.path() : QString();
    QFileDialog dialog(parent, title, folder, kinds);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    for (const QString& kind : dialog.nameFilters())
        if (endingOfKind(kind) == proposed.suffix()) dialog.selectNameFilter(kind);
    dialog.setDefaultSuffix(endingOfKind(dialog.selectedNameFilter()));
    dialog.selectFile(proposed.fileName());
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& chosen) {
        const QString ending = endingOfKind(chosen);
        dialog.setDefaultSuffix(ending);
        // Not every system's dialog changes the ending by itself.
        const QStringList files = dialog.selectedFiles();
        if (files.isEmpty()) return;
        const QFileInfo file(files.front());
        for (const QString& kind : dialog.nameFilters())
            if (const QString other = endingOfKind(kind);
                other != ending && other.compare(file.suffix(), Qt::CaseInsensitive) == 0)
                return dialog.selectFile(QStringLiteral("%1/%2.%3").arg(file.path(), file.completeBaseName(), ending));
    });
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
    return dialog.selectedFiles().front();
}

} // namespace warplight::ui
