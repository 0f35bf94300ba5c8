// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include "../checks/collector.hpp"
#include "configuration.hpp"
#include "launch_log/launch_log.hpp"
#include "platform.hpp"
#include "process_end.hpp"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warplight::software::summary {
namespace {

using Extent = std::array<unsigned, 3>;

struct Launches {
    std::string name; ///< as the source has it
    std::uint64_t count = 0;
    std::chrono::nanoseconds time{0};
    Extent grid{}, block{};
    bool same_grid = true, same_block = true;
};

struct Copies {
    std::uint64_t count = 0, bytes = 0;
};

constexpr std::size_t kFaults = 8; ///< that are told; of others the number

struct Counts {
    std::mutex mutex;
    std::atomic<std::uint64_t> process = 0; ///< a child begins anew
    std::string program;
    std::map<std::pair<int, std::string>, Launches> launches; ///< by device and kernel
    std::array<Copies, 4> copies;                             ///< to and from the host: 2 * to + from
    std::map<int, std::uint64_t> peaks;
    std::vector<std::string> faults;
    std::uint64_t fault_count = 0;
    std::atomic<bool> told = false;
    void (*at_end)() = nullptr;
    std::uint64_t launch_count = 0;
    std::atomic<std::uint64_t> waiting = 0;  ///< launches that have not ended
    std::unique_ptr<launch_log::Writer> log; ///< null where none is wanted
};

/// Never destroyed: threads may run until the process ends.
Counts& counts() {
    static auto* const all = new Counts;
    return *all;
}

/// Text of a fixed size: no memory may be asked for in a signal handler.
class Line {
public:
    [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        const int size = std::vsnprintf(text_.data() + size_, text_.size() - size_, format, arguments);
        va_end(arguments);
        if (size > 0) size_ = std::min(size_ + static_cast<std::size_t>(size), text_.size() - 1);
    }
    void end() {
        if (size_ == text_.size() - 1) --size_;
        text_[size_++] = '\n';
        platform::write_error({text_.data(), size_});
        size_ = 0;
    }

private:
    std::array<char, 1024> text_{};
    std::size_t size_ = 0;
};

/// "1.5 MiB"
struct Size {
    double value;
    int digits; ///< behind the point
    const char* unit;
};
Size size_of(std::uint64_t bytes) {
    constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    return {value, unit > 0 ? 1 : 0, units[unit]};
}

double milliseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

void add_extent(Line& line, const Extent& extent, bool same) {
    line.add(extent[2] != 1 ? "(%u,%u,%u)" : extent[1] != 1 ? "(%u,%u)" : "(%u)", extent[0], extent[1], extent[2]);
    if (!same) line.add("…");
}

void tell_kernels(const Counts& c, Line& line) {
    const auto unfinished = static_cast<unsigned long long>(c.waiting.load());
    if (unfinished > 0) {
        line.add("  %llu %s had not ended: synchronize before the program's end", unfinished,
                 unfinished == 1 ? "launch" : "launches");
        line.end();
    }
    if (c.launches.empty()) {
        line.add(unfinished > 0 ? "  no launch ended" : "  no kernel was launched");
        return line.end();
    }
    const bool devices = c.launches.begin()->first.first != c.launches.rbegin()->first.first;
    line.add("  %8s %12s %12s  %s", "launches", "total ms", "mean ms", "kernel, grid and block of the first launch");
    line.end();
    // The longest first, without memory for a sorted list.
    std::pair<std::chrono::nanoseconds, const void*> last{std::chrono::nanoseconds::max(), nullptr};
    for (std::size_t n = 0; n < c.launches.size(); ++n) {
        const std::pair<const std::pair<int, std::string>, Launches>* next = nullptr;
        for (const auto& each : c.launches) {
            const std::pair<std::chrono::nanoseconds, const void*> key{each.second.time, &each};
            if (key < last &&
                (!next || key > std::pair<std::chrono::nanoseconds, const void*>{next->second.time, next}))
                next = &each;
        }
        if (!next) break;
        last = {next->second.time, next};
        const Launches& l = next->second;
        line.add("  %8llu %12.3f %12.4f  %.700s ", static_cast<unsigned long long>(l.count), milliseconds(l.time),
                 milliseconds(l.time) / static_cast<double>(l.count), l.name.c_str());
        add_extent(line, l.grid, l.same_grid);
        line.add(" x ");
        add_extent(line, l.block, l.same_block);
        if (devices) line.add(" on device %d", next->first.first);
        line.end();
    }
}

constexpr std::array<const char*, 4> kDirections = {"between devices' memory", "to devices", "to the host",
                                                    "between the host's memory"};
constexpr std::array<std::size_t, 4> kDirectionOrder = {1, 2, 0, 3};

void tell_copies(const Counts& c, Line& line) {
    bool any = false;
    line.add("  copies:");
    for (const std::size_t kind : kDirectionOrder) {
        const Copies& copies = c.copies[kind];
        if (copies.count == 0) continue;
        const Size size = size_of(copies.bytes);
        line.add("%s %llu %s, %.*f %s", any ? ";" : "", static_cast<unsigned long long>(copies.count),
                 kDirections[kind], size.digits, size.value, size.unit);
        any = true;
    }
    if (!any) line.add(" none");
    line.end();
}

void log_end(Counts& c) {
    const std::uint64_t unfinished = c.waiting;
    launch_log::End end{c.process, c.launch_count + unfinished, unfinished, {}, {}};
    for (const std::size_t kind : kDirectionOrder)
        if (c.copies[kind].count != 0)
            end.copies.push_back({kDirections[kind], c.copies[kind].count, c.copies[kind].bytes});
    for (const auto& [device, bytes] : c.peaks)
        end.memory.push_back({device, bytes});
    c.log->write(end);
}

/// By one call of the system, which adds the line whole.
bool add_line_to(const std::string& path, const std::string& line) {
    std::ofstream file;
    file.rdbuf()->pubsetbuf(nullptr, 0);
    file.open(std::filesystem::path(path), std::ios::app | std::ios::binary);
    file.write(line.data(), static_cast<std::streamsize>(line.size()));
    return file.good();
}

/// What checks have found, if the program has not taken it itself.
void tell_findings(const Counts& c) {
    const findings::Findings found = checks::Collector::instance().take();
    const std::string head = "[warplight] " + c.program + " (process " + std::to_string(c.process) + "): ";
    if (found.all.empty()) return platform::write_error(head + "checks found nothing\n");
    platform::write_error(head + "checks found " + std::to_string(found.all.size()) +
                          (found.all.size() == 1 ? " place\n" : " places\n"));
    for (const findings::Finding& each : found.all)
        platform::write_error("[warplight] " + findings::to_text(each));
    if (found.more > 0) platform::write_error("[warplight] " + findings::more_text(found));
    const std::string& path = configuration().findings;
    if (path.empty()) return;
    nlohmann::json object = findings::to_json(found);
    object["process"] = c.process.load();
    object["program"] = c.program;
    const std::string line = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    if (add_line_to(path, line)) return;
    platform::write_error("[warplight] the findings cannot be written to " + path +
                          ": is the disk full, or the folder gone?\n");
    (void)add_line_to(configuration().lost_findings, line);
}

void tell(platform::ProcessEnd how) {
    Counts& c = counts();
    if (c.process != platform::process_id() || c.told.exchange(true)) return;
    const bool tells_findings = configuration().checks.any() && how != platform::ProcessEnd::signal;
    // Takes locks that others hold while they count. What a process has that is stopped is no leak.
    if (tells_findings && how == platform::ProcessEnd::exit && c.at_end) c.at_end();
    // A thread that was stopped by a signal may hold it.
    std::unique_lock lock(c.mutex, std::defer_lock);
    if (how == platform::ProcessEnd::stopped)
        lock.lock();
    else if (!lock.try_lock())
        return;
    if (c.log && how != platform::ProcessEnd::signal) log_end(c);
    if (tells_findings) tell_findings(c);
    if (!configuration().summary) return;
    Line line;
    line.add("[warplight] %s (process %llu) on the software device", c.program.c_str(),
             static_cast<unsigned long long>(c.process));
    line.end();
    tell_kernels(c, line);
    tell_copies(c, line);
    for (const auto& [device, bytes] : c.peaks) {
        const Size size = size_of(bytes);
        line.add("  memory of device %d: %.*f %s at most", device, size.digits, size.value, size.unit);
        line.end();
    }
    line.add("  faults: %llu", static_cast<unsigned long long>(c.fault_count));
    line.end();
    for (const std::string& fault : c.faults) {
        line.add("    %.900s", fault.c_str());
        line.end();
    }
}

/// `change(the counts of this process)`
template <class Change>
void count(Change change) {
    if (!is_on()) return;
    Counts& c = counts();
    const std::scoped_lock lock(c.mutex);
    change(c);
}

} // namespace

