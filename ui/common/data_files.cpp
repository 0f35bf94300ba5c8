// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/data_files.hpp"

#include "formats/container.hpp"
#include "session/data_source.hpp"

#include <QFileInfo>
#include <QStringList>

namespace warplight::ui {
namespace {

const QStringList typedEndings{
    QStringLiteral("npy"), QStringLiteral("npz"), QStringLiteral("h5"),  QStringLiteral("hdf5"), QStringLiteral("csv"),
    QStringLiteral("tsv"), QStringLiteral("txt"), QStringLiteral("png"), QStringLiteral("jpg"),  QStringLiteral("jpeg"),
    QStringLiteral("bmp"), QStringLiteral("pgm"), QStringLiteral("ppm"), QStringLiteral("pnm"),  QStringLiteral("wav")};
const QStringList rawEndings{QStringLiteral("bin"), QStringLiteral("raw"), QStringLiteral("dat")};

QString endingOf(const QString& path) { return QFileInfo(path).suffix().toLower(); }

} // namespace

QString dataPatterns() {
    QStringList patterns;
    for (const QStringList& endings : {typedEndings, rawEndings})
        for (const QString& ending : endings)
            patterns << QStringLiteral("*.") + ending;
    return patterns.join(QLatin1Char(' '));
}

bool saysItsType(const QString& path) {
    return session::kind_of_file("x." + endingOf(path).toStdString()) != session::FileKind::raw;
}

bool isDataFile(const QString& path) { return saysItsType(path) || rawEndings.contains(endingOf(path)); }

bool isContainerFile(const QString& path) { return formats::is_container("." + endingOf(path).toStdString()); }

} // namespace warplight::ui
