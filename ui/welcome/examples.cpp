// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/examples.hpp"

#include "session/session.hpp"
#include "ui/common/folders.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace warplight::ui {

QString examplesFolder() {
    const QString program = QCoreApplication::applicationDirPath();
    QStringList candidates;
    if (const QString set = qEnvironmentVariable("WARPLIGHT_EXAMPLES"); !set.isEmpty()) candidates << set;
    candidates << program + QStringLiteral("/../share/warplight/examples") << program + QStringLiteral("/examples");
    // build/PRESET/bin and build/PRESET/tests of a source tree
    candidates << program + QStringLiteral("/../../../resources/examples");
    for (const QString& candidate : candidates)
        if (QFileInfo::exists(candidate + QStringLiteral("/saxpy/saxpy.warplight"))) return QDir::cleanPath(candidate);
    return {};
}

QString lessonsFolder() {
    const QString examples = examplesFolder();
    const QString lessons = QDir::cleanPath(examples + QStringLiteral("/../lessons"));
    return !examples.isEmpty() && QFileInfo::exists(lessons) ? lessons : QString();
}

QString exercisesFolder() {
    const QString examples = examplesFolder();
    const QString exercises = QDir::cleanPath(examples + QStringLiteral("/../exercises"));
    return !examples.isEmpty() && QFileInfo::exists(exercises) ? exercises : QString();
}

std::vector<Example> listExamples(const QString& folder) {
    // From the first steps to advanced examples; others follow by name.
    static const QStringList order{QStringLiteral("saxpy"),
                                   QStringLiteral("printf"),
                                   QStringLiteral("mandelbrot"),
                                   QStringLiteral("blur"),
                                   QStringLiteral("rotate"),
                                   QStringLiteral("matmul"),
                                   QStringLiteral("stencil"),
                                   QStringLiteral("heat"),
                                   QStringLiteral("galaxy"),
                                   QStringLiteral("histogram"),
                                   QStringLiteral("reduction"),
                                   QStringLiteral("scan"),
                                   QStringLiteral("nbody"),
                                   QStringLiteral("first_program"),
                                   QStringLiteral("thrust"),
                                   QStringLiteral("faulty"),
                                   QStringLiteral("off_by_one"),
                                   QStringLiteral("race"),
                                   QStringLiteral("missing_barrier"),
                                   QStringLiteral("coalescing"),
                                   QStringLiteral("bank_conflicts"),
                                   QStringLiteral("divergence"),
                                   QStringLiteral("exercise_saxpy"),
                                   QStringLiteral("exercise_reduction"),
                                   QStringLiteral("exercise_transpose")};
    const bool lessons = folder == lessonsFolder();
    std::vector<Example> examples;
    if (folder.isEmpty()) return examples;
    QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    std::sort(names.begin(), names.end(), [](const QString& a, const QString& b) {
        const auto place = [](const QString& name) {
            const auto at = order.indexOf(name);
            return at < 0 ? order.size() : at;
        };
        return std::pair(place(a), a) < std::pair(place(b), b);
    });
    for (const QString& name : names) {
        const QString path = folder + QLatin1Char('/') + name + QLatin1Char('/') + name + QStringLiteral(".warplight");
        if (!QFileInfo::exists(path)) continue;
        try {
            const session::Session read = session::load(std::filesystem::path(path.toStdU16String()));
            const bool faulty = name == QLatin1String("faulty");
            examples.push_back({path, QString::fromStdString(read.title),
                                QString::fromStdString(read.description).remove(QLatin1Char('`')),
                                faulty          ? QStringLiteral("warning")
                                : read.exercise ? QStringLiteral("check")
                                : lessons       ? QStringLiteral("example")
                                                : QStringLiteral("run"),
                                faulty, read.exercise.has_value()});
        } catch (const std::exception&) {
            continue;
        }
    }
    return examples;
}

QString examplesTarget() {
    const QString target = documentsFolder() + QStringLiteral("/Warplight");
    return QDir().mkpath(target) ? target : QString();
}

QString copyExample(const QString& document, const QString& target, QString* problem) {
    const QFileInfo info(document);
    const QString from = info.absolutePath();
    const QString to = target + QLatin1Char('/') + QFileInfo(from).fileName();
    QString copy = to + QLatin1Char('/') + info.fileName();
    if (QFileInfo::exists(copy)) return copy;
    if (target.isEmpty() || !QDir().mkpath(to)) {
        *problem = QCoreApplication::translate("Examples", "Cannot make the folder %1 for the example. Check that it "
                                                           "may be written, or open the example's file instead.")
                       .arg(to);
        return {};
    }
    QDirIterator files(from, QDir::Files);
    while (files.hasNext()) {
        const QString file = files.next();
        // The document comes last: while it is missing the copy does not count as made.
        if (QFileInfo(file) == info) continue;
        const QString there = to + QLatin1Char('/') + QFileInfo(file).fileName();
        if (!QFileInfo::exists(there) && !QFile::copy(file, there)) {
            *problem =
                QCoreApplication::translate("Examples", "Cannot copy %1 to %2. The disk may be full.").arg(file, to);
            return {};
        }
        QFile::setPermissions(there, QFile::permissions(there) | QFile::WriteOwner | QFile::WriteUser);
    }
    if (!QFile::copy(document, copy)) {
        *problem = QCoreApplication::translate("Examples", "Cannot write %1. The disk may be full.").arg(copy);
        return {};
    }
    QFile::setPermissions(copy, QFile::permissions(copy) | QFile::WriteOwner | QFile::WriteUser);
    return copy;
}

QString originalOf(const QString& copy) {
    if (copy.isEmpty()) return {};
    const QFileInfo info(copy);
    const QFileInfo folder(info.absolutePath());
    if (QFileInfo(folder.absolutePath()) != QFileInfo(documentsFolder() + QStringLiteral("/Warplight"))) return {};
    for (const QString& from : {examplesFolder(), lessonsFolder(), exercisesFolder()}) {
        const QString original = from + QLatin1Char('/') + folder.fileName() + QLatin1Char('/') + info.fileName();
        if (!from.isEmpty() && QFileInfo::exists(original)) return original;
    }
    return {};
}

} // namespace warplight::ui
