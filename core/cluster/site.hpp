// SPDX-License-Identifier: Apache-2.0
/// Where the commands of a cluster run, and where a campaign's folder lies for its jobs.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/command.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::cluster {

class Site {
public:
    Site() = default;
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;
    virtual ~Site() = default;

    /// Asked a few times a second. True: a command that runs is ended, for nobody waits for its answer any more.
    void give_up_when(std::function<bool()> given_up) { given_up_ = std::move(given_up); }

    [[nodiscard]] virtual CommandResult run(const std::vector<std::string>& command) = 0;
    /// The campaign's folder, and warplight-cli, as jobs see them.
    [[nodiscard]] virtual std::string folder() const = 0;
    [[nodiscard]] virtual std::string program() const = 0;
    /// Brings the campaign there. @throws session::SessionError
    virtual void prepare() = 0;
    /// Brings results here. @throws session::SessionError
    virtual void collect() = 0;
    /// Tells tasks there to end, or that they need not.
    virtual void set_stop(bool stop) = 0;
    /// The end of what a task has printed there; empty where there is nothing.
    [[nodiscard]] virtual std::string printed(std::uint64_t array, std::uint64_t index) = 0;

protected:
    std::function<bool()> given_up_;
};

/// This machine, whose file system the nodes share.
class LocalSite : public Site {
public:
    /// Keeps the campaign by reference. @param program warplight-cli
    LocalSite(const Campaign& campaign, std::string program);

    [[nodiscard]] CommandResult run(const std::vector<std::string>& command) override;
    [[nodiscard]] std::string folder() const override;
    [[nodiscard]] std::string program() const override { return program_; }
    void prepare() override;
    void collect() override {}
    void set_stop(bool stop) override;
    [[nodiscard]] std::string printed(std::uint64_t array, std::uint64_t index) override;

private:
    const Campaign& campaign_;
    std::string program_;
};

} // namespace warplight::cluster
