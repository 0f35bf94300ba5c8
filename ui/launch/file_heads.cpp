// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/file_heads.hpp"

#include "session/data_file.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/file_reader.hpp"
#include "ui/common/workbench.hpp"
#include "ui/launch/argument_text.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStringList>
#include <QUndoStack>
#include <map>
#include <vector>

namespace warplight::ui {
namespace {

constexpr std::size_t mostKnownFiles = 64;

/// The file as it is now: another one under its name is looked at anew.
QString stateOf(const session::FileSource& file, const QString& folder) {
    const QFileInfo info(QDir(folder).absoluteFilePath(QString::fromStdString(file.path)));
    return QStringLiteral("%1|%2|%3")
        .arg(info.absoluteFilePath())
        .arg(info.size())
        .arg(info.lastModified().toMSecsSinceEpoch());
}

/// What workers have told of files, in all windows.
std::map<QString, QList<ContainerMember>>& toldFiles() {
    static std::map<QString, QList<ContainerMember>> files;
    return files;
}

const ContainerMember* findMember(const QList<ContainerMember>& members, const std::string& name) {
    const ContainerMember* found = nullptr;
    // HDF5's own way to write a name begins with a slash.
    const QString wanted = QString::fromStdString(name.starts_with('/') ? name.substr(1) : name);
    for (const ContainerMember& each : members) {
        if (!each.problem.isEmpty() || (!wanted.isEmpty() && each.name != wanted)) continue;
        if (found) return nullptr; // one of several must be chosen
        found = &each;
    }
    return found;
}

bool sameCount(const session::Shape& one, const std::vector<qint64>& other) {
    std::uint64_t left = 1, right = 1;
    for (const std::size_t length : one)
        left *= length;
    for (const qint64 length : other)
        right *= std::uint64_t(length);
    return left == right;
}

std::optional<session::ArrayDescription> toldArray(const session::FileSource& file, const QString& folder) {
    const auto told = toldFiles().find(stateOf(file, folder));
    const ContainerMember* member = told == toldFiles().end() ? nullptr : findMember(told->second, file.member);
    if (!member && !file.shape) return std::nullopt;
    session::ArrayDescription array;
    array.dtype = !file.dtype.empty() || !member ? file.dtype : member->type.toStdString();
    if (file.shape && (!member || sameCount(*file.shape, member->shape)))
        array.shape = *file.shape;
    else if (member && !file.shape)
        array.shape.assign(member->shape.begin(), member->shape.end());
    else
        return std::nullopt; // the run will refuse it
    array.elements = 1;
    for (const std::size_t length : array.shape)
        array.elements *= length;
    array.bytes = array.elements * session::size_of_type(array.dtype);
    return array;
}

/// A .csv must be read whole for its shape; once is enough, not at every key press.
std::optional<session::ArrayDescription> arrayReadHere(const session::FileSource& file, const QString& folder) {
    static std::map<QString, session::ArrayDescription> known;
    const QString shape = file.shape ? showShape(*file.shape) : QString();
    const QString key =
        QStringList{
            stateOf(file, folder),        QString::fromStdString(file.dtype), shape,
            QString::number(file.offset), QString::number(int(file.raw)),     QString::fromStdString(file.member)}
            .join(QLatin1Char('|'));
    if (const auto found = known.find(key); found != known.end()) return found->second;
    if (known.size() >= mostKnownFiles) known.clear();
    try {
        return known[key] = session::describe(file, reachOf(folder));
    } catch (const std::exception&) {
        known.erase(key);
        return std::nullopt; // the user may agree to the file later
    }
}

} // namespace

bool isReadHere(const session::FileSource& file) {
    if (file.path.empty()) return false;
    const auto path = session::path_from_utf8(file.path);
    const auto kind = session::kind_of_file(path, file.offset, file.raw);
    return kind != session::FileKind::sound && (kind != session::FileKind::container || session::has_structs(path));
}

std::optional<session::ArrayDescription> knownArray(const session::DataSource& source, const QString& folder) {
    const auto* file = std::get_if<session::FileSource>(&source);
    if (file) return isReadHere(*file) ? arrayReadHere(*file, folder) : toldArray(*file, folder);
    try {
        return session::describe(source, reachOf(folder));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

FileHeads::FileHeads(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
    connect(&workbench.document(), &Document::sessionReplaced, this, &FileHeads::askAll);
    // Not when the session changes: that is before the change is on the stack.
    connect(&workbench.document().undoStack(), &QUndoStack::indexChanged, this, &FileHeads::askAll);
    connect(&workbench.document(), &Document::reportChanged, this, &FileHeads::askAll); // a run may have written them
    askAll();
}

void FileHeads::askAll() {
    // The files of a session that was only opened are not looked into: who it is from is not known.
    Document& document = workbench_.document();
    if (document.undoStack().count() == 0 && !document.hasReport()) return;
    for (const session::Argument& argument : document.session().arguments)
        if (const auto* file = std::get_if<session::FileSource>(&argument.source);
            file && argument.direction != session::Direction::scalar)
            ask(*file);
}

void FileHeads::ask(const session::FileSource& file) {
    const QString folder = workbench_.document().folder();
    if (file.path.empty() || isReadHere(file)) return;
    const QString state = stateOf(file, folder);
    if (toldFiles().contains(state) || asked_.contains(state)) return;
    std::filesystem::path path;
    try {
        const session::Reach reach = reachOf(folder);
        path = reach.for_reading(reach.place(file.path));
    } catch (const std::exception&) {
        return; // the user may agree to the file later
    }
    if (!QFileInfo(fromPath(path)).isFile()) return;
    asked_.insert(state);
    workbench_.fileReader().list(fromPath(path), this,
                                 [this, state](const QList<ContainerMember>& members, const QString& problem) {
                                     if (!problem.isEmpty()) return; // the run tells of it
                                     if (toldFiles().size() >= mostKnownFiles) toldFiles().clear();
                                     toldFiles()[state] = members;
                                     emit learned();
                                 });
}

} // namespace warplight::ui
