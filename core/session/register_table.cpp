// SPDX-License-Identifier: Apache-2.0
#include "session/register_table.hpp"

#include "profile/residency.hpp"
#include "session/report.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <thread>

namespace warplight::session {
namespace {

using compiler::CompileResult;

constexpr std::array<std::string_view, 2> kLimitOptions{"--maxrregcount", "-maxrregcount"};

/// The words of an option at `at`: 0 where it is another option, 2 where the value is the next word.
std::size_t words_of_limit(const std::vector<std::string>& options, std::size_t at) {
    for (const std::string_view name : kLimitOptions) {
        const std::string_view option = options[at];
        if (option.starts_with(name) && option.substr(name.size()).starts_with('=')) return 1;
        if (option == name) return at + 1 < options.size() ? 2 : 1;
    }
    return 0;
}

const compiler::KernelResources* resources_of(const CompileResult& result, const std::string& kernel) {
    const auto found = std::ranges::find_if(
        result.report, [&](const auto& each) { return each.name == kernel || each.lowered == kernel; });
    return found == result.report.end() ? nullptr : &*found;
}

/// The number behind a directive of an entry, such as `.minnctapersm 2`; 0: it has none. Of `.maxntid 16, 16, 1` the
/// product.
int directive_of(std::string_view ptx, const std::string& lowered, std::string_view directive) {
    const std::size_t entry = ptx.find(fmt::format(".entry {}(", lowered));
    if (entry == std::string_view::npos) return 0;
    std::string_view head = ptx.substr(entry, ptx.find('{', entry) - entry);
    const std::size_t at = head.find(fmt::format("{} ", directive));
    if (at == std::string_view::npos) return 0;
    head.remove_prefix(at + directive.size());
    int product = 1;
    for (;;) {
        head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size()));
        std::size_t digits = 0;
        while (digits < head.size() && head[digits] >= '0' && head[digits] <= '9')
            ++digits;
        if (digits == 0 || digits > 6) return 0;
        product *= std::atoi(std::string(head.substr(0, digits)).c_str());
        head.remove_prefix(digits);
        if (!head.starts_with(',')) return product;
        head.remove_prefix(1);
    }
}

std::vector<CompileResult> compile_all(const compiler::CompileRequest& request, const std::vector<int>& limits) {
    std::vector<CompileResult> results(limits.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < limits.size(); i = next++) {
            compiler::CompileRequest each = request;
            each.options = with_register_limit(request.options, limits[i]);
            each.report = true;
            results[i] = compiler::compile(each);
            if (results[i].cancelled) return;
        }
    };
    const std::size_t most =
        std::min<std::size_t>({limits.size(), 4, std::max(1U, std::thread::hardware_concurrency())});
    std::vector<std::thread> threads;
    threads.reserve(most);
    for (std::size_t i = 1; i < most; ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& each : threads)
        each.join();
    return results;
}

RegisterRow row_of(int limit, const CompileResult& result, const std::string& kernel,
                   const profile::DeviceLimits& device, int threads, std::uint64_t dynamic_shared) {
    RegisterRow row;
    row.limit = limit;
    const compiler::KernelResources* resources = resources_of(result, kernel);
    if (!resources) {
        row.problem = !result.ok && !result.diagnostics.empty() ? result.diagnostics.front().message
                      : !result.report_problem.empty()          ? result.report_problem
                                                                : "the compiler's report does not have the kernel";
        return row;
    }
    row.ok = true;
    row.registers = resources->registers;
    row.stack = resources->stack;
    row.spill_stores = resources->spill_stores;
    row.spill_loads = resources->spill_loads;
    const profile::Residency fit =
        profile::residency(device, threads, resources->registers, resources->static_shared + dynamic_shared);
    row.blocks_per_sm = fit.blocks;
    row.warps_per_sm = fit.warps;
    row.max_warps_per_sm = fit.max_warps;
    row.occupancy = fit.occupancy();
    row.limiter = fit.limiter;
    return row;
}

} // namespace

int register_limit_of(const std::vector<std::string>& options) {
    int limit = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::size_t words = words_of_limit(options, i);
        if (words == 0) continue;
        const std::string& last = options[i + words - 1];
        limit = std::atoi(words == 2 ? last.c_str() : last.substr(last.find('=') + 1).c_str());
    }
    return std::max(limit, 0);
}