bool is_on() {
    static const bool on =
        configuration().summary || !configuration().launch_log.empty() || configuration().checks.any();
    return on;
}

void begin(void (*at_end)()) {
    if (!is_on()) return;
    Counts& c = counts();
    const std::scoped_lock lock(c.mutex);
    const std::uint64_t process = platform::process_id();
    if (c.process == process) return;
    const bool first = c.process == 0;
    c.process = process;
    c.program = platform::program_name();
    c.launches.clear();
    c.copies = {};
    c.peaks.clear();
    c.faults.clear();
    c.fault_count = 0;
    c.told = false;
    c.launch_count = 0;
    c.waiting = 0;
    if (!configuration().launch_log.empty()) {
        c.log = std::make_unique<launch_log::Writer>(std::filesystem::path(configuration().launch_log));
        c.log->write(launch_log::Start{process, c.program, "software"});
    }
    c.at_end = at_end;
    if (first) platform::at_end_of_process(tell);
    if (configuration().checks.any()) platform::report_by_thread();
}

Waiting::Waiting() : process_(counts().process) { ++counts().waiting; }
Waiting::~Waiting() {
    if (counts().process == process_) --counts().waiting;
}

std::shared_ptr<const Waiting> waiting() { return is_on() ? std::make_shared<const Waiting>() : nullptr; }

