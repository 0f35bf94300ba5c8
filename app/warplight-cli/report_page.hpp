// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a page of HTML.
#pragma once

#include "page/page.hpp"
#include "session/report.hpp"
#include "session/runner.hpp"
#include "worker/run_request.hpp"

#include <string>
#include <vector>

namespace warplight::cli {

/// Of the results of a run in this process.
std::vector<page::ResultView> views_of(const session::RunResult& result);

/// @param file its name ends with .html. @throws SessionError where the page cannot be written
void write_report_page(const std::string& file, const history::Run& run, const std::vector<page::ResultView>& results);
/// @throws SessionError for a name that is not that of a page
void check_page_name(const std::string& file);

} // namespace warplight::cli
