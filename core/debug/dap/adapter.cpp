// SPDX-License-Identifier: Apache-2.0
#include "adapter.hpp"

#include "base64.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace warplight::debug::dap {

const Adapter::Command Adapter::commands[] = {
    {"initialize", &Adapter::initialize},
    {"launch", &Adapter::launch},
    {"attach", &Adapter::attach},
    {"configurationDone", &Adapter::configuration_done},
    {"disconnect", &Adapter::disconnect},
    {"terminate", &Adapter::terminate},
    {"setBreakpoints", &Adapter::set_breakpoints},
    {"setExceptionBreakpoints", &Adapter::set_exception_breakpoints},
    {"dataBreakpointInfo", &Adapter::data_breakpoint_info},
    {"setDataBreakpoints", &Adapter::set_data_breakpoints},
    {"continue", &Adapter::go},
    {"next", &Adapter::next},
    {"stepIn", &Adapter::step_in},
    {"stepOut", &Adapter::step_out},
    {"stepBack", &Adapter::step_back},
    {"reverseContinue", &Adapter::reverse},
    {"pause", &Adapter::pause},
    {"threads", &Adapter::threads},
    {"stackTrace", &Adapter::stack_trace},
    {"scopes", &Adapter::scopes},
    {"variables", &Adapter::variables},
    {"evaluate", &Adapter::evaluate},
    {"exceptionInfo", &Adapter::exception_info},
    {"source", &Adapter::source},
    {"readMemory", &Adapter::read_memory},
    {"warplight/standing", &Adapter::standing},
    {"warplight/lanes", &Adapter::lanes},
};

namespace {

constexpr std::size_t kMostMemory = std::size_t{1} << 20; ///< bytes at once

const char* reason_text(Stop::Reason reason) {
    switch (reason) {
    case Stop::Reason::entry:
    case Stop::Reason::begin: return "entry";
    case Stop::Reason::breakpoint: return "breakpoint";
    case Stop::Reason::step: return "step";
    case Stop::Reason::pause: return "pause";
    case Stop::Reason::write: return "data breakpoint";
    case Stop::Reason::failure: return "exception";
    case Stop::Reason::block: return "goto";
    }
    return "pause";
}

/// A whole number at the end of a text.
std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

} // namespace

Adapter::Adapter(Send send, std::function<void(const KernelRun&)> prepare)
    : send_(std::move(send)), prepare_(std::move(prepare)), debugger_(*this) {}

Adapter::~Adapter() {
    if (thread_.joinable()) thread_.join();
}

