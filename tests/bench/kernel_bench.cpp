// SPDX-License-Identifier: Apache-2.0
// The same work by the software device (CUDA to PTX by NVRTC), by PoCL (OpenCL twins) and by plain OpenMP loops, run
// after another in one process:
//   kernel_bench [--rounds N] [--json FILE] [--driver NAME] [--processor-time] [--limits | --more] [--list] [KERNEL…]
// KERNEL: part of a name. Every peer's result is compared with the loop's before its time counts. The time is that of
// launches and waiting, without compiling and copies: medians of N rounds (default 11) in which the peers take turns.
// Just before it, another kernel keeps the peer's threads busy for 20 ms, so that they are awake.
// --processor-time counts the time of all processors instead of a clock's, so it is of use on a machine that has other
// work. With WARPLIGHT_SOFTWARE_WORKERS=1 and OMP_NUM_THREADS=1 no time of waiting threads is in it. PoCL's is.
// --limits leaves PoCL out, and prints what the machine could reach: the time in which as many bytes are read and
// written, and that in which vectors do as many operations. The longer one is the limit; software and openmp are
// percents of it.
// --more measures other kernels, which have no OpenCL twin.
#include "limits.hpp"
#include "peer.hpp"
#include "platform.hpp"
#include "warplight/driver.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

using namespace warplight::bench;
using json = nlohmann::ordered_json;

namespace {

enum Which { ours, pocl, openmp, peers };
constexpr const char* keys[peers] = {"software", "pocl", "openmp"};

struct Options {
    int rounds = 11;
    std::string json_file, driver = "software";
    bool list = false, processor_time = false, limits = false, more = false;
    std::vector<std::string> filter;
};

std::optional<Options> options_of(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool has_value = i + 1 < argc;
        if (argument == "--rounds" && has_value)
            options.rounds = std::atoi(argv[++i]);
        else if (argument == "--json" && has_value)
            options.json_file = argv[++i];
        else if (argument == "--driver" && has_value)
            options.driver = argv[++i];
        else if (argument == "--processor-time")
            options.processor_time = true;
        else if (argument == "--limits")
            options.limits = true;
        else if (argument == "--more")
            options.more = true;
        else if (argument == "--list")
            options.list = true;
        else if (argument.starts_with("-"))
            return std::nullopt;
        else
            options.filter.emplace_back(argument);
    }
    if (options.rounds < 1 || (options.limits && options.more)) return std::nullopt;
    return options;
}

/// Empty when the result is the loop's, as far as that can be asked for.
std::string difference(const Array& array, const std::vector<std::byte>& actual,
                       const std::vector<std::byte>& expected) {
    for (std::size_t i = 0; i + 4 <= expected.size(); i += 4) {
        char text[120];
        if (array.check == Array::Check::integers) {
            std::int32_t a = 0, e = 0;
            std::memcpy(&a, &actual[i], 4);
            std::memcpy(&e, &expected[i], 4);
            if (a == e) continue;
            std::snprintf(text, sizeof text, "element %zu is %d instead of %d", i / 4, a, e);
        } else {
            float a = 0, e = 0;
            std::memcpy(&a, &actual[i], 4);
            std::memcpy(&e, &expected[i], 4);
            if (std::fabs(double(a) - e) <= array.absolute + array.relative * std::fabs(e)) continue;
            std::snprintf(text, sizeof text, "element %zu is %.9g instead of %.9g", i / 4, a, e);
        }
        return text;
    }
    return {};
}

struct Times {
    std::string problem; ///< why there are none
    std::vector<double> ms;

