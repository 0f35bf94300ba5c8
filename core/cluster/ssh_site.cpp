// SPDX-License-Identifier: Apache-2.0
#include "cluster/ssh_site.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/records.hpp"
#include "cluster/slurm_text.hpp"
#include "files/held_folder.hpp"
#include "files/input_file.hpp"
#include "remote/shell_words.hpp"
#include "session/data_file.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::cluster {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using session::SessionError;

/// That one call brings here.
constexpr std::size_t most_at_once = std::size_t{16} << 20;

std::string_view take_line(std::string_view& text) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// A number behind the last blank, which is taken away with it.
std::optional<std::uint64_t> take_last_number(std::string_view& text) {
    const auto blank = text.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    std::uint64_t number = 0;
    const auto digits = text.substr(blank + 1);
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
    text = text.substr(0, blank);
    return number;
}

} // namespace

SshSite::SshSite(const Campaign& campaign, remote::Place place, std::string folder, std::string program)
    : campaign_(campaign), place_(std::move(place)), folder_(std::move(folder)), program_(std::move(program)) {
    if (folder_.empty()) folder_ = "warplight-campaigns/" + campaign.id;
}

CommandResult SshSite::run_there(const remote::SshCommand& command, std::string_view input,
                                 CommandOptions options) const {
    std::vector<std::string> words{utf8_of(command.program)};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    options.environment = command.environment;
    options.at_terminal = true;
    options.cancelled = given_up_;
    return run_command(words, input, options);
}

CommandResult SshSite::run_script(std::string_view script, std::string_view input, CommandOptions options) const {
    try {
        return run_there(remote::ssh_script(place_, script, {}), input, std::move(options));
    } catch (const std::exception& error) { // no ssh here, or a word that no shell can take
        CommandResult result;
        result.problem = error.what();
        return result;
    }
}

void SshSite::fail(const CommandResult& result) const {
    const auto machine = remote::machine_of(place_);
    if (!result.started) throw SessionError(result.problem);
    if (result.late) throw SessionError(fmt::format("{} did not answer in time.", machine));
    throw SessionError(remote::explain_ssh_failure(result.code, result.errors, machine));
}

std::string SshSite::ask(std::string_view script, std::string_view input, CommandOptions options) const {
    auto result = run_script(script, input, std::move(options));
    if (!result.ok()) fail(result);
    return std::move(result.output);
}

CommandResult SshSite::run(const std::vector<std::string>& command) {
    try {
        return run_script(remote::joined_for_shells(command));
    } catch (const std::invalid_argument& error) {
        CommandResult result;
        result.problem = error.what();
        return result;
    }
}

/// The archive has the document last, so that a folder with one is whole.
void SshSite::send() const {
    const files::HeldFolder held("campaign");
    const auto archive = held.path() / "campaign.tar";
    CommandOptions options;
    options.timeout = std::chrono::hours(1);
    options.cancelled = given_up_;
    const auto made = run_command(
        {"tar", "-c", "-f", utf8_of(archive), "-C", utf8_of(campaign_.folder), "files", "campaign.json"}, {}, options);
    if (!made.ok())
        throw SessionError(made.started ? fmt::format("tar cannot pack the campaign: {}", plain_line(made.errors))
                                        : made.problem);
    options.timeout = std::chrono::hours(24);
    options.input_file = archive;
    (void)ask(fmt::format("tar -x -f - -C {}", remote::quoted_for_shells(folder_)), {}, options);
}

void SshSite::prepare() {
    // A relative folder is one of the home folder, where ssh begins. The mark tells the answer from what profiles
    // print.
    constexpr std::string_view mark = "WARPLIGHT-FOLDER ";
    const auto quoted = remote::quoted_for_shells(folder_);
    const auto said = ask(fmt::format(
        "mkdir -p -- {0} && cd -- {0} && mkdir -p results output && printf '\\n{1}%s\\n' \"$(pwd -P)\"", quoted, mark));
    const auto at = said.rfind(mark);
    auto rest = at == std::string::npos ? std::string_view() : std::string_view(said).substr(at + mark.size());
    folder_ = take_line(rest);
    if (!folder_.starts_with('/'))
        throw SessionError(
            fmt::format("{} did not tell where its folder for the campaign is.", remote::machine_of(place_)));
    if (!run_script(fmt::format("test -f {}", remote::quoted_for_shells(folder_ + "/campaign.json"))).ok()) send();
    prepared_ = true;
    while (fetch()) {
    }
    const auto script = job_script(program_, folder_);
    (void)ask(fmt::format("cat > {}", remote::quoted_for_shells(folder_ + "/job.sh")), script);
}

