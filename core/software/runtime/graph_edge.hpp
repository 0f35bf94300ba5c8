// SPDX-License-Identifier: Apache-2.0
// Edges between the nodes of a graph.
#pragma once

#include "../../driver/graph_types.hpp"

namespace warplight::software {

class GraphNode;

using EdgeData = driver::GraphEdgeData;
struct GraphEdge {
    GraphNode* node = nullptr; ///< the other end
    EdgeData data = {};
};

} // namespace warplight::software
