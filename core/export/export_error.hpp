// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/report.hpp"

#include <stdexcept>
#include <string>

namespace warplight::exporting {

/// Why there is no program. `what()` is one paragraph: the problem, and the remedy.
class ExportError : public std::runtime_error {
public:
    explicit ExportError(const std::string& message, session::Status status = session::Status::input_error)
        : std::runtime_error(message), status(status) {}

    session::Status status; ///< of the run that failed likewise
};

} // namespace warplight::exporting
