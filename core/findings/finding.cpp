// SPDX-License-Identifier: Apache-2.0
#include "findings/finding.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace warplight::findings {
namespace {

using nlohmann::json;

constexpr std::string_view kNames[] = {
#define WARPLIGHT_CHECK(name, help) #name,
#include "checks.def"
#undef WARPLIGHT_CHECK
};

struct MendRow {
    std::string_view name, advice;
};
constexpr MendRow kMends[] = {
#define WARPLIGHT_MEND(name, advice) {#name, advice},
#include "mends.def"
#undef WARPLIGHT_MEND
};

json write(const Place& place) { return {{"file", place.file}, {"line", place.line}, {"column", place.column}}; }

Place read_place(const json& object) {
    return {object.value("file", ""), object.value("line", 0), object.value("column", 0)};
}

std::string text_of(const Place& place) {
    std::string text = place.file + ':' + std::to_string(place.line);
    if (place.column) text += ':' + std::to_string(place.column);
    return text;
}

json write(const Event& event) {
    json object = {{"kernel", event.kernel}};
    if (!event.access.empty()) object["access"] = event.access;
    if (!event.value.empty()) object["value"] = event.value;
    if (!event.number.empty()) object["number"] = event.number;
    if (event.kernel.empty()) return object;
    object["ptx_line"] = event.ptx_line;
    object["block"] = event.block;
    object["thread"] = event.thread;
    if (!event.place.file.empty()) object.update(write(event.place));
    for (const Place& each : event.inlined_at)
        object["inlined_at"].push_back(write(each));
    return object;
}

void read_event(const json& object, Event& event) {
    event.kernel = object.value("kernel", "");
    event.place = read_place(object);
    for (const json& each : object.value("inlined_at", json::array()))
        event.inlined_at.push_back(read_place(each));
    event.ptx_line = object.value("ptx_line", 0);
    event.block = object.value("block", event.block);
    event.thread = object.value("thread", event.thread);
    event.access = object.value("access", "");
    event.value = object.value("value", "");
    event.number = object.value("number", "");
}

std::string text_of(const std::array<std::uint32_t, 3>& v) {
    return '(' + std::to_string(v[0]) + ',' + std::to_string(v[1]) + ',' + std::to_string(v[2]) + ')';
}

} // namespace

std::optional<Checks> Checks::parse(std::string_view text) {
    Checks checks;
    if (text == "none") return checks;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const std::string_view name = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        if (name == "all") {
            checks.add(all());
            continue;
        }
        const auto known = std::find(std::begin(kNames), std::end(kNames), name);
        if (known == std::end(kNames)) return std::nullopt;
        const auto check = static_cast<Check>(known - std::begin(kNames));
        checks.add(check);
        if (check == Check::arithmetic) checks.bits_ |= kDoubtful;
    }
    return checks;
}

Checks Checks::all() {
    Checks checks;
    for (std::size_t k = 0; k < std::size(kNames); ++k)
        checks.add(static_cast<Check>(k));
    return checks;
}

std::vector<std::string> Checks::names() const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::size(kNames); ++k)
        if (has(static_cast<Check>(k))) names.emplace_back(kNames[k]);
    return names;
}

std::vector<std::string> Checks::words() const { return *this == all() ? std::vector<std::string>{"all"} : names(); }

std::string Checks::text() const {
    std::string text;
    for (const std::string& word : words())
        text.append(text.empty() ? "" : ",").append(word);
    return text;
}

std::string_view name_of(Check check) { return kNames[static_cast<std::size_t>(check)]; }

std::string_view name_of(Mend mend) { return kMends[static_cast<std::size_t>(mend)].name; }

std::string_view advice_of(Mend mend) { return kMends[static_cast<std::size_t>(mend)].advice; }

std::optional<Mend> mend_from(std::string_view name) {
    const auto known =
        std::find_if(std::begin(kMends), std::end(kMends), [&](const MendRow& each) { return each.name == name; });
    if (known == std::end(kMends)) return std::nullopt;
    return static_cast<Mend>(known - std::begin(kMends));
}

