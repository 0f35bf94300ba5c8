// SPDX-License-Identifier: Apache-2.0
#include "worker/occupancy_reply.hpp"

#include <nlohmann/json.hpp>

namespace warplight::worker {

using nlohmann::json;

int OccupancyReply::attribute(const std::string& name) const {
    const auto found = function.find(name);
    return found == function.end() ? 0 : found->second;
}

json to_json(const OccupancyReply& reply) {
    json object = session::to_json(reply.occupancy);
    object["function"] = reply.function;
    return object;
}

OccupancyReply occupancy_reply_from_json(const json& object) {
    OccupancyReply reply{session::occupancy_from_json(object), {}};
    if (const auto found = object.find("function"); found != object.end()) found->get_to(reply.function);
    return reply;
}

} // namespace warplight::worker
