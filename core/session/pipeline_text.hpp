// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/pipeline_report.hpp"

#include <string>

namespace warplight::session {

/// The steps with their times, as the report for people has them.
std::string to_text(const ReportPipeline& pipeline);

} // namespace warplight::session
