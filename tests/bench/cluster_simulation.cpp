// SPDX-License-Identifier: Apache-2.0
// How campaigns grow. Without options it prints two tables: what collecting the results of many points takes, with real
// logs, and how long many points take on many GPUs, simulated with the real splitting. With --run it runs points that
// sleep by an engine, as its own program: `--run slurm` needs a Slurm, whose SLURM_CONF is set. It is no test.
#include "cluster/campaign.hpp"
#include "cluster/collector.hpp"
#include "cluster/local_engine.hpp"
#include "cluster/records.hpp"
#include "cluster/run_campaign.hpp"
#include "cluster/site.hpp"
#include "cluster/slurm_engine.hpp"
#include "cluster/split.hpp"
#include "cluster/sweep_results.hpp"
#include "cluster/task.hpp"
#include "files/held_folder.hpp"
#include "session/random.hpp"
#include "session/sweep_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <queue>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace warplight;
using cluster::Campaign;
using clock_type = std::chrono::steady_clock;

double since(clock_type::time_point start) { return std::chrono::duration<double>(clock_type::now() - start).count(); }

double megabytes(const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field)) return std::strtod(line.c_str() + std::strlen(field) + 1, nullptr) / 1024;
    return 0;
}

Campaign campaign_of(std::uint64_t points, double point_seconds, const std::filesystem::path& folder) {
    Campaign campaign;
    campaign.folder = folder;
    campaign.id = "aaaaaaaaaa";
    campaign.session.kernel = "k";
    campaign.session.source.text = "extern \"C\" __global__ void k(int n) {}";
    session::Argument argument;
    argument.name = "n";
    argument.direction = session::Direction::scalar;
    campaign.session.arguments.push_back(argument);
    auto& sweep = campaign.session.sweep.emplace();
    sweep.vary.push_back(
        session::parse_axis(fmt::format("argument:n=1..{}", std::max<std::uint64_t>(points / 100, 1))));
    sweep.vary.push_back(session::parse_axis(fmt::format("bx=1..{}", std::min<std::uint64_t>(points, 100))));
    campaign.count = points;
    campaign.point_seconds = point_seconds;
    campaign.session_folder = "x";
    std::filesystem::create_directories(folder / "files" / "x");
    return campaign;
}

/// As a task writes it, of eight rounds with twenty runs each.
std::string body_of(const Campaign& campaign, std::uint64_t point, const std::string& gpu) {
    const session::SplitMix64 random{point};
    session::SweepPointResult result;
    result.point = point;
    const auto& axes = campaign.session.sweep->vary;
    const auto inner = axes[1].values.size();
    result.values = {axes[0].values.at(point / inner), axes[1].values.at(point % inner)};
    result.state = session::PointState::measured;
    result.device = gpu;
    constexpr int rounds = 8, runs = 20;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        auto& visit = result.visits.emplace_back();
        for (std::uint64_t run = 0; run < runs; ++run)
            visit.push_back(1 + 1e-3 * static_cast<double>(point % 997) + 1e-2 * random.unit(round * runs + run));
    }
    result.median_ms = session::median_of(result.visits.front());
    result.min_ms = result.median_ms;
    result.interval_ms = {result.median_ms, result.median_ms};
    return nlohmann::json{{"machine", {{"node", "n1"}, {"driver", "cuda"}, {"gpu", gpu}}},
                          {"result", session::to_json(result, axes)}}
        .dump();
}

// ---- collecting

