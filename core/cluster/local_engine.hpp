// SPDX-License-Identifier: Apache-2.0
/// Tasks as processes of this machine, several at once.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/engine.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace warplight::cluster {

struct LocalOptions {
    std::filesystem::path program; ///< warplight-cli
    int jobs = 1;                  ///< tasks at once
    std::vector<int> gpus;         ///< ordinals, one for each job; empty: the session's device
};

class LocalEngine : public Engine {
public:
    /// Keeps the campaign by reference.
    LocalEngine(const Campaign& campaign, LocalOptions options);
    ~LocalEngine() override; ///< ends what runs

    [[nodiscard]] std::string name() const override { return "local"; }
    void submit(const std::vector<std::uint64_t>& tasks) override;
    EngineState poll() override;
    void collect() override {}
    void cancel() override;
    [[nodiscard]] std::string reason(std::uint64_t task) override;
    [[nodiscard]] std::chrono::milliseconds pause() const override { return std::chrono::milliseconds(50); }
    [[nodiscard]] std::chrono::milliseconds longest_pause() const override { return std::chrono::milliseconds(500); }
    [[nodiscard]] std::chrono::milliseconds delay() const override { return std::chrono::milliseconds(0); }

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::cluster