void add_launch(int device, const std::string& kernel, const Extent& grid, const Extent& block,
                std::chrono::nanoseconds time) {
    count([&](Counts& c) {
        Launches& l = c.launches[{device, kernel}];
        if (l.count++ == 0) {
            l.name = launch_log::source_name(kernel);
            l.grid = grid;
            l.block = block;
        }
        l.time += time;
        l.same_grid &= l.grid == grid;
        l.same_block &= l.block == block;
        if (c.log && c.launch_count++ < launch_log::kMostLaunches)
            c.log->write(launch_log::Launch{c.process, device, l.name, grid, block, milliseconds(time)});
    });
}

void add_copy(bool to_host, bool from_host, std::uint64_t bytes) {
    count([&](Counts& c) {
        Copies& copies = c.copies[(to_host ? 2U : 0U) + (from_host ? 1U : 0U)];
        ++copies.count;
        copies.bytes += bytes;
    });
}

void add_use(int device, std::uint64_t bytes) {
    count([&](Counts& c) {
        std::uint64_t& peak = c.peaks[device];
        peak = std::max(peak, bytes);
    });
}

void add_fault(const std::string& message) {
    count([&](Counts& c) {
        ++c.fault_count;
        if (c.log) c.log->write(launch_log::Fault{c.process, message});
        if (c.faults.size() == kFaults) return;
        std::string& lines = c.faults.emplace_back();
        for (const char each : message) {
            lines += each;
            if (each == '\n') lines += "    ";
        }
    });
}

} // namespace warplight::software::summary
