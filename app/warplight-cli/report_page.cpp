// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_page.hpp"

#include "session/data_file.hpp"
#include "session/session.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace warplight::cli {

std::vector<page::ResultView> views_of(const session::RunResult& result) {
    constexpr int bins = 48, size = 512;
    std::vector<page::ResultView> views;
    for (const auto& each : result.buffers) {
        if (!each.output) continue;
        try {
            views.push_back({each.index, worker::view_of(*each.output, bins, size, {})});
        } catch (const worker::RequestError&) {
            continue; // its elements are no numbers
        }
    }
    return views;
}

void check_page_name(const std::string& file) {
    const auto extension = session::path_from_utf8(file).extension();
    if (extension != ".html" && extension != ".htm")
        throw session::SessionError(fmt::format("The report {} is a page of HTML: give it a name that ends with .html. "
                                                "A browser prints it as PDF, and so does the window.",
                                                file));
}

void write_report_page(const std::string& file, const history::Run& run, const std::vector<page::ResultView>& results) {
    try {
        write_file_atomically(session::path_from_utf8(file), page::to_html(run, results));
    } catch (const Error& error) {
        throw session::SessionError(fmt::format("The report could not be written. {}", error.what()));
    }
    fmt::print(stderr, "report: {}\n", file);
}

} // namespace warplight::cli