bool Adapter::end() {
    is_ending_ = true;
    debugger_.cancel();
    // Code of a kernel that never comes to a line cannot be ended; compilations are ended by their own process.
    constexpr auto patience = std::chrono::milliseconds(3000);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (thread_.joinable() && !has_ended_ && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return !thread_.joinable() || has_ended_;
}

// --- messages

void Adapter::send(json message) {
    const std::scoped_lock lock(sending_);
    send_next(std::move(message));
}

void Adapter::send_next(json message) {
    message["seq"] = ++sequence_;
    send_(message);
}

void Adapter::send_event(const char* name, json body) {
    json event{{"type", "event"}, {"event", name}};
    if (!body.is_null()) event["body"] = std::move(body);
    send(std::move(event));
}

void Adapter::tell(std::string_view category, const std::string& text) {
    send_event("output", {{"category", category}, {"output", text}});
}

bool Adapter::receive(const json& message) {
    const auto text = [&](const char* key) {
        const auto found = message.find(key);
        return found != message.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto number = message.find("seq");
    if (text("type") == "response") return true; // this adapter asks nothing
    if (text("type") != "request" || text("command").empty() || number == message.end() ||
        !number->is_number_integer()) {
        tell("important", "A message was left out: it is no request with a seq and a command.\n");
        return true;
    }
    const std::string command = text("command");
    json response{{"type", "response"}, {"request_seq", *number}, {"command", command}};
    after_answer_ = nullptr;
    has_gone_on_ = false;
    // Events wait: the stop at the end of a step comes behind the answer to the step.
    std::unique_lock lock(sending_);
    try {
        json body = answer(command, message);
        response["success"] = true;
        if (!body.is_null()) response["body"] = std::move(body);
    } catch (const std::exception& e) {
        after_answer_ = nullptr;
        has_gone_on_ = false;
        response["success"] = false;
        response["message"] = e.what();
        response["body"] = {{"error", {{"id", 1}, {"format", e.what()}, {"showUser", true}}}};
    }
    send_next(std::move(response));
    if (has_gone_on_)
        send_next(
            {{"type", "event"}, {"event", "continued"}, {"body", {{"threadId", 1}, {"allThreadsContinued", true}}}});
    lock.unlock();
    if (after_answer_) after_answer_();
    return !is_done_;
}

json Adapter::answer(const std::string& command, const json& request) {
    const auto found =
        std::find_if(std::begin(commands), std::end(commands), [&](const Command& c) { return c.name == command; });
    if (found == std::end(commands)) throw RequestError(fmt::format("There is no request '{}' here.", command));
    if (!is_initialized_ && command != "initialize" && command != "disconnect")
        throw RequestError("The first request must be 'initialize'.");
    return (this->*found->handler)(Arguments(request));
}

void Adapter::check(const std::string& why) {
    if (!why.empty()) throw RequestError(why);
}

template <class Look>
void Adapter::look(Look&& look) {
    if (!debugger_.look(look)) throw RequestError("Nothing stands still: pause the kernel first.");
}

// --- begin and end

json Adapter::initialize(const Arguments& a) {
    if (is_initialized_) throw RequestError("'initialize' was sent before.");
    first_line_ = a.get("linesStartAt1", true) ? 1 : 0;
    first_column_ = a.get("columnsStartAt1", true) ? 1 : 0;
    if (a.get<std::string>("pathFormat", "path") != "path") throw RequestError("Sources have paths here, no URIs.");
    is_initialized_ = true;
    return {{"supportsConfigurationDoneRequest", true}, {"supportsConditionalBreakpoints", true},
            {"supportsEvaluateForHovers", true},        {"supportsStepBack", true},
            {"supportsDataBreakpoints", true},          {"supportsExceptionInfoRequest", true},
            {"supportsReadMemoryRequest", true},        {"supportsTerminateRequest", true}};
}

json Adapter::launch(const Arguments& a) {
    if (kernel_) throw RequestError("A kernel was launched before. Start another adapter for another one.");
    const auto shown = a.get<std::string>("threads", "warps");
    if (shown != "warps" && shown != "threads") throw RequestError("'threads' must be \"warps\" or \"threads\".");
    unit_ = unit_of(a, "step", shown == "warps" ? Unit::warp : Unit::thread);
    debugger_.stop_at_entry(a.get("stopOnEntry", false));
    KernelRun run = kernel_run_of(a);
    prepare_(run);
    views_.settings = {shown == "threads", run.options.folder, run.unsaved.name,
                       run.ptx_path,       first_line_,        first_column_};
    kernel_ = std::move(run);
    after_answer_ = [this] { send_event("initialized"); };
    return nullptr;
}

json Adapter::attach(const Arguments& a) {
    (void)a;
    throw RequestError("A running program cannot be debugged. Use 'launch' with a session, a .cu or a .ptx.");
}

json Adapter::configuration_done(const Arguments& a) {
    (void)a;
    if (!kernel_) throw RequestError("'launch' must come first.");
    if (is_running_) throw RequestError("'configurationDone' was sent before.");
    is_running_ = true;
    after_answer_ = [this] { thread_ = std::thread([this] { run(); }); };
    return nullptr;
}

void Adapter::run() {
    const int code = run_kernel(
        *kernel_, debugger_, [this] { return is_ending_.load(); },
        [this](std::string_view category, const std::string& text) { tell(category, text); });
    send_event("exited", {{"exitCode", code}});
    send_event("terminated");
    has_ended_ = true;
}

json Adapter::terminate(const Arguments& a) {
    (void)a;
    is_ending_ = true;
    debugger_.cancel();
    if (!is_running_) after_answer_ = [this] { send_event("terminated"); };
    return nullptr;
}

json Adapter::disconnect(const Arguments& a) {
    (void)a;
    is_ending_ = true;
    is_done_ = true;
    debugger_.cancel();
    return nullptr;
}

// --- breakpoints

json Adapter::to_json(const Breakpoint& b) const {
    json all{{"id", b.id}, {"verified", b.is_set}, {"line", b.line - 1 + first_line_}};
    if (!b.problem.empty()) all["message"] = b.problem;
    return all;
}

json Adapter::set_breakpoints(const Arguments& a) {
    if (!a.find("source")) throw RequestError("The argument 'source' is missing.");
    const Arguments from = Arguments::of(*a.find("source"));
    const auto path = from.get<std::string>("path", from.get<std::string>("name", ""));
    if (path.empty()) throw RequestError("The source of breakpoints needs a path.");
    std::vector<Debugger::Wanted> wanted;
    for (const Arguments& each : a.objects("breakpoints"))
        wanted.push_back({each.get<std::uint32_t>("line") + 1 - first_line_, each.get<std::string>("condition", "")});
    json list = json::array();
    for (const Breakpoint& b : debugger_.set_breakpoints(path, wanted))
        list.push_back(to_json(b));
    return {{"breakpoints", std::move(list)}};
}

json Adapter::set_exception_breakpoints(const Arguments& a) {
    (void)a; // faults always stop
    return nullptr;
}

json Adapter::data_breakpoint_info(const Arguments& a) {
    const auto name = a.get<std::string>("name");
    json answer{{"dataId", nullptr}, {"description", ""}};
    look([&](const Standing& now) {
        const auto reference = a.get<std::uint64_t>("variablesReference", 0);
        const std::string expression = reference ? views_.expression_of(reference, name) : name;
        const auto of_list = views_.frame_of_reference(reference);
        const Views::Frame frame = of_list ? *of_list : Views::frame_of(now, a.optional<std::uint64_t>("frameId"));
        try {
            const Scope scope = Views::scope_of(now, frame);
            const std::string id = fmt::format("{}", ++last_watch_);
            watches_.insert_or_assign(
                id, Watch(last_watch_, expression, scope, now.program, now.block, frame.thread, frame.call));
            answer["dataId"] = id;
            answer["description"] = expression;
            answer["accessTypes"] = {"write"};
        } catch (const ExpressionError& e) {
            answer["description"] = e.what();
        }
    });
    return answer;
}

json Adapter::set_data_breakpoints(const Arguments& a) {
    std::vector<Watch> watches;
    json list = json::array();
    for (const Arguments& each : a.objects("breakpoints")) {
        const auto id = each.get<std::string>("dataId");
        const auto found = watches_.find(id);
        if (found == watches_.end() || each.get<std::string>("accessType", "write") != "write") {
            list.push_back(
                {{"verified", false}, {"message", "Only writes of what 'dataBreakpointInfo' has named stop."}});
            continue;
        }
        watches.push_back(found->second);
        list.push_back({{"id", found->second.id}, {"verified", true}});
    }
    debugger_.set_watches(std::move(watches));
    return {{"breakpoints", std::move(list)}};
}

// --- steps

json Adapter::go(const Arguments& a) {
    (void)a.get<std::uint64_t>("threadId");
    check(debugger_.go());
    return {{"allThreadsContinued", true}};
}

Unit Adapter::unit_of(const Arguments& a, const char* name, Unit otherwise) {
    const auto unit = a.optional<std::string>(name);
    if (!unit) return otherwise;
    if (*unit == "thread") return Unit::thread;
    if (*unit == "warp") return Unit::warp;
    if (*unit == "block") return Unit::block;
    throw RequestError(fmt::format("'{}' must be \"thread\", \"warp\" or \"block\".", name));
}

json Adapter::step(const Arguments& a, Step step) {
    std::uint32_t thread = 0;
    look([&](const Standing& now) { thread = views_.thread_of(now, a.get<std::uint64_t>("threadId")); });
    check(debugger_.step(step, unit_of(a, "unit", unit_), thread));
    return nullptr;
}

json Adapter::next(const Arguments& a) { return step(a, Step::over); }
json Adapter::step_in(const Arguments& a) { return step(a, Step::in); }
json Adapter::step_out(const Arguments& a) { return step(a, Step::out); }

json Adapter::step_back(const Arguments& a) {
    std::uint32_t thread = 0;
    look([&](const Standing& now) { thread = views_.thread_of(now, a.get<std::uint64_t>("threadId")); });
    check(debugger_.step_back(thread));
    return nullptr;
}

json Adapter::reverse(const Arguments& a) {
    (void)a.get<std::uint64_t>("threadId");
    check(debugger_.go_back());
    return nullptr;
}

json Adapter::pause(const Arguments& a) {
    (void)a;
    if (!is_running_ || has_ended_) throw RequestError("Nothing runs.");
    debugger_.pause();
    return nullptr;
}

// --- what stands still

json Adapter::threads(const Arguments& a) {
    (void)a;
    json answer;
    if (debugger_.look([&](const Standing& now) { answer = views_.threads(now); })) return answer;
    answer = {{"threads", json::array()}};
    for (std::uint32_t k = 0; k < last_threads_; ++k)
        answer["threads"].push_back({{"id", k + 1}, {"name", "running"}});
    return answer;
}

json Adapter::stack_trace(const Arguments& a) {
    json answer;
    look([&](const Standing& now) {
        answer = views_.stack(now, a.get<std::uint64_t>("threadId"), a.get<std::uint64_t>("startFrame", 0),
                              a.get<std::uint64_t>("levels", 0));
    });
    return answer;
}

json Adapter::scopes(const Arguments& a) {
    json answer;
    look([&](const Standing& now) { answer = views_.scopes(now, a.get<std::uint64_t>("frameId")); });
    return answer;
}

json Adapter::variables(const Arguments& a) {
    json answer;
    look([&](const Standing& now) {
        // All parts count as both named and indexed ones: an array has no others.
        answer = views_.variables(now, a.get<std::uint64_t>("variablesReference"), a.get<std::uint64_t>("start", 0),
                                  a.get<std::uint64_t>("count", 0));
    });
    return answer;
}

json Adapter::evaluate(const Arguments& a) {
    const auto text = a.get<std::string>("expression");
    const auto frame = a.optional<std::uint64_t>("frameId");
    if (a.get<std::string>("context", "") == "repl")
        if (auto done = command_line(text, frame)) return {{"result", *done}, {"variablesReference", 0}};
    json answer;
    look([&](const Standing& now) { answer = views_.evaluate(now, text, frame); });
    return answer;
}

std::optional<std::string> Adapter::command_line(const std::string& text, std::optional<std::uint64_t> frame) {
    const std::size_t space = text.find(' ');
    const std::string word = text.substr(0, space);
    const std::string rest = space == std::string::npos ? std::string() : text.substr(space + 1);
    if (word == "help")
        return "lane N, thread N: whose variables a warp shows. block N: goes to a block. last-write EXPRESSION: goes "
               "back to the last write. EXPRESSION @ lanes, EXPRESSION @ block: of all.";
    if (word == "last-write" && !rest.empty()) {
        std::optional<Watch> watch;
        look([&](const Standing& now) {
            const Views::Frame at = Views::frame_of(now, frame);
            try {
                const Scope scope = Views::scope_of(now, at);
                watch.emplace(++last_watch_, rest, scope, now.program, now.block, at.thread, at.call);
            } catch (const ExpressionError& e) {
                throw RequestError(e.what());
            }
        });
        check(debugger_.back_to_write(*watch));
        has_gone_on_ = true;
        return fmt::format("going back to the last write of {}", rest);
    }
    const auto number = number_in(rest);
    if (!number) return std::nullopt;
    if (word == "block") {
        check(debugger_.go_to_block(*number));
        has_gone_on_ = true;
        return fmt::format("going to block {}", *number);
    }
    if (word != "lane" && word != "thread") return std::nullopt;
    std::string told;
    look([&](const Standing& now) {
        const std::uint32_t warp = Views::frame_of(now, frame).thread / software::kWarpSize;
        const std::uint64_t thread = word == "lane" ? warp * std::uint64_t{software::kWarpSize} + *number : *number;
        if ((word == "lane" && *number >= software::kWarpSize) || thread >= now.block.threads.size())
            throw RequestError("There is no such thread.");
        views_.choose(static_cast<std::uint32_t>(thread));
        told = fmt::format("Its warp shows thread {}.", thread);
    });
    after_answer_ = [this] { send_event("invalidated", {{"areas", {"stacks", "variables"}}}); };
    return told;
}

json Adapter::exception_info(const Arguments& a) {
    json answer;
    (void)a.get<std::uint64_t>("threadId");
    look([&](const Standing& now) {
        if (now.stop.reason != Stop::Reason::failure) throw RequestError("The kernel has not failed.");
        answer = {{"exceptionId", "fault"}, {"description", now.stop.text}, {"breakMode", "always"}};
    });
    return answer;
}

json Adapter::source(const Arguments& a) {
    if (a.get<std::uint64_t>("sourceReference") != 1 || !kernel_ || kernel_->unsaved.name.empty())
        throw RequestError("There is no such source.");
    return {{"content", kernel_->unsaved.text}, {"mimeType", "text/x-cuda"}};
}

json Adapter::read_memory(const Arguments& a) {
    const auto reference = a.get<std::string>("memoryReference");
    const json* shift = a.find("offset");
    if (shift && !shift->is_number_integer()) throw RequestError("The argument 'offset' must be an integer.");
    const std::string_view digits = std::string_view(reference).substr(reference.starts_with("0x") ? 2 : 0);
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) throw RequestError("This is no address.");
    if (shift) address += static_cast<std::uint64_t>(shift->get<std::int64_t>());
    const std::size_t count = std::min<std::uint64_t>(a.get<std::uint64_t>("count"), kMostMemory);
    json answer{{"address", fmt::format("{:#x}", address)}};
    look([&](const Standing& now) {
        // As much as there is, found by halves.
        std::vector<std::byte> bytes(count);
        std::size_t there = 0;
        for (std::size_t piece = count; piece > 0;) {
            if (there + piece <= count && now.launch.read(address + there, bytes.data() + there, piece))
                there += piece;
            else
                piece /= 2;
        }
        bytes.resize(there);
        answer["data"] = base64(bytes);
        answer["unreadableBytes"] = count - there;
    });
    return answer;
}

json Adapter::standing(const Arguments& a) {
    json answer;
    look([&](const Standing& now) {
        const auto id = a.optional<std::uint64_t>("threadId");
        answer = views_.standing(now, id ? *id : views_.id_of(now.stop.thread));
    });
    return answer;
}

json Adapter::lanes(const Arguments& a) {
    const auto expression = a.get<std::string>("expression");
    const auto of = a.get<std::string>("of", "lanes");
    if (of != "lanes" && of != "block") throw RequestError("'of' must be \"lanes\" or \"block\".");
    json answer;
    look([&](const Standing& now) {
        answer = Views::values(now, expression, of == "block", a.optional<std::uint64_t>("frameId"));
    });
    return answer;
}

// --- the engine

void Adapter::begins(const std::vector<Breakpoint>& breakpoints) {
    const std::string& name = kernel_->session.kernel;
    send_event("process", {{"name", name.empty() ? "kernel" : name}, {"startMethod", "launch"}});
    for (const Breakpoint& b : breakpoints)
        send_event("breakpoint", {{"reason", "changed"}, {"breakpoint", to_json(b)}});
}

void Adapter::stops(const Stop& stop) {
    json body{{"reason", reason_text(stop.reason)}, {"allThreadsStopped", true}};
    debugger_.look([&](const Standing& now) {
        views_.stand(now);
        body["threadId"] = views_.id_of(stop.thread);
        const std::size_t threads = now.block.threads.size();
        last_threads_ = static_cast<std::uint32_t>(views_.id_of(static_cast<std::uint32_t>(threads - 1)));
    });
    if (!stop.text.empty()) {
        body["description"] = stop.reason == Stop::Reason::failure ? "The kernel has failed" : stop.text;
        body["text"] = stop.text;
    }
    if (!stop.hits.empty()) body["hitBreakpointIds"] = stop.hits;
    send_event("stopped", std::move(body));
}

} // namespace warplight::debug::dap
