// SPDX-License-Identifier: GPL-3.0-or-later
/// Builds a session's program with nvcc and runs it in a process of its own, on the device that the session names. Both
/// go through `warplight-cli exec`, which brings the software device and the runtime library.
#pragma once

#include "files/held_folder.hpp"
#include "launch_log/launch_log.hpp"
#include "ui/common/results.hpp"
#include "ui/common/workbench.hpp"

#include <QElapsedTimer>
#include <QProcess>
#include <QStringDecoder>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

namespace warplight::ui {

/// How a program ran.
struct ProgramRun {
    QString name, driver; ///< "cuda" or "software"
    int exitCode = 0;
    int signal = 0;       ///< that ended it; 0: none
    bool stopped = false; ///< by the user
    double ms = 0;        ///< from start to end
    std::vector<launch_log::Launch> launches;
    std::vector<QString> faults;
    std::uint64_t launchCount = 0; ///< also of launches that the log left out
    std::uint64_t unfinished = 0;  ///< launches that had not ended when the program did
    std::vector<launch_log::Copies> copies;
    std::vector<launch_log::Memory> memory;
};

class ProgramRunner : public QObject {
    Q_OBJECT
public:
    explicit ProgramRunner(Workbench& workbench, QObject* parent = nullptr);
    ~ProgramRunner() override;

    bool isBuilding() const { return stage_ == Stage::Building; }
    bool isRunning() const { return stage_ == Stage::Running; }
    bool isBusy() const { return stage_ != Stage::Idle; }
    /// The program reads what is typed: it runs, and no file is its standard input.
    bool takesInput() const { return isRunning() && inputOpen_; }

    /// Builds the text as it is in the window. `built` follows, and the document has the compiler's messages.
    void build();
    /// Runs the program, and builds it before where its text, options or headers have changed.
    void run();
    /// Ends the build or the program, and what it has started: first by asking, after half a second by force.
    void stop();
    void write(const QString& text);
    void endInput();

    /// Why there can be no build or run, as sentences, or empty.
    QString problem();
    /// The program's folder, which must be there.
    QString workingFolder() const;
    QString inputFile() const; ///< empty where there is none
    /// What was built of the text as it is now; empty: nothing.
    QString program() const;

signals:
    void busyChanged();
    void progressed(const QString& text);
    /// What the program writes, as it comes.
    void output(bool isError, const QString& text);
    void built(bool ok);
    void runStarted();
    void runFinished(const warplight::ui::ProgramRun& run);
    /// The build or the program did not start.
    void failed(const QString& message);
    /// Programs are built by nvcc, and there is none.
    void nvccMissing();

private:
    enum class Stage { Idle, Building, Running };
    void setStage(Stage stage);
    /// @param input file that is the standard input; empty: what is written
    void start(const QStringList& arguments, const QString& folder, const QString& input);
    void startBuild();
    void startRun();
    void finishBuild(int exitCode);
    void finishRun(int exitCode, QProcess::ExitStatus status);
    void readOutput();
    void drop();
    ProgramRun readLog() const;
    /// Where the source's own headers lie.
    QString sourceFolder() const;
    /// With the source's own name in place of the copy's.
    QString withOwnName(QString text) const;
    QByteArray buildKey() const;
    QString driver() const;
    /// A file in the runner's own folder.
    QString file(const QString& name) const;
    /// Why the folder cannot be made, which is done once; empty when it is there.
    QString makeFolder();

    Workbench& workbench_;
    std::optional<files::HeldFolder> folder_; ///< of the copy, the program and its log; made for the first build
    std::unique_ptr<QProcess> process_;
    QTimer graceTimer_;
    QElapsedTimer clock_;
    QStringDecoder out_, err_;
    QString said_;           ///< what nvcc wrote
    QString copy_, program_; ///< the source that nvcc reads, and what it makes
    QByteArray built_;       ///< buildKey() of what was built; empty: nothing
    QByteArray asked_;       ///< buildKey() of what is being built
    int revision_ = 0;       ///< of the text that is being built
    Stage stage_ = Stage::Idle;
    bool runAfterwards_ = false, stopping_ = false, inputOpen_ = false;
};

} // namespace warplight::ui
