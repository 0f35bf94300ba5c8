// SPDX-License-Identifier: Apache-2.0
/// The results of a class, back from a campaign.
#pragma once

#include "cluster/collector.hpp"
#include "session/exercise_grades.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::cluster {

[[nodiscard]] nlohmann::json cases_to_json(const std::vector<session::CaseResult>& cases);

struct CollectedGrade {
    session::Grade grade;
    Machine machine;
};
/// Of the solution of that number. Nothing where it has no result yet, or one that does not fit the exercise.
[[nodiscard]] std::optional<CollectedGrade> grade_of(const Collector& collector, std::uint64_t solution);

} // namespace warplight::cluster
