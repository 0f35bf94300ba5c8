// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/document.hpp"

#include "session/exercise_document.hpp"
#include "session/named_files.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/input_file.hpp"
#include "ui/common/run_results.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>
#include <algorithm>

namespace warplight::ui {

/// A step from one session to another. Sessions are small: whole copies are the simplest undo.
class SessionCommand : public QUndoCommand {
public:
    SessionCommand(Document& document, session::Session before, session::Session after, const QString& what,
                   const QString& key)
        : QUndoCommand(what), document_(document), before_(std::move(before)), after_(std::move(after)), key_(key) {}

    void undo() override { document_.assign(before_); }
    void redo() override { document_.assign(after_); }
    int id() const override { return key_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const SessionCommand*>(other);
        if (next->key_ != key_) return false;
        after_ = next->after_;
        return true;
    }

private:
    Document& document_;
    session::Session before_, after_;
    QString key_;
};

/// A step to another session with another text of its source, and of its notes' file where they are given.
class PutBackCommand : public QUndoCommand {
public:
    PutBackCommand(Document& document, session::Session after, const QString& text,
                   const std::optional<Document::TypedNotes>& notes, const QString& what)
        : QUndoCommand(what), document_(document), before_{document.session(), document.mainSource()->text(), {}},
          after_{std::move(after), text, {}} {
        if (!notes) return;
        notesFile_ = notes->file;
        before_.notes = document.notesIn(notesFile_);
        after_.notes = notes->text;
    }

