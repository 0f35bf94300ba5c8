// SPDX-License-Identifier: GPL-3.0-or-later
/// The open session, its source files, and the results of the last builds and runs.
#pragma once

#include "launch_log/launch_log.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "ui/common/opened_session.hpp"
#include "ui/common/results.hpp"

#include <QDateTime>
#include <QObject>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace warplight::ui {

/// A text that is open in a tab. The editor shows it and tells of edits through `setText`.
class SourceFile : public QObject {
    Q_OBJECT
public:
    SourceFile(QString path, QString text, QObject* parent = nullptr);

    QString path() const { return path_; } ///< absolute; empty while it was never saved
    void setPath(const QString& path);
    QString name() const; ///< for the tab: file name, or "untitled.cu"
    void setUntitledName(const QString& name) { untitled_ = name; }
    const QString& text() const { return text_; }
    /// A no-op when it is the same text. Marks the file modified.
    void setText(const QString& text);
    bool isModified() const { return modified_; }
    bool isPtx() const;
    bool isReadOnly() const { return readOnly_; }
    void setReadOnly(bool readOnly);
    /// Counts changes of the text.
    int revision() const { return revision_; }
    /// The text on disk, or empty and `problem` set.
    bool reload(QString* problem);
    /// What was read from its file. It is not modified then.
    void take(SourceContent content);
    bool save(QString* problem);
    bool saveAs(const QString& path, QString* problem);
    void markModified(bool modified);
    /// Another program changed the file since it was last read or written here.
    bool isChangedOnDisk() const;

signals:
    void textChanged();
    void modifiedChanged(bool modified);
    void pathChanged();
    void readOnlyChanged();

private:
    QString path_, text_, untitled_;
    QByteArray onDisk_; ///< digest of the file; empty while there is none
    bool modified_ = false, readOnly_ = false, latin1_ = false;
    int revision_ = 0;
};

