// SPDX-License-Identifier: Apache-2.0
/// What goes wrong with a history.
#pragma once

#include <stdexcept>
#include <string>

namespace warplight::history {

/// `what()` is one paragraph: the problem and the remedy.
class HistoryError : public std::runtime_error {
public:
    enum class Kind {
        locked,       ///< another program writes for longer than 3 s
        full,         ///< the disk
        damaged,      ///< or no history at all
        too_new,      ///< made by a later version
        not_writable, ///< the file or its folder
        missing,      ///< there is no run of that number
        other
    };
    HistoryError(Kind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}
    Kind kind;
};

} // namespace warplight::history
