// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/debug_session.hpp"

#include "session/session.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/document.hpp"
#include "worker/client.hpp"

#include <algorithm>
#include <utility>

namespace warplight::ui {
namespace {

using nlohmann::json;

constexpr qsizetype mostErrorText = 20000;

// What a debugger sends may be of any type: a wrong one reads as nothing.

qint64 dapNumber(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<qint64>() : 0;
}

QString dapText(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

json dapList(const json& object, const char* key) {
    const auto found = object.find(key);
    json list = json::array();
    if (found == object.end() || !found->is_array()) return list;
    for (const json& each : *found)
        list.push_back(each);
    return list;
}

Extent dapExtent(const json& object, const char* key) {
    Extent extent{};
    std::size_t k = 0;
    for (const json& each : dapList(object, key))
        if (k < extent.size()) extent[k++] = each.is_number_unsigned() ? each.get<quint32>() : 0;
    return extent;
}

const char* unitName(StepUnit unit) {
    switch (unit) {
    case StepUnit::Thread: return "thread";
    case StepUnit::Warp: return "warp";
    case StepUnit::Block: return "block";
    }
    return "warp";
}

} // namespace

QString extentText(const Extent& extent) {
    return QStringLiteral("(%1, %2, %3)").arg(extent[0]).arg(extent[1]).arg(extent[2]);
}

DebugSession::DebugSession(Document& document, Breakpoints& breakpoints, QObject* parent)
    : QObject(parent), document_(document), breakpoints_(breakpoints), program_(fromPath(worker::find_worker())),
      arguments_{QStringLiteral("debug"), QStringLiteral("--dap")} {
    connect(&breakpoints_, &Breakpoints::renamed, this, &DebugSession::rename);
    connect(&breakpoints_, &Breakpoints::changed, this, &DebugSession::sendBreakpoints);
    connect(&document_, &Document::sessionReplaced, this, &DebugSession::stop);
}

DebugSession::~DebugSession() {
    if (client_) client_->disconnect(this);
}

void DebugSession::setProgram(const QString& program, const QStringList& arguments) {
    program_ = program;
    arguments_ = arguments;
}

void DebugSession::setState(State state) {
    if (std::exchange(state_, state) != state) emit stateChanged();
}

// --- begin and end

void DebugSession::start() {
    if (isActive()) return;
    known_.clear();
    edits_.clear();
    names_.clear();
    standing_ = {};
    stack_.clear();
    scopes_.clear();
    errors_.clear();
    reason_.clear();
    reasonText_.clear();
    exitCode_ = 0;
    takesBreakpoints_ = false;
    client_ = new DapClient(this);
    connect(client_, &DapClient::told, this, [this](const DapEvent& event) { onEvent(event.name, event.body); });
    connect(client_, &DapClient::ended, this, [this](const QString& why) {
        finish();
        emit lost(why);
    });
    setState(State::Starting);
    client_->start(program_, arguments_);
    if (!client_) return; // on Windows it is known at once that there is no such program
    client_->request(QStringLiteral("initialize"),
                     {{"adapterID", "warplight"},
                      {"clientID", "warplight"},
                      {"linesStartAt1", true},
                      {"columnsStartAt1", true},
                      {"pathFormat", "path"}},
                     [this](const DapReply& reply) {
                         if (reply.ok) return launch();
                         finish();
                         emit lost(reply.error);
                     });
}

void DebugSession::launch() {
    const SourceFile* source = document_.mainSource();
    session::Session session = document_.session();
    if (session.source.path.empty()) { // a text that is in no file: breakpoints name it
        session.source.name = source->name().toStdString();
        session.source.text = source->text().toStdString();
    }
    json arguments{{"session", session::to_json(session)},
                   {"folder", document_.folder().toStdString()},
                   {"session_path", document_.path().toStdString()},
                   {"source_text", source->text().toStdString()},
                   {"stopOnEntry", breakpoints_.isEmpty() && target_.source.isEmpty()}};
    for (const QString& path : agreementsOf(document_.folder()))
        arguments["allow"].push_back(path.toStdString());
    client_->request(QStringLiteral("launch"), std::move(arguments), [this](const DapReply& reply) {
        if (reply.ok) return;
        finish();
        emit ended(2, reply.error);
    });
}

void DebugSession::stop() {
    if (!isActive()) return;
    finish();
}

void DebugSession::finish() {
    ++generation_;
    open_ = 0;
    takesBreakpoints_ = false;
    target_ = {};
    if (client_) {
        // It goes by itself; its process is killed if it does not end.
        DapClient* gone = std::exchange(client_, nullptr);
        gone->disconnect(this);
        connect(gone, &DapClient::ended, gone, &QObject::deleteLater);
        if (gone->isOver())
            gone->deleteLater();
        else
            gone->end();
    }
    setState(State::Idle);
    breakpoints_.forgetStates();
}

void DebugSession::onEvent(const QString& name, const json& body) {
    if (name == QLatin1String("initialized")) {
        takesBreakpoints_ = true;
        QStringList sources = breakpoints_.sources();
        if (!target_.source.isEmpty() && !sources.contains(target_.source)) sources << target_.source;
        for (const QString& source : std::as_const(sources))
            sendBreakpoints(source);
        client_->request(QStringLiteral("configurationDone"), json::object());
    } else if (name == QLatin1String("process")) {
        if (state_ == State::Starting) setState(State::Running);
    } else if (name == QLatin1String("breakpoint")) {
        const json b = body.value("breakpoint", json::object());
        const auto known = known_.constFind(int(dapNumber(b, "id")));
        if (known == known_.cend()) return;
        breakpoints_.setState(known->source, known->id,
                              b.value("verified", json()) == json(true) ? Breakpoint::State::Set
                                                                        : Breakpoint::State::Refused,
                              dapText(b, "message"), int(dapNumber(b, "line")));
    } else if (name == QLatin1String("stopped")) {
        onStopped(body);
    } else if (name == QLatin1String("continued")) { // by a command of the console
        if (!isStanding()) return;
        ++generation_;
        open_ = 0;
        setState(State::Running);
    } else if (name == QLatin1String("invalidated")) {
        if (isStanding()) look();
    } else if (name == QLatin1String("output")) {
        const QString category = dapText(body, "category"), text = dapText(body, "output");
        if (category == QLatin1String("stderr") && errors_.size() < mostErrorText) errors_ += text;
        emit output(category, text);
    } else if (name == QLatin1String("exited")) {
        exitCode_ = int(dapNumber(body, "exitCode"));
    } else if (name == QLatin1String("terminated")) {
        finish();
        emit ended(exitCode_, errors_.trimmed());
    }
}

// --- breakpoints

json DebugSession::sourceOf(const QString& key) const {
    const QString known = names_.key(key, key);
    if (Breakpoints::isUnsaved(known)) return {{"name", Breakpoints::nameOfUnsaved(known).toStdString()}};
    return {{"path", known.toStdString()}};
}

QString DebugSession::sourceKey(const json& holder) const {
    const auto source = holder.find("source");
    if (source == holder.end() || !source->is_object()) return {};
    if (dapNumber(*source, "sourceReference")) return Breakpoints::keyOf(*document_.mainSource());
    const QString path = dapText(*source, "path");
    if (path.isEmpty()) return {};
    const QString key = Breakpoints::keyOfPath(path);
    return names_.value(key, key);
}

void DebugSession::rename(const QString& from, const QString& to) {
    if (!isActive()) return;
    names_.insert(names_.key(from, from), to);
    if (edits_.contains(from)) edits_.insert(to, edits_.take(from));
    for (DebugFrame& frame : stack_)
        if (frame.source == from) frame.source = to;
    for (DebugPlace& place : standing_.places)
        if (place.source == from) place.source = to;
    for (Known& known : known_)
        if (known.source == from) known.source = to;
    if (target_.source == from) target_.source = to;
}

void DebugSession::sendBreakpoints(const QString& source) {
    if (!client_ || !takesBreakpoints_) return;
    if (Breakpoints::isUnsaved(source) && source != Breakpoints::keyOf(*document_.mainSource())) return;
    json wanted = json::array();
    QList<int> ids;
    for (const Breakpoint& b : breakpoints_.of(source)) {
        if (!b.enabled) continue;
        const int line = lineStarted(source, b.line);
        if (line == 0) {
            breakpoints_.setState(source, b.id, Breakpoint::State::Refused,
                                  tr("The line is new. The kernel that runs does not have it."), 0);
            continue;
        }
        json each{{"line", line}};
        if (!b.condition.isEmpty()) each["condition"] = b.condition.toStdString();
        wanted.push_back(std::move(each));
        ids << b.id;
    }
    if (target_.source == source) wanted.push_back({{"line", target_.line}});
    client_->request(QStringLiteral("setBreakpoints"), {{"source", sourceOf(source)}, {"breakpoints", wanted}},
                     [this, source, ids](const DapReply& reply) { takeBreakpoints(source, ids, reply); });
}

void DebugSession::takeBreakpoints(const QString& source, const QList<int>& ids, const DapReply& reply) {
    if (!reply.ok) {
        for (const int id : ids)
            breakpoints_.setState(source, id, Breakpoint::State::Refused, reply.error, 0);
        return;
    }
    const json list = dapList(reply.body, "breakpoints");
    for (qsizetype k = 0; k < ids.size() && std::size_t(k) < list.size(); ++k) {
        const json& b = list[std::size_t(k)];
        if (!b.is_object()) continue;
        known_.insert(int(dapNumber(b, "id")), {source, ids[k]});
        const bool set = b.value("verified", json()) == json(true);
        // Before the kernel is compiled none is set.
        const auto state = set                         ? Breakpoint::State::Set
                           : state_ == State::Starting ? Breakpoint::State::Waiting
                                                       : Breakpoint::State::Refused;
        breakpoints_.setState(source, ids[k], state, dapText(b, "message"), int(dapNumber(b, "line")));
    }
}

// --- commands

void DebugSession::command(const QString& name, json arguments) {
    if (!isStanding()) return;
    ++generation_;
    open_ = 0;
    client_->request(name, std::move(arguments), [this, generation = generation_](const DapReply& reply) {
        if (reply.ok) return;
        if (generation == generation_) {
            setState(State::Standing);
            look(); // the variables that were shown have other numbers
        }
        emit refused(reply.error);
    });
    setState(State::Running);
}

void DebugSession::go() { command(QStringLiteral("continue"), {{"threadId", threadId_}}); }
void DebugSession::step(const QString& name) { command(name, {{"threadId", threadId_}, {"unit", unitName(unit_)}}); }
void DebugSession::stepBack() { command(QStringLiteral("stepBack"), {{"threadId", threadId_}}); }
void DebugSession::reverse() { command(QStringLiteral("reverseContinue"), {{"threadId", threadId_}}); }

void DebugSession::pause() {
    if (state_ != State::Running && state_ != State::Starting) return;
    client_->request(QStringLiteral("pause"), {{"threadId", threadId_}}, [this](const DapReply& reply) {
        if (!reply.ok) emit refused(reply.error);
    });
}

void DebugSession::goToBlock(quint64 number) { enter(QStringLiteral("block %1").arg(number)); }

void DebugSession::runToLine(const QString& source, int line) {
    if (isActive() && !isStanding()) return;
    const QString before = std::exchange(target_, {source, isActive() ? lineStarted(source, line) : line}).source;
    if (!isActive()) {
        const Temporary target = target_;
        start();
        target_ = target;
        return;
    }
    if (target_.line == 0) {
        target_ = {};
        emit refused(tr("The line is new. The kernel that runs does not have it."));
        return;
    }
    if (!before.isEmpty() && before != source) sendBreakpoints(before);
    sendBreakpoints(source);
    go();
}

void DebugSession::enter(const QString& text) {
    if (!isStanding()) return;
    json arguments{{"expression", text.toStdString()}, {"context", "repl"}};
    if (const DebugFrame* shown = shownFrame()) arguments["frameId"] = shown->id;
    client_->request(QStringLiteral("evaluate"), std::move(arguments), [this](const DapReply& reply) {
        emit output(reply.ok ? QStringLiteral("result") : QStringLiteral("refused"),
                    (reply.ok ? dapText(reply.body, "result") : reply.error) + QLatin1Char('\n'));
    });
}

// --- where it stands

void DebugSession::onStopped(const json& body) {
    threadId_ = quint64(std::max<qint64>(dapNumber(body, "threadId"), 1));
    reason_ = dapText(body, "reason");
    reasonText_ = dapText(body, "text");
    if (!target_.source.isEmpty()) sendBreakpoints(std::exchange(target_, {}).source);
    setState(State::Standing);
    look();
}

void DebugSession::ask(const QString& command, json arguments, DapClient::Answer answer) {
    if (!isStanding()) return;
    ++open_;
    client_->request(command, std::move(arguments),
                     [this, generation = generation_, answer = std::move(answer)](const DapReply& reply) {
                         if (generation != generation_) return;
                         answer(reply);
                         if (generation == generation_ && --open_ == 0) emit settled();
                     });
}

void DebugSession::look() {
    ++generation_;
    open_ = 0;
    ask(QStringLiteral("warplight/standing"), {{"threadId", threadId_}}, [this](const DapReply& reply) {
        if (!reply.ok) return;
        const json& all = reply.body;
        standing_ = {};
        standing_.block = quint64(dapNumber(all, "block"));
        standing_.blockIdx = dapExtent(all, "blockIdx");
        standing_.gridDim = dapExtent(all, "gridDim");
        standing_.blockDim = dapExtent(all, "blockDim");
        standing_.threadIdx = dapExtent(all, "threadIdx");
        standing_.thread = int(dapNumber(all, "thread"));
        standing_.warp = int(dapNumber(all, "warp"));
        standing_.lane = int(dapNumber(all, "lane"));
        for (const json& each : dapList(all, "states"))
            standing_.states << (each.is_string() ? QString::fromStdString(each.get<std::string>()) : QString());
        for (const json& each : dapList(all, "places")) {
            if (!each.is_object()) continue;
            DebugPlace place{sourceKey(each), int(dapNumber(each, "line")), {}};
            for (const json& lane : dapList(each, "lanes"))
                if (lane.is_number_unsigned()) place.lanes << lane.get<int>();
            standing_.places << place;
        }
        for (const json& each : dapList(all, "warps")) {
            if (!each.is_object()) continue;
            const auto number = [&](const char* key) { return int(dapNumber(each, key)); };
            standing_.warps << DebugWarp{number("first"),   number("last"),  number("line"),    number("atLine"),
                                         number("waiting"), number("ended"), number("notBegun")};
        }
    });
    ask(QStringLiteral("stackTrace"), {{"threadId", threadId_}}, [this](const DapReply& reply) {
        stack_.clear();
        frame_ = 0;
        for (const json& each : dapList(reply.body, "stackFrames"))
            if (each.is_object())
                stack_ << DebugFrame{quint64(dapNumber(each, "id")), dapText(each, "name"), sourceKey(each),
                                     int(dapNumber(each, "line"))};
        emit stood();
        askScopes();
    });
}

void DebugSession::askScopes() {
    const DebugFrame* shown = shownFrame();
    if (!shown) {
        scopes_.clear();
        emit frameChanged();
        return;
    }
    ask(QStringLiteral("scopes"), {{"frameId", shown->id}}, [this](const DapReply& reply) {
        scopes_.clear();
        for (const json& each : dapList(reply.body, "scopes"))
            if (each.is_object()) scopes_ << DebugScope{dapText(each, "name"), dapNumber(each, "variablesReference")};
        emit frameChanged();
    });
}

void DebugSession::selectWarp(int warp) {
    if (!isStanding() || warp < 0 || warp >= standing_.warps.size()) return;
    threadId_ = quint64(warp) + 1;
    look();
}

void DebugSession::selectThread(int thread) {
    if (!isStanding() || thread < 0) return;
    threadId_ = quint64(thread) / 32 + 1; // `invalidated` follows
    json arguments{{"expression", "thread " + std::to_string(thread)}, {"context", "repl"}};
    client_->request(QStringLiteral("evaluate"), std::move(arguments), [this](const DapReply& reply) {
        if (!reply.ok) emit refused(reply.error);
    });
}

void DebugSession::selectFrame(int frame) {
    if (!isStanding() || frame < 0 || frame >= stack_.size() || frame == frame_) return;
    frame_ = frame;
    askScopes();
}

// --- edits

void DebugSession::noteEdit(const QString& source, LineEdit edit) {
    if (!isActive()) return;
    const bool first = edits_.isEmpty();
    EditedLines& lines = edits_[source];
    if (edit.added) lines.add(edit);
    if (first) emit edited();
}

int DebugSession::lineNow(const QString& source, int started) const {
    const auto found = edits_.constFind(source);
    return found == edits_.cend() ? started : found->now(started);
}

int DebugSession::lineStarted(const QString& source, int now) const {
    const auto found = edits_.constFind(source);
    return found == edits_.cend() ? now : found->before(now);
}

} // namespace warplight::ui
