// SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"

#include <chrono>

namespace warplight::bench {

WarmUp::WarmUp(Peer& peer) : benchmark_(busy()), prepared_(peer.prepare(benchmark_)) { prepared_->run(); }

void WarmUp::run() {
    const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < enough)
        prepared_->run();
}

} // namespace warplight::bench
