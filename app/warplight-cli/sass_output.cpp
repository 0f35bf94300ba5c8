// SPDX-License-Identifier: GPL-3.0-or-later
#include "sass_output.hpp"

#include "command.hpp"
#include "json_text.hpp"

#include "history/sass_difference.hpp"
#include "warplight/file_io.hpp"
#include "worker/assembly_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace warplight::cli {
namespace {

using nlohmann::json;

std::string name_of(const compiler::CompileResult& compiled, const std::vector<std::string>& options) {
    return options.empty() ? compiled.arch : fmt::format("{} {}", compiled.arch, fmt::join(options, " "));
}

json describe(const std::vector<history::SassFunctionDifference>& functions) {
    constexpr const char* kinds[] = {"same", "removed", "added"};
    json list = json::array();
    for (const history::SassFunctionDifference& each : functions) {
        json classes = json::object(), rows = json::array();
        for (const history::SassClassCount& count : each.classes)
            classes[count.name] = {count.before, count.after};
        for (const history::SassRow& row : each.rows)
            rows.push_back({{"kind", kinds[static_cast<int>(row.kind)]}, {"before", row.before}, {"after", row.after}});
        list.push_back({{"name", each.name},
                        {"before", each.before},
                        {"after", each.after},
                        {"classes", std::move(classes)},
                        {"rows", std::move(rows)}});
    }
    return list;
}

} // namespace

json SassOutput::json() const {
    nlohmann::json object = {{"sass_problem", problem}, {"functions", worker::to_json(functions)}};
    if (compared)
        object["comparison"] = {{"before", names[0]},
                                {"after", names[1]},
                                {"functions", describe(history::sass_difference(functions, others))}};
    return object;
}

SassOutput sass_of(const compiler::CompileRequest& request, const SassComparison& comparison) {
    SassOutput output;
    compiler::SourceDisassembly first = compiler::disassemble_source(request);
    output.compiled = std::move(first.compiled);
    if (!output.compiled.ok) return output;
    output.functions = std::move(first.sass.functions);
    output.problem = first.sass.problem;
    if (!first.sass.ok) return output;
    if (!comparison.wanted()) {
        output.text = compiler::sass_listing(output.functions).text;
        output.ok = true;
        return output;
    }
    compiler::CompileRequest other = request;
    if (!comparison.arch.empty()) other.arch = comparison.arch;
    if (!comparison.options.empty()) other.options = comparison.options;
    compiler::SourceDisassembly second = compiler::disassemble_source(other);
    if (!second.compiled.ok) {
        output.compiled = std::move(second.compiled);
        return output;
    }
    output.problem = second.sass.problem;
    if (!second.sass.ok) return output;
    output.others = std::move(second.sass.functions);
    output.names[0] =
        name_of(output.compiled, comparison.options.empty() ? std::vector<std::string>() : request.options);
    output.names[1] = name_of(second.compiled, comparison.options);
    output.compared = output.ok = true;
    output.text = history::sass_difference_text(history::sass_difference(output.functions, output.others),
                                                output.names[0], output.names[1]);
    return output;
}

int print_sass(const std::string& file, const std::string& arch, bool as_json) {
    const auto code = read_file(file);
    const std::string_view text(reinterpret_cast<const char*>(code.data()), code.size());
    const bool is_elf = text.starts_with("\x7f");
    const compiler::Disassembly sass =
        is_elf ? compiler::disassemble(std::span<const std::byte>(code)) : compiler::disassemble_ptx(text, arch);
    if (as_json)
        print_json({{"file", file},
                    {"ok", sass.ok},
                    {"problem", sass.problem},
                    {"tool", sass.tool},
                    {"functions", worker::to_json(sass.functions)}});
    else if (sass.ok)
        fmt::print("{}", compiler::sass_listing(sass.functions).text);
    else
        fmt::print(stderr, "error: {}\n", sass.problem);
    return sass.ok ? success : sass.tool_missing ? bad_input : compile_failed;
}

} // namespace warplight::cli