/// One run, kept for comparison.
struct RunRecord {
    int number = 0; ///< from 1 in this window; series colour is number - 1
    QDateTime when;
    session::Report report;
    double overheadMs = 0; ///< the workbench's share: time from click to answer, minus the run itself
    /// What a program launched; of a session's kernel nothing.
    struct Program {
        std::vector<launch_log::Launch> launches;
        QString summary; ///< its copies, memory and time, as sentences
    };
    std::optional<Program> program;
    std::shared_ptr<const nlohmann::json> buffers; ///< the worker's `buffers` of this run; may be null
    std::shared_ptr<const session::Session> made;  ///< what ran, with the source's text in it; null of a program
};

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // The session
    const session::Session& session() const { return session_; }
    QString path() const { return path_; } ///< of the .warplight file; empty while it was never saved
    QString folder() const;                ///< where relative paths of the session start
    /// The path that the session stores for a file: relative in or below its folder and, once it is saved, beside it.
    QString pathInSession(const QString& file) const;
    QString title() const; ///< for the window: the session's title or file name
    bool isReadOnly() const { return readOnly_; }
    void setReadOnly(bool readOnly);

    /// Changes the session, as one step of undo called `what`. Steps with the same key that follow each
    /// other become one (typing into a field); an empty key never merges.
    void modify(const QString& what, const std::function<void(session::Session&)>& change, const QString& key = {});
    /// Changes that follow from the source, such as the kernel and the arguments of its signature. They are no step of
    /// undo and do not make the session modified.
    void follow(const std::function<void(session::Session&)>& change);
    /// Puts a session and its source's text in place of the present ones, as one step of undo. The source stays the
    /// file that it is. Undo leaves a text that was edited since as it is.
    /// @param notes for the file of the session's notes, which is written when the session is saved; none: they stay
    void putBack(const session::Session& session, const QString& text, const QString& what,
                 const std::optional<QString>& notes = {});
    bool isFollowing() const { return following_; } ///< sessionChanged was emitted by follow()
    QUndoStack& undoStack() { return undo_; }

    /// The source is a program with main(): it is built and run as a whole.
    bool isProgram() const { return session_.program.has_value(); }
    bool isModified() const; ///< the session, its notes or any source
    bool isSessionModified() const { return !undo_.isClean() || forcedModified_; }

    // Notes of the session
    /// Notes in a file of their own that are not written yet.
    struct TypedNotes {
        QString file, text;
    };
    /// Their file, absolute; empty where they have none in the session's folder.
    QString notesFile() const { return notesFileOf(session_); }
    /// The same of another session in the same folder.
    QString notesFileOf(const session::Session& session) const;
    /// Their Markdown: as it was typed, or as it is on disk.
    /// @throws session::SessionError where it cannot be read; session::OutsideError where its file lies outside
    QString notesText() const;
    const std::optional<TypedNotes>& typedNotes() const { return typedNotes_; }
    void typeNotes(const QString& file, const QString& text);
    /// Writes what was typed. False and `problem` set (sentences) when that did not work.
    bool saveNotes(QString* problem);

    // Opening and saving. False and `problem` set (a sentence) when it did not work; nothing changed then.
    void newSession(const QString& sourceText);
    void newProgram(const QString& sourceText);
    bool openSession(const QString& path, QString* problem);
    /// What openSession() and openSourceAsSession() do with what was read.
    void take(OpenedSession opened);
    bool saveSession(const QString& path, QString* problem);
    /// Files that another window or program has changed, and that saving here would overwrite.
    QStringList changedOnDisk() const;
    /// Opens a source without a session: makes one around it, of a program where the source has a main().
    bool openSourceAsSession(const QString& path, QString* problem);
    /// Opens a session that has its source's text in it as one that was never saved.
    /// @param folder where its relative paths start
    void openUnsaved(session::Session session, const QString& folder);
    /// Takes over the contents of an autosave.
    struct RecoveredSource {
        QString path, name, text;
    };
    void restore(const session::Session& session, const QString& path, const QList<RecoveredSource>& sources,
                 const std::optional<TypedNotes>& notes = {});

    // Sources
    QList<SourceFile*> sources() const { return sources_; }
    SourceFile* mainSource() const { return main_; } ///< the session's; null only before the first session
    SourceFile* openSource(const QString& path, QString* problem);
    /// The open one where there is one.
    SourceFile* openSource(const QString& path, SourceContent content);
    /// The main source cannot be closed.
    void closeSource(SourceFile* source);
    SourceFile* findSource(const QString& path) const;
    /// The line of an open source, without the spaces around it; empty where it is none. The file is a path, or the
    /// name of the main source as compilers and reports have it.
    QString sourceLine(const std::string& file, int line) const;

    // Results
    const std::vector<compiler::Kernel>& kernels() const { return kernels_; }
    const compiler::Kernel* kernel(const std::string& name) const;
    /// Null of a pipeline, whose arguments are not those of one kernel.
    const compiler::Kernel* currentKernel() const { return session_.pipeline ? nullptr : kernel(session_.kernel); }
    /// Sets the kernels found in the source's text. A compilation of that text adds details to them.
    void setKernels(std::vector<compiler::Kernel> kernels);
    const CompileOutput& compileOutput() const { return compile_; }
    void setCompileOutput(CompileOutput output);
    bool hasReport() const { return !runs_.empty(); }
    /// The last run's; valid only if hasReport().
    const session::Report& report() const { return runs_.back().report; }
    const std::vector<RunRecord>& runs() const { return runs_; }
    void addRun(session::Report report, double overheadMs, std::shared_ptr<const nlohmann::json> buffers = {},
                std::shared_ptr<const session::Session> made = {});
    void addProgramRun(session::Report report, RunRecord::Program program);
    void clearRuns();

signals:
    void sessionReplaced(); ///< another session is open
    void sessionChanged();  ///< after modify, follow, undo or replacement
    /// Old names and new ones. The session has the new ones already.
    void argumentsRenamed(const QHash<QString, QString>& names);
    void pathChanged();
    void modifiedChanged();
    void readOnlyChanged();
    void sourceOpened(warplight::ui::SourceFile* source);
    void sourceAboutToClose(warplight::ui::SourceFile* source);
    void kernelsChanged();
    void compiled();      ///< compileOutput() is new
    void reportChanged(); ///< runs() changed

private:
    friend class SessionCommand;
    friend class PutBackCommand;
    void assign(const session::Session& session);
    void replaceWith(session::Session session, const QString& path, std::unique_ptr<SourceFile> main);
    SourceFile* adopt(std::unique_ptr<SourceFile> source);
    void placePaths(session::Session& session, const QString& from, const QString& to) const;
    /// As it was typed, or as it is on disk; none where it cannot be read.
    std::optional<QString> notesIn(const QString& file) const;
    void putNotes(const QString& file, const std::optional<QString>& text);
    void joinKernels();
    void keepRun(RunRecord run);

    session::Session session_;
    QString path_, looseFolder_;
    QByteArray onDisk_; ///< digest of the session's file
    bool readOnly_ = false, forcedModified_ = false, following_ = false;
    bool inlineSource_ = false; ///< the text stands in the session document itself
    std::optional<TypedNotes> typedNotes_;
    QUndoStack undo_;
    QList<SourceFile*> sources_;
    SourceFile* main_ = nullptr;
    std::vector<compiler::Kernel> textKernels_, kernels_;
    CompileOutput compile_;
    std::vector<RunRecord> runs_;
    int nextRun_ = 1;
};

} // namespace warplight::ui