bool SshSite::fetch() {
    std::string wanted;
    std::error_code code;
    std::map<std::string, std::uint64_t, std::less<>> here;
    for (const auto& entry : fs::directory_iterator(campaign_.results(), code)) {
        const auto name = entry.path().filename().string();
        if (!LogName::parse(name)) continue;
        std::error_code none;
        here[name] = entry.file_size(none);
        wanted += fmt::format("{} {}\n", name, here[name]);
    }
    CommandOptions options;
    options.timeout = std::chrono::minutes(5);
    options.most_output = 2 * most_at_once;
    CommandResult result;
    try {
        auto command =
            program_.empty()
                ? remote::ssh_command(place_, {"cluster-fetch", folder_}, {})
                : remote::ssh_script(place_, remote::joined_for_shells({program_, "cluster-fetch", folder_}), {});
        result = run_there(command, wanted, options);
    } catch (const std::exception& error) {
        throw SessionError(error.what());
    }
    if (!result.ok()) fail(result);
    constexpr std::string_view mark = "WARPLIGHT-CAMPAIGN ";
    std::string_view rest = result.output;
    const auto at = rest.find(mark); // profiles may print in front
    if (at == std::string_view::npos)
        throw SessionError(fmt::format("{} did not answer as a campaign.", remote::machine_of(place_)));
    rest.remove_prefix(at + mark.size());
    const auto head = json::parse(take_line(rest), nullptr, false);
    if (!head.is_object())
        throw SessionError(fmt::format("{} did not answer as a campaign.", remote::machine_of(place_)));
    const auto text = [&](const char* key) {
        const auto found = head.find(key);
        return found != head.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (const auto problem = text("problem"); !problem.empty()) throw SessionError(plain_line(problem));
    if (text("id") != campaign_.id)
        throw SessionError(fmt::format("{} on {} is another campaign. Name another folder by --work-folder.", folder_,
                                       remote::machine_of(place_)));
    if (program_.empty()) program_ = text("program");
    bool more = false;
    while (!rest.empty()) {
        auto line = take_line(rest);
        const auto length = take_last_number(line), offset = take_last_number(line);
        // Whatever it sends: only logs, only behind what is here, and no more than has come.
        if (!length || !offset || !LogName::parse(line) || *length > rest.size()) break;
        const std::string name(line);
        const auto known = here.find(name);
        if (*offset != (known == here.end() ? 0 : known->second)) break;
        std::ofstream file(campaign_.results() / name, std::ios::binary | std::ios::app);
        file << rest.substr(0, *length);
        file.close();
        if (!file)
            throw SessionError(
                fmt::format("{} cannot be written: the disk may be full.", (campaign_.results() / name).string()));
        here[name] = *offset + *length;
        rest.remove_prefix(*length);
        more = more || *length > 0;
    }
    return more;
}

void SshSite::collect() {
    if (!prepared_) return;
    while (fetch()) {
    }
}

void SshSite::set_stop(bool stop) {
    const auto file = remote::quoted_for_shells(folder_ + "/stop");
    (void)run_script(stop ? "touch -- " + file : "rm -f -- " + file);
}

std::string SshSite::printed(std::uint64_t array, std::uint64_t index) {
    constexpr int most = 2048;
    auto result =
        run_script(fmt::format("tail -c {} -- {}", most,
                               remote::quoted_for_shells(fmt::format("{}/output/{}_{}.txt", folder_, array, index))));
    return result.ok() ? std::move(result.output) : std::string();
}

std::string answer_fetch(const fs::path& folder, std::string_view program, std::string_view wanted, std::size_t most) {
    json head = {{"program", program}};
    std::string pieces;
    try {
        const auto campaign = load_campaign(folder);
        head["id"] = campaign.id;
        if (wanted.empty()) head["problem"] = changed_file(campaign.files, campaign.folder / "files");
        std::map<std::string, std::uint64_t, std::less<>> known;
        while (!wanted.empty()) {
            auto line = take_line(wanted);
            if (const auto offset = take_last_number(line)) known.emplace(line, *offset);
        }
        std::error_code code;
        for (const auto& entry : fs::directory_iterator(campaign.results(), code)) {
            const auto name = entry.path().filename().string();
            if (!LogName::parse(name) || pieces.size() >= most) continue;
            const files::InputFile file(entry.path());
            const auto found = known.find(name);
            const auto offset = found == known.end() ? 0 : found->second;
            if (file.size() <= offset) continue;
            std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>(file.size() - offset, most)), '\0');
            piece.resize(file.read_some(offset, std::as_writable_bytes(std::span(piece))));
            pieces += fmt::format("{} {} {}\n", name, offset, piece.size()) + piece;
        }
    } catch (const SessionError& error) {
        head["problem"] = error.what();
    } catch (const files::InputError& error) {
        head["problem"] = error.what();
    }
    return fmt::format("\nWARPLIGHT-CAMPAIGN {}\n", head.dump()) + pieces;
}

} // namespace warplight::cluster
