// SPDX-License-Identifier: Apache-2.0
// What a driver refuses, in a report's words.
#pragma once

#include "session/report.hpp"

#include <string>

namespace warplight::driver {
class Driver;
class Error;
} // namespace warplight::driver

namespace warplight::session {

ReportError describe(const driver::Error& error);
/// Names the user's PTX file in the driver's log, which has line numbers only. The first message of the log becomes the
/// message of the error.
ReportError in_users_ptx(ReportError error, const std::string& name);
std::string why_unavailable(const driver::Driver& driver);

} // namespace warplight::session
