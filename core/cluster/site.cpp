// SPDX-License-Identifier: Apache-2.0
#include "cluster/site.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/slurm_text.hpp"
#include "files/input_file.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::cluster {

LocalSite::LocalSite(const Campaign& campaign, std::string program)
    : campaign_(campaign), program_(std::move(program)) {}

CommandResult LocalSite::run(const std::vector<std::string>& command) {
    CommandOptions options;
    options.cancelled = given_up_;
    return run_command(command, {}, options);
}

std::string LocalSite::folder() const { return utf8_of(campaign_.folder); }

void LocalSite::prepare() {
    try {
        write_file_atomically(campaign_.folder / "job.sh", job_script(program_, folder()));
    } catch (const Error& error) {
        throw session::SessionError(fmt::format("The script of the jobs cannot be written: {}", error.what()));
    }
}

void LocalSite::set_stop(bool stop) {
    const auto file = stop_file(campaign_.folder);
    std::error_code code;
    if (stop)
        const std::ofstream made(file);
    else
        std::filesystem::remove(file, code);
}

std::string LocalSite::printed(std::uint64_t array, std::uint64_t index) {
    constexpr std::uint64_t most = 2048;
    try {
        const files::InputFile file(campaign_.output() / fmt::format("{}_{}.txt", array, index));
        std::string text(static_cast<std::size_t>(std::min(file.size(), most)), '\0');
        text.resize(file.read_some(file.size() - text.size(), std::as_writable_bytes(std::span(text))));
        return text;
    } catch (const files::InputError&) {
        return {};
    }
}

} // namespace warplight::cluster