    bool counts() const { return !ms.empty(); }
    double median() const {
        auto sorted = ms;
        std::sort(sorted.begin(), sorted.end());
        const std::size_t half = sorted.size() / 2;
        return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
};

/// By a clock or of the processors, since some time.
double milliseconds(bool processor_time) {
    if (processor_time) return processor_milliseconds();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Milliseconds that a run takes.
double timed(Prepared& prepared, WarmUp& warm_up, bool processor_time) {
    prepared.restore();
    // GNU OpenMP's threads turn round 300,000 times after a loop before they sleep, 16 ms here: in that time nobody
    // else has all processors.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    warm_up.run();
    const double begin = milliseconds(processor_time);
    prepared.run();
    return milliseconds(processor_time) - begin;
}

/// Sets the times; whether all that ran gave the loop's result.
bool measure(const Benchmark& benchmark, Peer* const (&all)[peers], const std::string& no_pocl, const Options& options,
             Times (&times)[peers]) {
    std::unique_ptr<Prepared> prepared[peers];
    std::optional<WarmUp> warm_up[peers];
    bool right = true;
    const auto attempt = [&](int which) {
        times[which] = {};
        if (!all[which]) {
            times[which].problem = no_pocl;
            return;
        }
        try {
            warm_up[which].emplace(*all[which]);
            prepared[which] = all[which]->prepare(benchmark);
            prepared[which]->restore();
            prepared[which]->run(); // also compiles
            for (unsigned i = 0; which != openmp && i < benchmark.arrays.size(); ++i) {
                const Array& array = benchmark.arrays[i];
                if (array.check == Array::Check::none) continue;
                const auto problem = difference(array, prepared[which]->result(i), prepared[openmp]->result(i));
                if (problem.empty()) continue;
                right = false;
                throw std::runtime_error("WRONG RESULT: " + problem);
            }
            (void)timed(*prepared[which], *warm_up[which], options.processor_time);
        } catch (const std::exception& error) {
            times[which].problem = error.what();
            prepared[which].reset();
        }
    };
    for (const int which : {openmp, ours, pocl})
        attempt(which);
    for (int round = 0; round < options.rounds; ++round)
        for (int i = 0; i < peers; ++i) {
            const int which = (i + round) % peers; // nobody always comes after the same
            if (prepared[which])
                times[which].ms.push_back(timed(*prepared[which], *warm_up[which], options.processor_time));
        }
    return right;
}

/// First line, short enough for a table.
std::string brief(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    return line.size() > 150 ? line.substr(0, 147) + "..." : line;
}

class Mean {
public:
    void add(double ratio) {
        sum_ += std::log(ratio);
        ++count_;
    }
    int count() const { return count_; }
    double value() const { return std::exp(sum_ / count_); }

private:
    double sum_ = 0;
    int count_ = 0;
};

json to_json(const Benchmark& benchmark, const Times (&times)[peers], const std::optional<Limit>& limit) {
    json entry = {{"name", benchmark.name}, {"size", benchmark.size}};
    if (!benchmark.note.empty()) entry["note"] = benchmark.note;
    for (int which = 0; which < peers; ++which) {
        if (times[which].counts())
            entry[keys[which]] = {{"median_ms", times[which].median()}, {"ms", times[which].ms}};
        else
            entry[keys[which]] = {{"not_run", times[which].problem}};
    }
    if (limit) entry["limits"] = {{"memory_ms", limit->memory_ms}, {"arithmetic_ms", limit->arithmetic_ms}};
    return entry;
}

void print_number(bool known, const char* format, double number) {
    if (known)
        std::printf(format, number);
    else
        std::printf("%10s", "-");
}

void print_problems(const Times (&times)[peers]) {
    for (int which = 0; which < peers; ++which)
        if (!times[which].counts() && (which != pocl || !times[which].problem.starts_with("no ")))
            std::printf("%-20s %s not run: %s\n", "", keys[which], brief(times[which].problem).c_str());
}

void print_limits(const Benchmark& benchmark, const Limit& limit, const Times (&times)[peers]) {
    std::printf("%-20s %9.2f %9.3f %9.3f", benchmark.name.c_str(),
                benchmark.work.passes * (benchmark.work.read + benchmark.work.written) / 1e6, limit.memory_ms,
                limit.arithmetic_ms);
    for (const int which : {ours, openmp}) {
        const bool counts = times[which].counts();
        print_number(counts, " %9.3f", counts ? times[which].median() : 0);
        print_number(counts, " %9.0f", counts ? 100 * limit.ms() / times[which].median() : 0);
    }
    std::printf("\n");
    print_problems(times);
}

void print_row(const Benchmark& benchmark, const Times (&times)[peers]) {
    std::printf("%-20s %-36s", benchmark.name.c_str(), benchmark.size.c_str());
    for (const Times& t : times)
        print_number(t.counts(), " %9.2f", t.counts() ? t.median() : 0);
    for (const int other : {pocl, openmp}) {
        if (times[ours].counts() && times[other].counts())
            std::printf(" %8.2f", times[ours].median() / times[other].median());
        else
            std::printf(" %8s", "-");
    }
    std::printf("  %s\n", benchmark.note.c_str());
    print_problems(times);
}

const std::vector<Entry>& benchmarks(const Options& options) {
    return options.more ? more_benchmarks() : all_benchmarks();
}

int run(const Options& options) {
    const auto wanted = [&](const std::string& name) {
        return options.filter.empty() || std::any_of(options.filter.begin(), options.filter.end(),
                                                     [&](const auto& part) { return name.find(part) != name.npos; });
    };
    const auto software = driver_peer(warplight::driver::Driver::from_name(options.driver));
    const auto loops = openmp_peer();
    std::string problem;
    const bool twins = !options.limits && !options.more;
    const auto opencl = twins ? pocl_peer(problem) : nullptr;
    if (!twins) problem = options.limits ? "no part of --limits" : "no part of --more";
    std::optional<Limits> limits;
    if (options.limits) limits.emplace([&] { return milliseconds(options.processor_time); });
    Peer* const all[peers] = {software.get(), opencl.get(), loops.get()};
    if (!opencl && twins) problem = "no PoCL: " + problem;

    std::printf("%u processors, medians of %d rounds of %s; the peers take turns\n",
                std::thread::hardware_concurrency(), options.rounds,
                options.processor_time ? "processor time" : "time by the clock");
    std::printf("  software  %s\n  pocl      %s\n  openmp    %s\n\n", software->description().c_str(),
                opencl ? opencl->description().c_str() : problem.c_str(), loops->description().c_str());
    if (limits) {
        std::printf("vectors: %.1f operations on floats in a nanosecond, %.1f on integers\n\n",
                    limits->float_rate() * 1e-6, limits->integer_rate() * 1e-6);
        std::printf("%-20s %9s %9s %9s %9s %9s %9s %9s\n", "milliseconds", "MB", "memory", "vectors", "software", "%",
                    "openmp", "%");
    } else {
        std::printf("%-20s %-36s %9s %9s %9s %8s %8s\n", "", "milliseconds", "software", "pocl", "openmp", "/ pocl",
                    "/ openmp");
    }

    json report = {{"processors", std::thread::hardware_concurrency()},
                   {"rounds", options.rounds},
                   {"time", options.processor_time ? "processors" : "clock"}};
    for (int which = 0; which < peers; ++which)
        report["peers"][keys[which]] = all[which] ? all[which]->description() : problem;
    Mean to_pocl, to_openmp;
    std::vector<std::string> losses;
    bool right = true;
    for (const Entry& entry : benchmarks(options)) {
        if (!wanted(entry.name)) continue;
        const Benchmark benchmark = entry.make();
        Times times[peers];
        right = measure(benchmark, all, problem, options, times) && right;
        std::optional<Limit> limit;
        if (limits) {
            limit = limits->of(benchmark.work);
            print_limits(benchmark, *limit, times);
        } else {
            print_row(benchmark, times);
        }
        std::fflush(stdout);
        report["kernels"].push_back(to_json(benchmark, times, limit));
        if (!times[ours].counts()) continue;
        if (times[openmp].counts()) to_openmp.add(times[ours].median() / times[openmp].median());
        if (!times[pocl].counts()) continue;
        to_pocl.add(times[ours].median() / times[pocl].median());
        if (times[ours].median() > times[pocl].median()) losses.push_back(benchmark.name);
    }
    if (!report.contains("kernels")) throw std::runtime_error("no kernel has such a name (--list prints them)");
    std::printf("\ngeometric means of the ratios (below 1: the software device is faster)\n");
    const auto print_mean = [&](const char* what, const char* key, const Mean& mean) {
        if (mean.count() == 0) return;
        std::printf("  software / %-8s %6.2f  of %d kernels\n", what, mean.value(), mean.count());
        report["geometric_means"][key] = {{"ratio", mean.value()}, {"kernels", mean.count()}};
    };
    print_mean("pocl", "software_to_pocl", to_pocl);
    print_mean("openmp", "software_to_openmp", to_openmp);
    if (to_pocl.count()) {
        std::printf("slower than PoCL:");
        for (const auto& name : losses)
            std::printf(" %s", name.c_str());
        std::printf("%s\n", losses.empty() ? " none" : "");
        report["slower_than_pocl"] = losses;
    }
    if (!options.json_file.empty()) {
        std::ofstream out(options.json_file);
        out << report.dump(2) << '\n';
        if (!out.flush()) throw std::runtime_error("cannot write " + options.json_file);
    }
    return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const auto options = options_of(argc, argv);
    if (!options) {
        std::fprintf(stderr,
                     "kernel_bench [--rounds N] [--json FILE] [--driver NAME] [--processor-time] [--limits | --more] "
                     "[--list] [KERNEL...]\n");
        return 2;
    }
    if (options->list) {
        for (const Entry& entry : benchmarks(*options))
            std::printf("%s\n", entry.name);
        return 0;
    }
    set_default_environment("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
    set_default_environment("WARPLIGHT_JIT_TIER", "fast"); // the clock is read here, not by events
    try {
        return run(*options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernel_bench: %s\n", error.what());
        return 4;
    }
}
