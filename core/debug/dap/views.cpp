// SPDX-License-Identifier: Apache-2.0
#include "views.hpp"

#include "session/data_file.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warplight::debug::dap {
namespace {

constexpr std::uint64_t kMostCalls = 4096;
constexpr std::uint64_t kMostParts = 1000; ///< shown of a list at once
constexpr std::uint32_t kWarp = software::kWarpSize;

std::uint32_t end_of_warp(const Standing& now, std::uint32_t warp) {
    return static_cast<std::uint32_t>(std::min<std::size_t>((warp + 1) * kWarp, now.block.threads.size()));
}

std::string index_text(const std::array<std::uint32_t, 3>& index) {
    return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

std::uint64_t frame_id(std::uint32_t thread, std::size_t call) { return thread * kMostCalls + call + 1; }

/// Of each thread, as all of them have it.
std::optional<Value> value_in(const Standing& now, const Expression& expression, std::uint32_t thread,
                              std::string& problem) {
    const std::vector<Call> calls = calls_of(now.block, thread, now.program);
    if (calls.empty()) {
        problem = state_of(now.block, thread) == ThreadState::ended ? "ended" : "not begun";
        return std::nullopt;
    }
    try {
        return expression.evaluate(now.scope(thread, calls.front()));
    } catch (const ExpressionError& e) {
        problem = e.what();
        return std::nullopt;
    }
}

} // namespace

void Views::stand(const Standing& now) {
    nodes_.clear();
    if (block_ != now.block.number) lanes_.clear();
    block_ = now.block.number;
    choose(now.stop.thread);
}

void Views::forget() {
    nodes_.clear();
    lanes_.clear();
    block_.reset();
}

void Views::choose(std::uint32_t thread) { lanes_[thread / kWarp] = thread; }

std::uint64_t Views::id_of(std::uint32_t thread) const {
    return (settings.shows_threads ? thread : thread / kWarp) + 1;
}

std::uint32_t Views::thread_of(const Standing& now, std::uint64_t id) const {
    const std::uint64_t first = settings.shows_threads ? id - 1 : (id - 1) * kWarp;
    if (id == 0 || id > UINT32_MAX || first >= now.block.threads.size())
        throw RequestError(fmt::format("The block has no thread with the number {}.", id));
    if (settings.shows_threads) return static_cast<std::uint32_t>(first);
    const auto warp = static_cast<std::uint32_t>(id - 1);
    if (const auto chosen = lanes_.find(warp); chosen != lanes_.end()) return chosen->second;
    for (std::uint32_t t = warp * kWarp; t < end_of_warp(now, warp); ++t)
        if (state_of(now.block, t) != ThreadState::ended) return t;
    return static_cast<std::uint32_t>(first);
}

// --- threads and stacks

/// "warp 1: threads 32–63, 30 at line 12"
std::string Views::name_of_warp(const Standing& now, std::uint32_t warp) const {
    const std::uint32_t begin = warp * kWarp, end = end_of_warp(now, warp);
    const std::uint32_t shown = thread_of(now, std::uint64_t{warp} + 1);
    std::string name = fmt::format("warp {}: threads {}–{}", warp, begin, end - 1);
    const std::vector<Call> calls = calls_of(now.block, shown, now.program);
    if (calls.empty()) return name + (state_of(now.block, shown) == ThreadState::ended ? ", ended" : ", not begun");
    const Line line = now.program.site(calls.front().site).line;
    std::uint32_t together = 0;
    for (std::uint32_t t = begin; t < end; ++t) {
        const std::vector<Call> others = calls_of(now.block, t, now.program);
        together += !others.empty() && now.program.site(others.front().site).line == line;
    }
    return fmt::format("{}, {} at line {}", name, together, line.line);
}

json Views::threads(const Standing& now) const {
    json list = json::array();
    const auto* b = now.block.context->ctaid;
    const std::string block = fmt::format("block {}", index_text({b[0], b[1], b[2]}));
    const auto count = static_cast<std::uint32_t>(now.block.threads.size());
    if (settings.shows_threads)
        for (std::uint32_t t = 0; t < count; ++t)
            list.push_back(
                {{"id", t + 1}, {"name", fmt::format("{}, thread {}", block, index_text(index_of(now.block, t)))}});
    else
        for (std::uint32_t w = 0; w * kWarp < count; ++w)
            list.push_back({{"id", w + 1}, {"name", fmt::format("{}, {}", block, name_of_warp(now, w))}});
    return {{"threads", std::move(list)}};
}

json Views::source_of(const Standing& now, const Line& line) const {
    if (line.file == 0) {
        if (!settings.unsaved.empty()) return {{"name", settings.unsaved}, {"sourceReference", 1}};
        if (settings.ptx_path.empty()) return nullptr;
        return {{"name", file_name(settings.ptx_path)}, {"path", settings.ptx_path}};
    }
    const std::string name = now.program.file_of(line);
    json source{{"name", file_name(name)}};
    if (!settings.unsaved.empty() && file_name(name) == settings.unsaved) {
        source["sourceReference"] = 1;
        return source;
    }
    const std::filesystem::path path = settings.folder / session::path_from_utf8(name);
    std::error_code problem;
    if (std::filesystem::exists(path, problem))
        source["path"] = session::utf8_of(path);
    else
        source["path"] = name;
    return source;
}

json Views::stack(const Standing& now, std::uint64_t id, std::uint64_t first, std::uint64_t count) const {
    const std::uint32_t thread = thread_of(now, id);
    const std::vector<Call> calls = calls_of(now.block, thread, now.program);
    json list = json::array();
    const std::uint64_t end = count ? std::min<std::uint64_t>(first + count, calls.size()) : calls.size();
    for (std::uint64_t k = first; k < end; ++k) {
        const Program::Site& site = now.program.site(calls[k].site);
        json frame{{"id", frame_id(thread, k)},
                   {"name", fmt::format("{} · thread {}", now.program.name_of(calls[k].function),
                                        index_text(index_of(now.block, thread)))},
                   {"line", site.line.line ? site.line.line - 1 + settings.first_line : 0},
                   {"column", site.column ? site.column - 1 + settings.first_column : settings.first_column}};
        if (json source = source_of(now, site.line); !source.is_null()) frame["source"] = std::move(source);
        list.push_back(std::move(frame));
    }
    return {{"stackFrames", std::move(list)}, {"totalFrames", calls.size()}};
}

Views::Frame Views::frame_of(const Standing& now, std::optional<std::uint64_t> id) {
    Frame frame;
    frame.thread = now.stop.thread;
    if (id) {
        if (*id == 0 || (*id - 1) / kMostCalls >= now.block.threads.size())
            throw RequestError("This frame is not there any more.");
        frame.thread = static_cast<std::uint32_t>((*id - 1) / kMostCalls);
        frame.call = static_cast<std::size_t>((*id - 1) % kMostCalls);
    }
    return frame;
}

Scope Views::scope_of(const Standing& now, const Frame& frame) {
    const std::vector<Call> calls = calls_of(now.block, frame.thread, now.program);
    if (frame.call >= calls.size()) throw RequestError("The thread is in no function: it has ended or not begun.");
    return now.scope(frame.thread, calls[frame.call]);
}

// --- variables

std::uint64_t Views::add(Node node) {
    nodes_.push_back(std::move(node));
    return nodes_.size();
}

const Views::Node& Views::node(std::uint64_t reference) const {
    if (reference == 0 || reference > nodes_.size()) throw RequestError("These variables are not there any more.");
    return nodes_[static_cast<std::size_t>(reference - 1)];
}

json Views::scopes(const Standing& now, std::uint64_t id) {
    const Frame frame = frame_of(now, id);
    (void)scope_of(now, frame);
    json list = json::array();
    const auto add_list = [&](const char* name, List kind, bool expensive) {
        Node node;
        node.list = kind;
        node.frame = frame;
        list.push_back({{"name", name}, {"variablesReference", add(std::move(node))}, {"expensive", expensive}});
    };
    add_list("Locals", List::locals, false);
    list.back()["presentationHint"] = "locals";
    add_list("Lanes of the warp", List::lanes, true);
    add_list("Shared memory", List::shared, true);
    add_list("Global variables", List::globals, true);
    add_list("Indices", List::indices, true);
    add_list("Registers", List::registers, true);
    list.back()["presentationHint"] = "registers";
    return {{"scopes", std::move(list)}};
}

json Views::shown(const Standing& now, const std::string& name, const Value& value, const Frame& frame,
                  const std::string& expression) {
    const Scope scope = scope_of(now, frame);
    json variable{{"name", name}, {"variablesReference", 0}};
    try {
        variable["value"] = text_of(value, scope);
    } catch (const ExpressionError& e) {
        variable["value"] = fmt::format("<{}>", e.what());
    }
    const Type& type = now.program.info.types.at(now.program.info.resolved(value.type));
    variable["type"] = now.program.info.name_of(value.type);
    variable["evaluateName"] = expression;
    const bool opens = type.kind == Type::Kind::structure || type.kind == Type::Kind::array ||
                       (type.kind == Type::Kind::pointer && now.program.info.resolved(type.of) != kVoid);
    if (value.address) variable["memoryReference"] = fmt::format("{:#x}", value.address);
    if (type.kind == Type::Kind::pointer) variable["memoryReference"] = variable["value"];
    if (type.kind == Type::Kind::array) variable["indexedVariables"] = type.count;
    if (opens) {
        Node node;
        node.list = List::value;
        node.frame = frame;
        node.value = value;
        node.expression = expression;
        variable["variablesReference"] = add(std::move(node));
    }
    return variable;
}

json Views::variables(const Standing& now, std::uint64_t reference, std::uint64_t first, std::uint64_t count) {
    const Node from = node(reference);
    count = std::min(count ? count : kMostParts, kMostParts);
    const Scope scope = scope_of(now, from.frame);
    const auto listed = [&](const std::vector<Scope::Named>& all) {
        json list = json::array();
        for (std::uint64_t k = first; k < all.size() && k - first < count; ++k) {
            const Scope::Named& each = all[static_cast<std::size_t>(k)];
            if (each.value)
                list.push_back(shown(now, each.name, *each.value, from.frame, each.name));
            else
                list.push_back(
                    {{"name", each.name}, {"value", fmt::format("<{}>", each.problem)}, {"variablesReference", 0}});
        }
        return json{{"variables", std::move(list)}};
    };
    switch (from.list) {
    case List::locals: return listed(scope.locals());
    case List::registers: return listed(scope.registers());
    case List::shared: return listed(scope.shared());
    case List::globals: return listed(scope.globals());
    case List::indices: return listed(scope.indices());
    case List::value: return {{"variables", parts(now, from, first, count)}};
    case List::of_lanes:
    case List::of_block: return {{"variables", each_thread(now, from, first, count)}};
    case List::lanes: break;
    }
    json list = json::array();
    const std::uint32_t warp = from.frame.thread / kWarp;
    for (const Scope::Named& each : scope.locals()) {
        Node node;
        node.list = List::of_lanes;
        node.frame = from.frame;
        node.expression = each.name;
        list.push_back({{"name", each.name},
                        {"value", text_of_threads(now, each.name, warp * kWarp, end_of_warp(now, warp))},
                        {"variablesReference", add(std::move(node))}});
    }
    return {{"variables", std::move(list)}};
}

/// Members, elements, or what a pointer points at.
json Views::parts(const Standing& now, const Node& node, std::uint64_t first, std::uint64_t count) {
    const Scope scope = scope_of(now, node.frame);
    const DebugInfo& info = now.program.info;
    const Type type = info.types.at(info.resolved(node.value.type));
    json list = json::array();
    const auto add_part = [&](const std::string& name, std::uint64_t offset, TypeId of, const std::string& expression) {
        try {
            list.push_back(shown(now, name, part_of(node.value, offset, of, scope), node.frame, expression));
        } catch (const ExpressionError& e) {
            list.push_back({{"name", name}, {"value", fmt::format("<{}>", e.what())}, {"variablesReference", 0}});
        }
    };
    if (type.kind == Type::Kind::pointer) {
        const std::string expression = fmt::format("*({})", node.expression);
        try {
            list.push_back(shown(now, "*", Expression(expression).evaluate(scope), node.frame, expression));
        } catch (const ExpressionError& e) {
            list.push_back({{"name", "*"}, {"value", fmt::format("<{}>", e.what())}, {"variablesReference", 0}});
        }
    } else if (type.kind == Type::Kind::array) {
        const std::uint64_t each = info.size_of(type.of);
        for (std::uint64_t k = first; k < type.count && k - first < count; ++k)
            add_part(fmt::format("[{}]", k), k * each, type.of, fmt::format("({})[{}]", node.expression, k));
    } else {
        for (std::uint64_t k = first; k < type.members.size() && k - first < count; ++k) {
            const Type::Member& m = type.members[static_cast<std::size_t>(k)];
            const bool is_base = m.name.empty();
            add_part(is_base ? info.name_of(m.type) : m.name, m.offset, m.type,
                     is_base ? node.expression : fmt::format("({}).{}", node.expression, m.name));
        }
    }
    return list;
}

// --- all lanes

json Views::each_thread(const Standing& now, const Node& node, std::uint64_t first, std::uint64_t count) {
    const bool is_warp = node.list == List::of_lanes;
    const std::uint32_t begin = is_warp ? node.frame.thread / kWarp * kWarp : 0;
    const std::uint64_t end =
        is_warp ? end_of_warp(now, node.frame.thread / kWarp) : std::uint64_t{now.block.threads.size()};
    const Expression expression(node.expression);
    json list = json::array();
    for (std::uint64_t k = begin + first; k < end && k - begin - first < count; ++k) {
        const auto thread = static_cast<std::uint32_t>(k);
        const std::string name = is_warp ? fmt::format("lane {}", thread - begin)
                                         : fmt::format("thread {}", index_text(index_of(now.block, thread)));
        std::string problem;
        if (const auto value = value_in(now, expression, thread, problem))
            list.push_back(shown(now, name, *value, {thread, 0}, node.expression));
        else
            list.push_back({{"name", name}, {"value", fmt::format("<{}>", problem)}, {"variablesReference", 0}});
    }
    return list;
}

/// "3, 4, 5, –, …": a dash for threads without a value; equal neighbours once, with their number.
std::string Views::text_of_threads(const Standing& now, const std::string& expression, std::uint32_t begin,
                                   std::uint32_t end) const {
    constexpr std::size_t kMostText = 400;
    const Expression parsed(expression);
    std::string text, last;
    std::size_t equal = 0;
    const auto flush = [&] {
        if (equal == 0) return;
        if (!text.empty()) text += ", ";
        text += equal > 1 ? fmt::format("{} (×{})", last, equal) : last;
    };
    for (std::uint32_t t = begin; t < end; ++t) {
        std::string problem;
        std::string each = "–";
        if (const auto value = value_in(now, parsed, t, problem)) {
            try {
                each = text_of(*value, scope_of(now, {t, 0}));
            } catch (const ExpressionError&) { // NOLINT(bugprone-empty-catch): it is shown as a dash
            }
        }
        if (each == last) {
            ++equal;
            continue;
        }
        flush();
        if (text.size() > kMostText) return text + ", …";
        last = std::move(each);
        equal = 1;
    }
    flush();
    return text;
}

json Views::evaluate(const Standing& now, const std::string& text, std::optional<std::uint64_t> id) {
    const Frame frame = frame_of(now, id);
    const Scope scope = scope_of(now, frame);
    try {
        const std::size_t at = text.rfind('@');
        if (at != std::string::npos) {
            std::string where = text.substr(at + 1);
            std::erase(where, ' ');
            if (where != "lanes" && where != "block")
                throw RequestError("Behind @ there must be lanes or block, as in: x @ lanes");
            Node node;
            node.list = where == "lanes" ? List::of_lanes : List::of_block;
            node.frame = frame;
            node.expression = text.substr(0, at);
            (void)Expression(node.expression);
            const std::uint32_t warp = frame.thread / kWarp;
            const bool is_warp = node.list == List::of_lanes;
            const auto threads = static_cast<std::uint32_t>(now.block.threads.size());
            const std::uint32_t begin = is_warp ? warp * kWarp : 0;
            const std::uint32_t end = is_warp ? end_of_warp(now, warp) : threads;
            json result{{"result", text_of_threads(now, node.expression, begin, end)},
                        {"indexedVariables", end - begin}};
            result["variablesReference"] = add(std::move(node));
            return result;
        }
        json variable = shown(now, text, Expression(text).evaluate(scope), frame, text);
        json result{{"result", variable["value"]}};
        for (const char* key : {"type", "variablesReference", "memoryReference", "indexedVariables"})
            if (variable.contains(key)) result[key] = variable[key];
        return result;
    } catch (const ExpressionError& e) {
        throw RequestError(e.what());
    }
}

std::string Views::expression_of(std::uint64_t reference, const std::string& name) const {
    const Node& from = node(reference);
    if (from.list != List::value) return name;
    return name.starts_with('[') ? fmt::format("({}){}", from.expression, name)
           : name == "*"         ? fmt::format("*({})", from.expression)
                                 : fmt::format("({}).{}", from.expression, name);
}

std::optional<Views::Frame> Views::frame_of_reference(std::uint64_t reference) const {
    if (reference == 0) return std::nullopt;
    return node(reference).frame;
}

} // namespace warplight::debug::dap