std::string names_of_checks() {
    std::string all;
    for (const std::string_view name : kNames)
        all.append(all.empty() ? "" : ", ").append(name);
    return all;
}

Doubt doubt_of(const std::vector<Finding>& findings) {
    const auto any = [&](Check check) {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
            return each.kind == name_of(check) && each.severity == "error";
        });
    };
    if (any(Check::memory)) return Doubt::left_out;
    return any(Check::race) || any(Check::sync) ? Doubt::unordered : Doubt::none;
}

json to_json(const Finding& f) {
    json object = write(static_cast<const Event&>(f));
    object["kind"] = f.kind;
    object["severity"] = f.severity;
    object["message"] = f.message;
    object["count"] = f.count;
    if (f.size > 0 || f.address > 0) {
        object["size"] = f.size;
        object["address"] = f.address;
    }
    if (!f.variable.empty()) object["variable"] = f.variable;
    if (!f.argument.empty()) object["argument"] = f.argument;
    if (!f.allocation.empty()) object["allocation"] = f.allocation;
    if (f.other) object["other"] = write(*f.other);
    if (f.mend) object["mend"] = name_of(*f.mend);
    return object;
}

Finding finding_from_json(const json& object) {
    Finding f;
    read_event(object, f);
    f.kind = object.value("kind", "");
    f.severity = object.value("severity", f.severity);
    f.message = object.value("message", "");
    f.size = object.value("size", f.size);
    f.address = object.value("address", f.address);
    f.variable = object.value("variable", "");
    f.argument = object.value("argument", "");
    f.allocation = object.value("allocation", "");
    if (const auto other = object.find("other"); other != object.end()) read_event(*other, f.other.emplace());
    f.mend = mend_from(object.value("mend", ""));
    f.count = object.value("count", f.count);
    return f;
}

std::string to_text(const Place& place, const std::vector<Place>& inlined_at, int ptx_line) {
    if (place.file.empty()) return "PTX line " + std::to_string(ptx_line);
    std::string text = text_of(place);
    for (const Place& each : inlined_at)
        text += ", inlined at " + text_of(each);
    return text;
}

std::string who(const Event& event) {
    return "kernel " + event.kernel + ", block " + text_of(event.block) + ", thread " + text_of(event.thread);
}

std::string to_text(const Finding& f) {
    std::string text = f.kernel.empty() ? "" : to_text(f.place, {}, f.ptx_line) + ": ";
    text += f.severity + ": " + f.message + '\n';
    if (!f.kernel.empty()) text += "  in " + who(f);
    if (f.count > 1) text += (f.kernel.empty() ? "  " : ", and ") + std::to_string(f.count - 1) + " more times";
    if (!f.kernel.empty() || f.count > 1) text += '\n';
    for (const Place& each : f.inlined_at)
        text += "  inlined at " + text_of(each) + '\n';
    return text;
}

std::string more_text(const Findings& findings) {
    return "Threads came " + std::to_string(findings.more) + " more times to places that are not listed: at most " +
           std::to_string(findings.all.size()) + " are. Mend these first.\n";
}

json to_json(const Findings& findings) {
    json all = json::array();
    for (const Finding& each : findings.all)
        all.push_back(to_json(each));
    return {{"findings", std::move(all)}, {"more", findings.more}};
}

Findings findings_from_json(const json& object) {
    Findings findings;
    for (const json& each : object.at("findings"))
        findings.all.push_back(finding_from_json(each));
    findings.more = object.value("more", std::uint64_t{0});
    return findings;
}

std::string to_line(const Findings& findings) {
    return to_json(findings).dump(-1, ' ', false, json::error_handler_t::replace);
}

Findings findings_from_line(std::string_view line) { return findings_from_json(json::parse(line)); }

} // namespace warplight::findings
