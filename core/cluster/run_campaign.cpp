// SPDX-License-Identifier: Apache-2.0
#include "cluster/run_campaign.hpp"

#include "files/input_file.hpp"
#include "files/platform.hpp"
#include "files/problem.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <system_error>
#include <thread>

namespace warplight::cluster {
namespace {

using session::SessionError;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds step{100};
/// How long tasks have for the point that they are at when the user stops them.
constexpr std::chrono::seconds patience{20};

class CampaignRun {
public:
    CampaignRun(Collector& collector, Engine& engine, const CampaignHooks& hooks)
        : collector_(collector), engine_(engine), hooks_(hooks), start_(steady_clock::now()), pause_(engine.pause()) {}

    CampaignEnd run();

private:
    [[nodiscard]] bool collect();
    void wait(milliseconds duration);
    [[nodiscard]] bool wait_for_results(milliseconds duration);
    void watch();
    void stop();
    void tell();
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(steady_clock::now() - start_).count(); }
    [[nodiscard]] bool leaves() const { return hooks_.leaves && hooks_.leaves(); }
    /// There is nothing to wait for any more.
    [[nodiscard]] bool ends() const { return leaves() || (hooks_.cancelled && hooks_.cancelled()); }

    Collector& collector_;
    Engine& engine_;
    const CampaignHooks& hooks_;
    steady_clock::time_point start_;
    milliseconds pause_;
    milliseconds collecting_{0}; ///< how long it took last
    std::uint64_t at_start_ = 0;
    EngineState state_;   ///< of the last poll
    std::string trouble_; ///< why results could not be fetched last time
    CampaignEnd end_;
};

/// Whether there was something new. What cannot be read now may be readable later.
bool CampaignRun::collect() {
    const auto start = steady_clock::now();
    try {
        engine_.collect();
        const bool more = collector_.refresh() > 0;
        trouble_.clear();
        collecting_ = std::chrono::ceil<milliseconds>(steady_clock::now() - start);
        return more;
    } catch (const SessionError& error) {
        trouble_ = error.what();
    } catch (const files::InputError& error) {
        trouble_ = error.what();
    } catch (const files::Problem& error) {
        trouble_ = error.what();
    }
    return false;
}

void CampaignRun::tell() {
    if (!hooks_.progress) return;
    CampaignProgress progress{collector_.done(), collector_.campaign().count, state_, seconds(), -1};
    if (!trouble_.empty()) progress.engine.note = trouble_;
    const auto gained = progress.done - at_start_;
    if (gained > 0)
        progress.seconds_left =
            progress.seconds / static_cast<double>(gained) * static_cast<double>(progress.count - progress.done);
    hooks_.progress(progress);
}

void CampaignRun::wait(milliseconds duration) {
    const auto end = steady_clock::now() + duration;
    while (steady_clock::now() < end && !ends())
        std::this_thread::sleep_for(std::min<milliseconds>(
            step, std::chrono::ceil<milliseconds>(std::max(end - steady_clock::now(), steady_clock::duration(1)))));
}

/// Results are looked for more often than the engine is asked, as far as that is cheap. @returns whether all are there
bool CampaignRun::wait_for_results(milliseconds duration) {
    constexpr int rarely = 20; // times as long as looking takes
    const auto end = steady_clock::now() + duration;
    while (!ends()) {
        const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
        const auto next = std::max<milliseconds>(milliseconds(500), rarely * collecting_);
        if (left <= next) {
            wait(std::max(left, milliseconds(0)));
            return false;
        }
        wait(next);
        if (collect()) tell();
        if (collector_.complete()) return true;
    }
    return false;
}

/// Until all is there, nothing runs any more, or the user stops it.
void CampaignRun::watch() {
    while (!ends()) {
        state_ = engine_.poll();
        const bool more = collect();
        tell();
        if (collector_.complete()) return;
        if (state_.ended) {
            // The last results may still be on their way here.
            const auto until = steady_clock::now() + engine_.delay();
            while (steady_clock::now() < until && !collector_.complete() && !ends()) {
                wait(std::min(engine_.delay(), engine_.pause()));
                (void)collect();
            }
            return;
        }
        pause_ = more ? engine_.pause() : std::min(pause_ + pause_ / 4, engine_.longest_pause());
        if (wait_for_results(pause_)) return;
    }
}

void CampaignRun::stop() {
    end_.stopped = true;
    {
        const std::ofstream file(stop_file(collector_.campaign().folder));
    }
    engine_.cancel();
    const auto until = steady_clock::now() + patience;
    while (steady_clock::now() < until) {
        state_ = engine_.poll();
        (void)collect();
        tell();
        if (state_.ended) break;
        std::this_thread::sleep_for(std::min(engine_.pause(), milliseconds(1000)));
    }
    (void)collect();
}

CampaignEnd CampaignRun::run() {
    const auto& campaign = collector_.campaign();
    std::string why;
    const auto folder = files::platform::Folder::open(campaign.folder, files::platform::Owner::user, why);
    if (!folder.is_open())
        throw SessionError(fmt::format("The folder {} cannot be opened: {}", campaign.folder.string(), why));
    if (folder.hold() == files::platform::Hold::taken)
        throw SessionError(fmt::format("Another process runs the campaign {}. Stop it first, or wait for its end.",
                                       campaign.folder.string()));
    std::error_code code;
    std::filesystem::remove(stop_file(campaign.folder), code);
    (void)collect();
    if (!trouble_.empty()) throw SessionError(trouble_);
    at_start_ = collector_.done();
    if (!collector_.complete()) {
        engine_.submit(collector_.tasks_left());
        watch();
        if (!collector_.complete() && leaves())
            end_.left = true;
        else if (!collector_.complete() && ends())
            stop();
    }
    end_.seconds = seconds();
    std::map<std::string, std::uint64_t> reasons;
    if (!collector_.complete() && !end_.stopped && !end_.left)
        for (const auto task : collector_.tasks_left())
            if (const auto reason = engine_.reason(task); !reason.empty()) ++reasons[reason];
    for (const auto& [reason, count] : reasons)
        end_.problems.push_back(count == 1 ? reason : fmt::format("{} ({} tasks)", reason, count));
    if (!trouble_.empty()) end_.problems.push_back(trouble_);
    return end_;
}

} // namespace

CampaignEnd run_campaign(Collector& collector, Engine& engine, const CampaignHooks& hooks) {
    try {
        return CampaignRun(collector, engine, hooks).run();
    } catch (const RefusedError&) {
        // Who goes away does not know what was taken.
        if (collector.logs() == 0 && !(hooks.leaves && hooks.leaves())) remove_campaign(collector.campaign());
        throw;
    }
}

} // namespace warplight::cluster
