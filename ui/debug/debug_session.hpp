// SPDX-License-Identifier: GPL-3.0-or-later
/// A kernel that is stepped through: the commands, and what is known of where it stands. The kernel runs in a process
/// of its own, `warplight-cli debug --dap`, on the software device.
#pragma once

#include "ui/debug/breakpoints.hpp"
#include "ui/debug/dap_client.hpp"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <array>

namespace warplight::ui {

class Document;

/// Who is to come to its next line in a step.
enum class StepUnit { Thread, Warp, Block };

struct DebugFrame {
    quint64 id = 0;
    QString name;
    QString source; ///< Breakpoints' key; empty: it has none
    int line = 0;   ///< of the text that is debugged
};

/// Lanes of the warp that are at the same line.
struct DebugPlace {
    QString source;
    int line = 0;
    QList<int> lanes;
};

struct DebugWarp {
    int first = 0, last = 0; ///< threads
    int line = 0;            ///< 0: none
    int atLine = 0, waiting = 0, ended = 0, notBegun = 0;
};

using Extent = std::array<quint32, 3>;
QString extentText(const Extent& extent); ///< "(2, 0, 0)"

/// Where the kernel stands, and whom the window looks at.
struct DebugStanding {
    quint64 block = 0;
    Extent blockIdx{}, gridDim{}, blockDim{}, threadIdx{};
    int thread = 0, warp = 0, lane = 0;
    QStringList states; ///< of the warp's lanes
    QList<DebugPlace> places;
    QList<DebugWarp> warps;
    quint64 blocks() const { return quint64(gridDim[0]) * gridDim[1] * gridDim[2]; }
};

struct DebugScope {
    QString name;
    qint64 reference = 0;
};

class DebugSession : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Starting, ///< it is compiled
        Running,
        Standing,
    };

    DebugSession(Document& document, Breakpoints& breakpoints, QObject* parent = nullptr);
    ~DebugSession() override;

    State state() const { return state_; }
    bool isActive() const { return state_ != State::Idle; }
    bool isStanding() const { return state_ == State::Standing; }
    qint64 processId() const { return client_ ? client_->processId() : 0; }
    /// In place of warplight-cli, for tests.
    void setProgram(const QString& program, const QStringList& arguments);

    /// Starts the session as it is in the window. Without breakpoints it stops at the first line.
    void start();
    void stop();
    void go();
    void stepOver() { step(QStringLiteral("next")); }
    void stepIn() { step(QStringLiteral("stepIn")); }
    void stepOut() { step(QStringLiteral("stepOut")); }
    void stepBack();
    void reverse();
    void pause();
    void goToBlock(quint64 number);
    /// Starts, or goes on, until a thread comes to the line.
    void runToLine(const QString& source, int line);
    void setUnit(StepUnit unit) { unit_ = unit; }
    StepUnit unit() const { return unit_; }

    // While it stands
    const DebugStanding& standing() const { return standing_; }
    const QList<DebugFrame>& stack() const { return stack_; }
    int frame() const { return frame_; } ///< that is shown
    const DebugFrame* shownFrame() const { return stack_.empty() ? nullptr : &stack_[frame_]; }
    const QList<DebugScope>& scopes() const { return scopes_; }
    QString reason() const { return reason_; }         ///< of the stop, as the protocol calls it
    QString reasonText() const { return reasonText_; } ///< why, if there is more to say
    void selectWarp(int warp);
    void selectThread(int thread); ///< of the block
    void selectFrame(int frame);
    /// Sends a request about where it stands. The answer does not come when it has gone on meanwhile.
    void ask(const QString& command, nlohmann::json arguments, DapClient::Answer answer);
    /// An expression or a command of the console: `lane 7`, `block 5`, `last-write x`.
    void enter(const QString& text);

    // Of sources that are edited meanwhile
    void noteEdit(const QString& source, LineEdit edit);
    bool isEdited() const { return isActive() && !edits_.isEmpty(); }
    int lineNow(const QString& source, int started) const;
    int lineStarted(const QString& source, int now) const;

signals:
    void stateChanged();
    void stood();        ///< standing() and stack() are new
    void frameChanged(); ///< frame() and scopes() are new
    void settled();      ///< all that was asked for is answered
    void edited();       ///< isEdited() is true from now on
    void output(const QString& category, const QString& text);
    /// The kernel has run to its end, or could not begin. `problem` is what the compiler or the device said.
    void ended(int exitCode, const QString& problem);
    /// The debugger itself failed.
    void lost(const QString& why);
    void refused(const QString& why); ///< a command

private:
    void step(const QString& command);
    /// A command after which it runs.
    void command(const QString& name, nlohmann::json arguments);
    void launch();
    void sendBreakpoints(const QString& source);
    void takeBreakpoints(const QString& source, const QList<int>& ids, const DapReply& reply);
    void onEvent(const QString& name, const nlohmann::json& body);
    void onStopped(const nlohmann::json& body);
    void look();
    void askScopes();
    void setState(State state);
    void finish();
    void rename(const QString& from, const QString& to);
    [[nodiscard]] QString sourceKey(const nlohmann::json& holder) const;
    [[nodiscard]] nlohmann::json sourceOf(const QString& key) const;

    Document& document_;
    Breakpoints& breakpoints_;
    QString program_;
    QStringList arguments_;
    QPointer<DapClient> client_;
    State state_ = State::Idle;
    StepUnit unit_ = StepUnit::Warp;
    bool takesBreakpoints_ = false;
    struct Known {
        QString source;
        int id;
    };
    QHash<int, Known> known_; ///< by the debugger's number
    struct Temporary {
        QString source;
        int line = 0; ///< of the text that is debugged
    } target_;        ///< of runToLine
    QHash<QString, EditedLines> edits_;
    QHash<QString, QString> names_; ///< of sources that were saved under other names, by those that the debugger knows
    quint64 threadId_ = 1;
    quint64 generation_ = 0; ///< counts stops and looks
    int open_ = 0;           ///< requests of this generation
    DebugStanding standing_;
    QList<DebugFrame> stack_;
    QList<DebugScope> scopes_;
    int frame_ = 0;
    QString reason_, reasonText_, errors_;
    int exitCode_ = 0;
};

} // namespace warplight::ui
