// SPDX-License-Identifier: Apache-2.0
/// Notes, and what makes a session an exercise: parts of the session document. docs/classroom.md explains them.
#pragma once

#include "findings/finding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

/// Markdown for people: a text in the document, or a file beside it.
struct Notes {
    std::string text;
    std::string path; ///< empty when the text is in the session
    std::string unknown;

    [[nodiscard]] bool any() const { return !text.empty() || !path.empty(); }
};

/// The session with other values, and whether a solution passes there.
struct ExerciseCase {
    std::string name;
    std::string arguments;                  ///< JSON object: the keys that differ, by the argument's name; empty: none
    std::string launch;                     ///< JSON object: the keys that differ; empty: none
    std::optional<findings::Checks> checks; ///< instead of the session's
    double points = 1;
    std::optional<double> time_limit; ///< seconds, instead of the exercise's
    bool hidden = false;              ///< only passed or failed is told, and the hint
    std::string hint;                 ///< for who fails here
    std::string unknown;              ///< JSON object of keys that this version does not know; written back
};

struct Exercise {
    std::vector<ExerciseCase> cases;
    std::vector<std::string> hints;               ///< one after the other, the vaguest first
    std::vector<std::string> required, forbidden; ///< words of the source
    double time_limit = 10;                       ///< seconds that a case may take, without compilation
    std::string unknown;
};

} // namespace warplight::session
