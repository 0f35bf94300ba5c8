// SPDX-License-Identifier: Apache-2.0
/// What a class has handed in: solutions in a folder, and the table of their results.
#pragma once

#include "session/exercise_cases.hpp"
#include "session/exercise_runner.hpp"
#include "session/run_options.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// One who has handed in a solution.
struct Submission {
    std::string name;           ///< the file's without extension, or the folder's
    std::filesystem::path file; ///< the source; empty where there is none
    std::string problem;        ///< why there is none: a sentence
};

/// `*.cu` files of the folder, and folders with one in it; by name. The folder may be a file.
/// @throws SessionError where there is nothing to grade
std::vector<Submission> find_submissions(const std::filesystem::path& folder);

struct Grade {
    std::string name, file;
    std::string digest; ///< of the source and the exercise: equal ones have the same results
    std::vector<CaseResult> cases;
};

/// How solutions are run, which their results depend on.
struct GradeConditions {
    RunOptions run; ///< with the folder of the exercise
    ExerciseLimits limits;
    std::uint64_t memory_limit = 0; ///< bytes
};
/// Of the exercise, the limits, and the files that its cases name.
std::string digest_of_exercise(const Session& exercise, const GradeConditions& conditions);
/// Of a source, the headers of the exercise's folder that it includes, and digest_of_exercise().
std::string digest_of_solution(const Session& exercise, const GradeConditions& conditions,
                               const std::string& exercise_digest, const std::string& source);

/// A row for each solution and a column for each case. Texts that a spreadsheet would take for formulas are quoted.
std::string to_csv(const Session& exercise, const std::vector<Grade>& grades);
/// The rows of such a table. Rows that do not fit the exercise are left out, so that they are graded again.
std::vector<Grade> grades_from_csv(const Session& exercise, std::string_view text);
nlohmann::json to_json(const Session& exercise, const std::vector<Grade>& grades);
/// For people: aligned columns. Ends with a newline.
std::string to_text(const Session& exercise, const std::vector<Grade>& grades);

/// The results of one solution, for people; hidden cases tell only passed or failed.
/// @param all also what is hidden
std::string to_text(const std::vector<CaseResult>& results, bool all);
nlohmann::json to_json(const std::vector<CaseResult>& results, bool all);

} // namespace warplight::session