void collect(std::uint64_t points) {
    const files::HeldFolder held("simulation");
    auto campaign = campaign_of(points, 1, held.path() / "c");
    campaign.tasks = cluster::tasks_for(points, {.point_seconds = 1});
    std::filesystem::create_directories(campaign.results());
    auto start = clock_type::now();
    const auto split = campaign.split();
    std::uint64_t bytes = 0;
    for (std::uint64_t task = 0; task < campaign.tasks; ++task) {
        std::string lines;
        for (const auto point : split.points_of(task))
            lines += cluster::record_line(point, body_of(campaign, point, "A"));
        std::ofstream(campaign.results() / cluster::LogName{task, 0, "aaaaaaaaaa"}.text(), std::ios::binary) << lines;
        bytes += lines.size();
    }
    const double writing = since(start);
    const double before = megabytes("VmRSS");
    cluster::Collector collector(campaign);
    start = clock_type::now();
    collector.refresh();
    const double reading = since(start);
    start = clock_type::now();
    collector.refresh();
    const double nothing_new = since(start);
    const double with_index = megabytes("VmRSS");
    start = clock_type::now();
    const cluster::SweepResults results(collector, false, 0);
    std::uint64_t report = 0;
    results.write_csv([&](std::string_view piece) { report += piece.size(); });
    const double table = since(start);
    if (!collector.complete() || report == 0) std::abort();
    fmt::print("{:>9} {:>7} {:>9.1f} {:>9.1f} {:>10.2f} {:>12.2f} {:>9.2f} {:>10.1f} {:>10.1f}\n", points,
               campaign.tasks, static_cast<double>(bytes) / 1e6, writing, reading, nothing_new * 1e3, table,
               with_index - before, megabytes("VmHWM"));
    std::fflush(stdout);
}

// ---- many GPUs

struct Cluster {
    std::uint64_t gpus = 1;
    double starts_a_second = 20; ///< jobs that the controller begins
    double start_seconds = 3;    ///< of a job: its processes, the driver, compiling
    double failures_an_hour = 0; ///< of all nodes together; each costs the group that runs
    double point_seconds = 1;
};

void simulate(std::uint64_t points, const Cluster& cluster) {
    const auto tasks = cluster::tasks_for(points, {.point_seconds = cluster.point_seconds, .at_least = cluster.gpus});
    const cluster::Split split(points, tasks, 0);
    std::vector<std::uint64_t> all;
    all.reserve(tasks);
    for (std::uint64_t i = 0; i < tasks; ++i)
        all.push_back(i);
    const auto arrays = cluster::arrays_of(all, 1000).size();
    const auto group = cluster::group_size(cluster.point_seconds);
    const session::SplitMix64 random{1};
    std::uint64_t drawn = 0;
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (std::uint64_t i = 0; i < cluster.gpus; ++i)
        free_at.push(0);
    double controller = 0, end = 0, work = 0;
    std::uint64_t lost = 0;
    for (std::uint64_t task = 0; task < tasks; ++task) {
        const double free = free_at.top();
        free_at.pop();
        controller = std::max(controller + 1 / cluster.starts_a_second, free);
        double now = controller + cluster.start_seconds;
        // Points take different times: half of them up to three times as long as the others.
        for (std::uint64_t left = split.size_of(task); left > 0;) {
            const auto size = std::min<std::uint64_t>(left, group);
            double seconds = 0;
            for (std::uint64_t i = 0; i < size; ++i)
                seconds += cluster.point_seconds * (0.5 + random.unit(drawn++));
            if (random.unit(drawn++) < cluster.failures_an_hour / 3600 * seconds / static_cast<double>(cluster.gpus)) {
                now += seconds + cluster.start_seconds; // this group again, in another job
                lost += size;
            }
            now += seconds;
            work += seconds;
            left -= size;
        }
        free_at.push(now);
        end = std::max(end, now);
    }
    const double ideal = work / static_cast<double>(cluster.gpus);
    constexpr double poll = 45;
    fmt::print("{:>9} {:>6} {:>7} {:>7} {:>12.0f} {:>12.0f} {:>9.1f} % {:>8} {:>9.0f}\n", points, cluster.gpus, tasks,
               arrays, ideal, end, 100 * (end / ideal - 1), lost, std::ceil(end / poll));
}

// ---- with an engine

/// In place of warplight-cli: points that sleep.
int work(int count, char** words) {
    const std::filesystem::path folder = words[2];
    std::uint64_t task = 0, attempt = 0;
    for (int i = 3; i + 1 < count; ++i) {
        if (std::string_view(words[i]) == "--task") task = std::strtoull(words[i + 1], nullptr, 10);
        if (std::string_view(words[i]) == "--attempt") attempt = std::strtoull(words[i + 1], nullptr, 10);
    }
    std::uint64_t points = 0, tasks = 0;
    double seconds = 0;
    std::ifstream(folder / "numbers") >> points >> tasks >> seconds;
    auto campaign = campaign_of(points, seconds, folder);
    campaign.tasks = tasks;
    cluster::RecordLog log(campaign.results(), task, attempt);
    const auto mine = campaign.split().points_of(task);
    const auto group = cluster::group_size(seconds);
    for (std::size_t at = 0; at < mine.size(); at += group) {
        std::string lines;
        for (std::size_t i = at; i < std::min(at + group, mine.size()); ++i) {
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
            lines += cluster::record_line(mine[i], body_of(campaign, mine[i], "A"));
        }
        log.append(lines);
    }
    return 0;
}