    void undo() override { go(after_, before_); }
    void redo() override { go(before_, after_); }

private:
    struct State {
        session::Session session;
        QString text;
        std::optional<QString> notes; ///< none: they cannot be read
    };
    void go(const State& from, const State& to) {
        if (document_.mainSource()->text() == from.text) document_.mainSource()->setText(to.text);
        if (!notesFile_.isEmpty() && document_.notesIn(notesFile_) == from.notes)
            document_.putNotes(notesFile_, to.notes);
        document_.assign(to.session);
    }
    Document& document_;
    State before_, after_;
    QString notesFile_; ///< empty: the notes stay
};

namespace {

QString absolute(const QString& folder, const std::string& path) {
    return QDir::cleanPath(QDir(folder).absoluteFilePath(QString::fromStdString(path)));
}

/// Without links, also where the last folders are not there yet.
QString canonical(const QString& path) {
    const QFileInfo info(path);
    if (const QString found = info.canonicalFilePath(); !found.isEmpty()) return found;
    const QString parent = info.path();
    return parent == path ? path : canonical(parent) + QLatin1Char('/') + info.fileName();
}

constexpr std::size_t keptRuns = 200;

} // namespace

Document::Document(QObject* parent) : QObject(parent) {
    connect(&undo_, &QUndoStack::cleanChanged, this, &Document::modifiedChanged);
    newSession({});
}

Document::~Document() { undo_.disconnect(this); }

QString Document::folder() const {
    return path_.isEmpty() ? (looseFolder_.isEmpty() ? QDir::currentPath() : looseFolder_)
                           : QFileInfo(path_).absolutePath();
}

QString Document::pathInSession(const QString& file) const {
    const QString home = canonical(folder()) + QLatin1Char('/');
    const QString real = canonical(QFileInfo(file).absoluteFilePath());
    if (real.startsWith(home)) return real.mid(home.size());
    const QString relative = QDir(folder()).relativeFilePath(file);
    // A session that was never saved has no place of its own yet.
    return path_.isEmpty() || relative.startsWith(QStringLiteral("../..")) ? QFileInfo(file).absoluteFilePath()
                                                                           : relative;
}

QString Document::title() const {
    if (!path_.isEmpty()) return QFileInfo(path_).fileName();
    if (!session_.title.empty()) return QString::fromStdString(session_.title);
    return main_ ? main_->name() : QString();
}

void Document::setReadOnly(bool readOnly) {
    if (readOnly == readOnly_) return;
    readOnly_ = readOnly;
    for (SourceFile* source : sources_)
        source->setReadOnly(readOnly);
    emit readOnlyChanged();
}

void Document::modify(const QString& what, const std::function<void(session::Session&)>& change, const QString& key) {
    session::Session after = session_;
    change(after);
    if (session::to_text(after) == session::to_text(session_)) return;
    undo_.push(new SessionCommand(*this, session_, std::move(after), what, key));
}

void Document::follow(const std::function<void(session::Session&)>& change) {
    session::Session after = session_;
    change(after);
    if (session::to_text(after) == session::to_text(session_)) return;
    session_ = std::move(after);
    following_ = true;
    emit sessionChanged();
    following_ = false;
}

void Document::putBack(const session::Session& session, const QString& text, const QString& what,
                       const std::optional<QString>& notes) {
    session::Session after = session;
    after.source = session_.source;
    std::optional<TypedNotes> file;
    if (notes) file = {notesFileOf(after), *notes};
    if (file && (file->file.isEmpty() || notesIn(file->file) == notes)) file.reset();
    if (!file && session::to_text(after) == session::to_text(session_) && text == main_->text()) return;
    undo_.push(new PutBackCommand(*this, std::move(after), text, file, what));
}

QString Document::notesFileOf(const session::Session& session) const {
    if (session.notes.path.empty()) return {};
    const session::Reach reach(toPath(folder()));
    const auto file = reach.place(session.notes.path);
    return reach.contains(file) ? fromPath(file) : QString();
}

QString Document::notesText() const {
    const session::Notes& notes = session_.notes;
    if (notes.path.empty()) return QString::fromStdString(notes.text);
    if (typedNotes_ && typedNotes_->file == notesFile()) return typedNotes_->text;
    // They are shown from the session's folder alone, whatever else the user has agreed to.
    const session::Reach reach(toPath(folder()));
    const auto file = reach.for_reading(reach.place(notes.path));
    QString problem;
    const auto bytes = readInputFile(fromPath(file), files::Kind::source, &problem);
    if (!bytes) throw session::SessionError(problem.toStdString());
    return QString::fromUtf8(*bytes);
}

std::optional<QString> Document::notesIn(const QString& file) const {
    if (typedNotes_ && typedNotes_->file == file) return typedNotes_->text;
    const auto bytes = readInputFile(file, files::Kind::source);
    return bytes ? std::optional(QString::fromUtf8(*bytes)) : std::nullopt;
}

void Document::putNotes(const QString& file, const std::optional<QString>& text) {
    typedNotes_.reset();
    if (text && text != notesIn(file)) typedNotes_ = {file, *text};
}

void Document::typeNotes(const QString& file, const QString& text) {
    const bool modified = typedNotes_.has_value();
    typedNotes_ = {file, text};
    if (!modified) emit modifiedChanged();
}

bool Document::saveNotes(QString* problem) {
    if (!typedNotes_) return true;
    try {
        write_file_atomically(toPath(typedNotes_->file), typedNotes_->text.toStdString());
    } catch (const Error& error) {
        if (problem) *problem = tr("The notes cannot be saved. %1").arg(QString::fromUtf8(error.what()));
        return false;
    }
    typedNotes_.reset();
    emit modifiedChanged();
    return true;
}

void Document::assign(const session::Session& session) {
    session_ = session;
    emit sessionChanged();
    emit modifiedChanged();
}

bool Document::isModified() const {
    return isSessionModified() || typedNotes_ ||
           std::any_of(sources_.begin(), sources_.end(), [](const SourceFile* s) { return s->isModified(); });
}

SourceFile* Document::adopt(std::unique_ptr<SourceFile> source) {
    SourceFile* raw = source.release();
    raw->setParent(this);
    raw->setReadOnly(readOnly_);
    sources_ << raw;
    connect(raw, &SourceFile::modifiedChanged, this, &Document::modifiedChanged);
    emit sourceOpened(raw);
    return raw;
}

void Document::replaceWith(session::Session session, const QString& path, std::unique_ptr<SourceFile> main) {
    const QList<SourceFile*> old = sources_;
    for (SourceFile* source : old) {
        emit sourceAboutToClose(source);
        sources_.removeOne(source);
        source->deleteLater();
    }
    undo_.clear();
    forcedModified_ = false;
    readOnly_ = false;
    typedNotes_.reset();
    session_ = std::move(session);
    path_ = path;
    onDisk_.clear();
    textKernels_.clear();
    kernels_.clear();
    compile_ = {};
    runs_.clear();
    nextRun_ = 1;
    main_ = main.get();
    adopt(std::move(main));
    emit pathChanged();
    emit sessionReplaced();
    emit readOnlyChanged();
    emit kernelsChanged();
    emit compiled();
    emit reportChanged();
    emit sessionChanged();
    emit modifiedChanged();
}

void Document::newSession(const QString& sourceText) {
    session::Session session;
    session.source.name = "untitled.cu";
    looseFolder_ = QDir::homePath();
    inlineSource_ = false;
    auto source = std::make_unique<SourceFile>(QString(), sourceText);
    source->setUntitledName(QStringLiteral("untitled.cu"));
    replaceWith(std::move(session), {}, std::move(source));
}

void Document::newProgram(const QString& sourceText) {
    newSession(sourceText);
    follow([](session::Session& session) {
        session.program.emplace();
        session.compile.compiler = "nvcc";
    });
    main_->setUntitledName(QStringLiteral("program.cu"));
}

bool Document::openSession(const QString& path, QString* problem) {
    auto opened = readSession(path, problem);
    if (opened) take(std::move(*opened));
    return opened.has_value();
}

bool Document::openSourceAsSession(const QString& path, QString* problem) {
    auto opened = readSourceAsSession(path, problem);
    if (opened) take(std::move(*opened));
    return opened.has_value();
}

void Document::take(OpenedSession opened) {
    auto source = std::make_unique<SourceFile>(opened.sourcePath, QString());
    inlineSource_ = opened.sourcePath.isEmpty();
    if (inlineSource_) {
        const std::string& name = opened.session.source.name;
        source->setUntitledName(QString::fromStdString(name.empty() ? "kernel.cu" : name));
    }
    source->take(std::move(opened.source));
    if (opened.path.isEmpty()) looseFolder_ = opened.folder;
    replaceWith(std::move(opened.session), opened.path, std::move(source));
    onDisk_ = opened.digest;
}

void Document::openUnsaved(session::Session session, const QString& folder) {
    auto source = std::make_unique<SourceFile>(QString(), QString::fromStdString(session.source.text));
    source->setUntitledName(QString::fromStdString(session.source.name.empty() ? "untitled.cu" : session.source.name));
    SourceFile* raw = source.get();
    session.source.text.clear();
    session.source.path.clear();
    looseFolder_ = folder;
    inlineSource_ = false;
    replaceWith(std::move(session), {}, std::move(source));
    raw->markModified(true);
    forcedModified_ = true;
    emit modifiedChanged();
}

void Document::restore(const session::Session& session, const QString& path, const QList<RecoveredSource>& sources,
                       const std::optional<TypedNotes>& notes) {
    inlineSource_ = !path.isEmpty() && session.source.path.empty();
    if (path.isEmpty() && !sources.isEmpty() && !sources.front().path.isEmpty())
        looseFolder_ = QFileInfo(sources.front().path).absolutePath();
    bool first = true;
    for (const RecoveredSource& recovered : sources) {
        auto source = std::make_unique<SourceFile>(recovered.path, recovered.text);
        source->setUntitledName(recovered.name);
        SourceFile* raw = source.get();
        if (first)
            replaceWith(session, path, std::move(source)); // the session's own source comes first
        else
            adopt(std::move(source));
        first = false;
        raw->markModified(true);
    }
    typedNotes_ = notes;
    if (typedNotes_) emit sessionChanged(); // they are shown
    forcedModified_ = true;
    emit modifiedChanged();
}

/// Paths of a session that goes to the folder `to`: relative ones name the same files from there, and what lies in or
/// below that folder becomes relative, so that the folder can be moved as a whole.
void Document::placePaths(session::Session& session, const QString& from, const QString& to) const {
    const QString home = canonical(to) + QLatin1Char('/');
    const auto place = [&](std::string& path) {
        if (path.empty()) return;
        const QString file = absolute(from, path);
        const bool relative = !QDir::isAbsolutePath(QString::fromStdString(path));
        if (relative && canonical(from) == canonical(to)) return;
        const QString real = canonical(file);
        if (real.startsWith(home))
            path = real.mid(home.size()).toStdString();
        else if (relative)
            path = QDir(to).relativeFilePath(file).toStdString();
    };
    for (session::Argument& argument : session.arguments) {
        if (auto* file = std::get_if<session::FileSource>(&argument.source)) place(file->path);
        if (argument.expect) {
            place(argument.expect->path);
            place(argument.expect->session);
        }
    }
    if (session.exercise) session::change_paths(*session.exercise, place);
    // Notes are shown from the session's folder alone: from elsewhere their text comes along.
    session::Notes& notes = session.notes;
    if (notes.path.empty()) return;
    const QString file = absolute(from, notes.path), real = canonical(file);
    place(notes.path);
    if (real.startsWith(home) || !real.startsWith(canonical(from) + QLatin1Char('/'))) return;
    if (const auto text = readInputFile(file, files::Kind::source)) notes = {text->toStdString(), {}, {}};
}

bool Document::saveSession(const QString& path, QString* problem) {
    // Before the session, which elsewhere takes the text of the file along.
    if (!saveNotes(problem)) return false;
    const QFileInfo info(path);
    const QString target = info.absolutePath();
    try {
        session::Session session = session_;
        QString sourceFile;
        placePaths(session, folder(), target);
        if (inlineSource_) {
            session.source.text = main_->text().toStdString();
        } else {
            // The source of a session that was never saved gets its file beside it, under its name.
            QString file = main_->path();
            if (file.isEmpty()) {
                const QString suffix = main_->isPtx() ? QStringLiteral(".ptx") : QStringLiteral(".cu");
                file = target + QLatin1Char('/') + info.completeBaseName() + suffix;
                if (QFile::exists(file)) {
                    if (problem)
                        *problem = tr("%1 exists already and would be overwritten by the session's source. "
                                      "Choose another name.")
                                       .arg(file);
                    return false;
                }
            }
            sourceFile = file;
            session.source.path = QDir(target).relativeFilePath(file).toStdString();
            session.source.text.clear();
        }
        session::save(session, path.toStdString());
        // The session first: where it cannot be written, nothing has changed.
        if (!sourceFile.isEmpty() && (main_->isModified() || main_->path().isEmpty()) &&
            !main_->saveAs(sourceFile, problem))
            return false;
        session_ = std::move(session);
    } catch (const std::exception& error) {
        if (problem) *problem = QString::fromStdString(error.what());
        return false;
    }
    if (inlineSource_) main_->markModified(false);
    for (SourceFile* source : sources_)
        if (source->isModified() && !source->path().isEmpty() && !source->save(problem)) return false;
    // The user's agreements hold at the new place too.
    const session::Reach before = reachOf(folder());
    for (const auto& file : session::named_outside(session_, reachOf(target)))
        if (before.contains(file)) agree(target, fromPath(file));
    path_ = info.absoluteFilePath();
    onDisk_ = digestOfFile(path_);
    forcedModified_ = false;
    undo_.setClean();
    emit pathChanged();
    emit sessionChanged();
    emit modifiedChanged();
    return true;
}

QStringList Document::changedOnDisk() const {
    QStringList files;
    if (!onDisk_.isEmpty()) {
        const QByteArray now = digestOfFile(path_);
        if (!now.isEmpty() && now != onDisk_) files << QFileInfo(path_).fileName();
    }
    for (const SourceFile* source : sources_)
        if (source->isModified() && source->isChangedOnDisk()) files << source->name();
    return files;
}

SourceFile* Document::findSource(const QString& path) const {
    const QString wanted = QFileInfo(path).absoluteFilePath();
    for (SourceFile* source : sources_)
        if (!source->path().isEmpty() && QFileInfo(source->path()).absoluteFilePath() == wanted) return source;
    return nullptr;
}

QString Document::sourceLine(const std::string& file, int line) const {
    if (line <= 0) return {};
    const QString path = QString::fromStdString(file);
    const SourceFile* source = findSource(path);
    if (!source && main_ && QFileInfo(path).fileName() == main_->name()) source = main_;
    return source ? source->text().section(QLatin1Char('\n'), line - 1, line - 1).trimmed() : QString();
}

SourceFile* Document::openSource(const QString& path, QString* problem) {
    if (SourceFile* source = findSource(path)) return source;
    auto content = readSource(QFileInfo(path).absoluteFilePath(), problem);
    return content ? openSource(path, std::move(*content)) : nullptr;
}

SourceFile* Document::openSource(const QString& path, SourceContent content) {
    if (SourceFile* source = findSource(path)) return source;
    auto source = std::make_unique<SourceFile>(QFileInfo(path).absoluteFilePath(), QString());
    source->take(std::move(content));
    return adopt(std::move(source));
}

void Document::closeSource(SourceFile* source) {
    if (source == main_ || !sources_.contains(source)) return;
    emit sourceAboutToClose(source);
    sources_.removeOne(source);
    source->deleteLater();
    emit modifiedChanged();
}

const compiler::Kernel* Document::kernel(const std::string& name) const {
    // An instance `scale<float>` without a description has the parameters of its template.
    const std::string base = name.substr(0, name.find('<'));
    for (const compiler::Kernel& kernel : kernels_)
        if (kernel.name == name) return &kernel;
    for (const compiler::Kernel& kernel : kernels_)
        if (kernel.name == base) return &kernel;
    return nullptr;
}

void Document::setKernels(std::vector<compiler::Kernel> kernels) {
    textKernels_ = std::move(kernels);
    joinKernels();
}

void Document::joinKernels() {
    const bool compiled = compile_.valid && compile_.ok && main_ && compile_.revision == main_->revision();
    kernels_ = compiled && !compile_.kernels.empty() ? compile_.kernels : textKernels_;
    // A compilation has only the instances that were asked for. The other templates and instances exist too.
    for (const compiler::Kernel& kernel : textKernels_) {
        const bool known = std::any_of(kernels_.begin(), kernels_.end(),
                                       [&](const compiler::Kernel& other) { return other.name == kernel.name; });
        if (!known && (kernel.is_template || kernel.name.find('<') != std::string::npos)) kernels_.push_back(kernel);
    }
    emit kernelsChanged();
}

void Document::setCompileOutput(CompileOutput output) {
    compile_ = std::move(output);
    joinKernels();
    emit compiled();
}

void Document::addRun(session::Report report, double overheadMs, std::shared_ptr<const nlohmann::json> buffers,
                      std::shared_ptr<const session::Session> made) {
    keepRun({0, QDateTime::currentDateTime(), std::move(report), overheadMs, {}, std::move(buffers), std::move(made)});
}

void Document::addProgramRun(session::Report report, RunRecord::Program program) {
    keepRun({0, QDateTime::currentDateTime(), std::move(report), 0, std::move(program), {}, {}});
}

void Document::keepRun(RunRecord run) {
    if (runs_.size() >= keptRuns) {
        // The last results stay, however many runs fail after them.
        const RunRecord* results = shownRuns(runs_).results;
        runs_.erase(&runs_.front() == results ? runs_.begin() + 1 : runs_.begin());
    }
    run.number = nextRun_++;
    runs_.push_back(std::move(run));
    emit reportChanged();
}

void Document::clearRuns() {
    runs_.clear();
    emit reportChanged();
}

} // namespace warplight::ui
