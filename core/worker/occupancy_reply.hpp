// SPDX-License-Identifier: Apache-2.0
// The answer to `occupancy` as a value, and its JSON.
#pragma once

#include "session/report.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplight::worker {

struct OccupancyReply {
    session::ReportOccupancy occupancy;
    std::map<std::string, int> function; ///< the kernel's attributes by the enumerators' names: MAX_THREADS_PER_BLOCK

    /// 0 where the driver does not know the attribute.
    int attribute(const std::string& name) const;
};

nlohmann::json to_json(const OccupancyReply& reply);
/// A missing key leaves the default. @throws nlohmann::json::exception for a value of another type.
OccupancyReply occupancy_reply_from_json(const nlohmann::json& json);

} // namespace warplight::worker