int run(const std::string& engine_name, std::uint64_t points, double seconds, int slots, double task_seconds) {
    const files::HeldFolder held("simulation", std::filesystem::current_path());
    auto campaign = campaign_of(points, seconds, held.path() / "c");
    campaign.id = held.path().filename().string().substr(held.path().filename().string().size() - 10);
    campaign.tasks = cluster::tasks_for(
        points,
        {.point_seconds = seconds, .task_seconds = task_seconds, .at_least = static_cast<std::uint64_t>(slots)});
    std::filesystem::create_directories(campaign.results());
    std::filesystem::create_directories(campaign.output());
    std::ofstream(campaign.folder / "numbers") << points << ' ' << campaign.tasks << ' ' << seconds << '\n';
    const auto self = std::filesystem::canonical("/proc/self/exe");
    std::unique_ptr<cluster::Engine> engine;
    if (engine_name == "local")
        engine = std::make_unique<cluster::LocalEngine>(campaign, cluster::LocalOptions{self, slots, {}});
    else
        engine = std::make_unique<cluster::SlurmEngine>(campaign, cluster::SlurmOptions{},
                                                        std::make_unique<cluster::LocalSite>(campaign, self.string()));
    cluster::Collector collector(campaign);
    const auto end = cluster::run_campaign(collector, *engine);
    for (const auto& each : end.problems)
        fmt::print(stderr, "{}\n", each);
    const double ideal = static_cast<double>(points) * seconds / slots;
    fmt::print(
        "{} points of {} s in {} tasks on {} slots: {:.1f} s, {:.1f} s of work: {:.1f} % more; {} of {} have results; "
        "the collector has {:.1f} MB\n",
        points, seconds, campaign.tasks, slots, end.seconds, ideal, 100 * (end.seconds / ideal - 1), collector.done(),
        points, megabytes("VmHWM"));
    return collector.complete() ? 0 : 1;
}

/// In a process of its own, so that memory is that of one size.
void apart(const std::function<void()>& body) {
    std::fflush(stdout);
    if (const auto child = fork(); child == 0) {
        body();
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    while (::wait(&status) < 0) {
    }
}

} // namespace

int main(int count, char** words) {
    try {
        if (count > 2 && std::string_view(words[1]) == "cluster-work") return work(count, words);
        if (count > 2 && std::string_view(words[1]) == "--run") {
            const auto number = [&](int i, double otherwise) {
                return count > i ? std::strtod(words[i], nullptr) : otherwise;
            };
            return run(words[2], static_cast<std::uint64_t>(number(3, 100)), number(4, 1),
                       static_cast<int>(number(5, 4)), number(6, 300));
        }
        fmt::print("Collecting: real logs, and the report as CSV. MB of memory: of the index, and at most\n"
                   "{:>9} {:>7} {:>9} {:>9} {:>10} {:>12} {:>9} {:>10} {:>10}\n",
                   "points", "logs", "MB", "write s", "collect s", "again ms", "CSV s", "index MB", "most MB");
        const std::uint64_t most = count > 1 ? std::strtoull(words[1], nullptr, 10) : 100'000;
        for (std::uint64_t points = 100; points <= most; points *= 10)
            apart([points] { collect(points); });
        fmt::print("\nMany GPUs, simulated: points of 0.5 to 1.5 s; the controller begins 20 jobs a second, a job "
                   "takes 3 s to "
                   "start; one node fails in an hour, for each 100 GPUs\n"
                   "{:>9} {:>6} {:>7} {:>7} {:>12} {:>12} {:>11} {:>8} {:>9}\n",
                   "points", "GPUs", "tasks", "arrays", "work s", "time s", "more", "run again", "polls");
        for (const std::uint64_t points : {10'000ULL, 100'000ULL, 1'000'000ULL})
            for (const std::uint64_t gpus : {10ULL, 100ULL, 1000ULL})
                simulate(points, {.gpus = gpus, .failures_an_hour = static_cast<double>(gpus) / 100});
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 1;
    }
    return 0;
}
