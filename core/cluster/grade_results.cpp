// SPDX-License-Identifier: Apache-2.0
#include "cluster/grade_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::cluster {

using nlohmann::json;

json cases_to_json(const std::vector<session::CaseResult>& cases) {
    json list = json::array();
    for (const auto& each : cases)
        list.push_back({{"outcome", session::label_of(each.outcome)},
                        {"message", each.message},
                        {"findings", each.findings},
                        {"ms", each.ms}});
    return list;
}

std::optional<CollectedGrade> grade_of(const Collector& collector, std::uint64_t solution) {
    const auto& campaign = collector.campaign();
    const auto record = collector.read(solution);
    if (!record) return std::nullopt;
    try {
        const auto& list = record->body.at("cases");
        const auto& cases = campaign.session.exercise->cases;
        if (list.size() != cases.size()) return std::nullopt;
        const auto& handed_in = campaign.solutions.at(solution);
        CollectedGrade result{{handed_in.name, handed_in.file, handed_in.digest, {}}, record->machine};
        for (std::size_t i = 0; i < cases.size(); ++i) {
            session::CaseResult each;
            const auto outcome = session::outcome_from(list[i].at("outcome").get<std::string>());
            if (!outcome) return std::nullopt;
            each.outcome = *outcome;
            each.name = cases[i].name;
            each.message = list[i].at("message").get<std::string>();
            each.points = cases[i].points;
            each.hidden = cases[i].hidden;
            if (!each.passed()) each.hint = cases[i].hint;
            each.findings = list[i].at("findings").get<std::uint64_t>();
            each.ms = list[i].at("ms").get<double>();
            result.grade.cases.push_back(std::move(each));
        }
        return result;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

} // namespace warplight::cluster
