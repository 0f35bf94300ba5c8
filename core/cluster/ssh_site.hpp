// SPDX-License-Identifier: Apache-2.0
/// The login node of a cluster, which the system's ssh reaches. The campaign's folder is copied there once, as an
/// archive of tar, and logs of results come back by what they have more than last time.
#pragma once

#include "cluster/site.hpp"
#include "remote/place.hpp"
#include "remote/ssh.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplight::cluster {

class SshSite : public Site {
public:
    /// Keeps the campaign by reference.
    /// @param folder of the campaign there; relative to the home folder; empty: below `warplight-campaigns` in it
    /// @param program warplight-cli there; empty: as remote::ssh_command() finds it
    SshSite(const Campaign& campaign, remote::Place place, std::string folder, std::string program);

    [[nodiscard]] CommandResult run(const std::vector<std::string>& command) override;
    [[nodiscard]] std::string folder() const override { return folder_; }
    [[nodiscard]] std::string program() const override { return program_; }
    void prepare() override;
    void collect() override;
    void set_stop(bool stop) override;
    [[nodiscard]] std::string printed(std::uint64_t array, std::uint64_t index) override;

private:
    [[nodiscard]] CommandResult run_there(const remote::SshCommand& command, std::string_view input,
                                          CommandOptions options = {}) const;
    [[nodiscard]] CommandResult run_script(std::string_view script, std::string_view input = {},
                                           CommandOptions options = {}) const;
    /// @throws session::SessionError where it fails
    std::string ask(std::string_view script, std::string_view input = {}, CommandOptions options = {}) const;
    [[noreturn]] void fail(const CommandResult& result) const;
    void send() const;
    /// @returns whether there may be more
    bool fetch();

    const Campaign& campaign_;
    const remote::Place place_;
    std::string folder_, program_;
    bool prepared_ = false;
};

/// The far side of SshSite::collect(): `wanted` has a line `NAME OFFSET` for each log that is known there; what logs
/// have more, at most so many bytes, comes after a line of JSON about the campaign.
[[nodiscard]] std::string answer_fetch(const std::filesystem::path& folder, std::string_view program,
                                       std::string_view wanted, std::size_t most);

} // namespace warplight::cluster