std::vector<std::string> with_register_limit(std::vector<std::string> options, int limit) {
    for (std::size_t i = 0; i < options.size();) {
        const auto at = options.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t words = words_of_limit(options, i);
        if (words == 0)
            ++i;
        else
            options.erase(at, at + static_cast<std::ptrdiff_t>(words));
    }
    if (limit > 0) options.push_back(fmt::format("--maxrregcount={}", limit));
    return options;
}

RegisterTable register_table(const compiler::CompileRequest& request, const std::string& kernel, int threads,
                             std::uint64_t dynamic_shared) {
    RegisterTable table;
    table.threads = threads;
    table.chosen = register_limit_of(request.options);
    std::vector<int> limits(kRegisterLimits.begin(), kRegisterLimits.end());
    if (std::ranges::find(limits, table.chosen) == limits.end()) {
        limits.push_back(table.chosen);
        std::sort(limits.begin() + 1, limits.end(), std::greater<>());
    }
    const std::vector<CompileResult> results = compile_all(request, limits);
    const CompileResult& unlimited = results.front();
    table.arch = unlimited.arch;
    table.diagnostics = unlimited.diagnostics;
    if (std::ranges::any_of(results, [](const CompileResult& each) { return each.cancelled; })) {
        table.problem = "cancelled";
        return table;
    }
    if (!unlimited.ok) {
        table.problem = "the source does not compile";
        return table;
    }
    if (unlimited.report.empty()) {
        table.problem = unlimited.report_problem.empty() ? "the source has no kernel" : unlimited.report_problem;
        return table;
    }
    const compiler::KernelResources* resources =
        kernel.empty() && unlimited.report.size() == 1 ? &unlimited.report.front() : resources_of(unlimited, kernel);
    if (!resources) {
        std::vector<std::string> names;
        names.reserve(unlimited.report.size());
        for (const auto& each : unlimited.report)
            names.push_back(each.name);
        table.problem = kernel.empty()
                            ? fmt::format("the source has several kernels; name one of {}", fmt::join(names, ", "))
                            : fmt::format("the source has no kernel {}; it has {}", kernel, fmt::join(names, ", "));
        return table;
    }
    table.kernel = resources->name;
    table.shared = resources->static_shared + dynamic_shared;
    const int capability = std::atoi(table.arch.substr(table.arch.find('_') + 1).c_str());
    const profile::DeviceLimits device = profile::limits_of(static_cast<unsigned>(capability));
    table.bound_threads = directive_of(unlimited.ptx, resources->lowered, ".maxntid");
    table.bound_blocks = directive_of(unlimited.ptx, resources->lowered, ".minnctapersm");
    if (table.bound_threads > 0)
        table.bound_registers = profile::registers_for(device, table.bound_threads, std::max(1, table.bound_blocks));
    table.rows.reserve(limits.size());
    for (std::size_t i = 0; i < limits.size(); ++i)
        table.rows.push_back(row_of(limits[i], results[i], resources->lowered, device, threads, dynamic_shared));
    table.ok = true;
    return table;
}

std::string register_table_text(const RegisterTable& table) {
    std::string text = fmt::format("{} for {}, blocks of {} threads with {} of shared memory\n", table.kernel,
                                   table.arch, table.threads, format_bytes(table.shared));
    text += fmt::format("{:>9}  {:>9}  {:>8}  {:>8}  {:>10}  {:>9}  {}\n", "limit", "registers", "spills", "stack",
                        "blocks/SM", "occupancy", "limited by");
    for (const RegisterRow& row : table.rows) {
        const std::string limit = row.limit == 0 ? "none" : std::to_string(row.limit);
        const char* mark = row.limit == table.chosen ? "*" : "";
        if (!row.ok) {
            text += fmt::format("{:>9}  {}\n", mark + limit, row.problem);
            continue;
        }
        text += fmt::format("{:>9}  {:>9}  {:>8}  {:>8}  {:>10}  {:>7.0f} %  {}\n", mark + limit, row.registers,
                            format_bytes(row.spill_stores + row.spill_loads), format_bytes(row.stack),
                            row.blocks_per_sm, row.occupancy * 100, row.limiter);
    }
    text += "* the limit of the compile options\n";
    if (table.bound_threads > 0)
        text += fmt::format(
            "__launch_bounds__({}{}): at most {} registers a thread, by which {} resident; ptxas prefers this "
            "bound to a limit in the options\n",
            table.bound_threads, table.bound_blocks > 0 ? fmt::format(", {}", table.bound_blocks) : std::string(),
            table.bound_registers,
            table.bound_blocks > 1 ? fmt::format("{} blocks are", table.bound_blocks) : "one block is");
    return text;
}

} // namespace warplight::session
