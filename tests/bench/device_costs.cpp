// SPDX-License-Identifier: Apache-2.0
// What the software device costs beside running kernels:
//   device_costs [compile] [first] [launch] [memory] [cores] [--kernels FOLDER]… [--rounds N] [--workers N]
//   compile  from PTX to code without the object cache, and from the cache, for each .cu and .ptx of the folders; the
//            time of a processor, so that what else the machine does is left out
//   first    from a module's text to the end of a first, small launch: fast code, and quick code first
//   launch   an empty kernel, waited for and queued, beside PoCL and an empty parallel region; many small launches in a
//            stream and in a graph
//   memory   what lies in memory as the device starts, compiles, and runs a million launches
//   cores    each kernel of kernel_bench by 1, 2, 4, … workers, up to one a processor, or up to so many; and how many
//            times as fast loops at the machine's limit become by as many threads
// All five without a word, with fast code where nothing is said of it. What compiled code is kept of goes to a folder
// of its own, which is removed.
#include "first_launch.hpp"
#include "limits.hpp"
#include "peer.hpp"
#include "platform.hpp"
#include "warplight/compiler.hpp"
#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

using namespace warplight::bench;
namespace driver = warplight::driver;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// For the time of the program.
class TemporaryFolder {
public:
    TemporaryFolder()
        : path_(fs::temp_directory_path() / ("warplight-device-costs-" + std::to_string(std::random_device{}()))) {
        fs::create_directories(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string ptx_of(const fs::path& file) {
    if (file.extension() == ".ptx") return text_of(file);
    warplight::compiler::CompileRequest request;
    request.source = text_of(file);
    request.name = file.filename().string();
    request.options = {"-std=c++17"};
    auto result = warplight::compiler::compile(request);
    if (!result.ok) { // kernels that launch others are relocatable
        request.options.emplace_back("-rdc=true");
        if (auto relocatable = warplight::compiler::compile(request); relocatable.ok) result = std::move(relocatable);
    }
    if (!result.ok)
        throw std::runtime_error(result.diagnostics.empty() ? result.log : result.diagnostics.front().message);
    return result.ptx;
}

std::string first_line(const std::string& text) { return text.substr(0, std::min<std::size_t>(text.find('\n'), 200)); }

// --- compile

struct Loading {
    double parse = 0, code = 0;         ///< ms: the module, then code for all its kernels
    std::map<std::string, double> each; ///< of that, by kernel
};
Loading load(const std::string& ptx) {
    Loading result;
    const double start = processor_ms();
    const driver::Module module = driver::module_from_buffer(ptx);
    result.parse = processor_ms() - start;
    std::vector<driver::Function> functions;
    const std::vector<std::string> names = module.functions();
    for (const std::string& name : names)
        functions.push_back(module.get_function(name));
    for (std::size_t k = 0; k < functions.size(); ++k) {
        const double before = processor_ms();
        functions[k].load();
        result.each[names[k]] = processor_ms() - before;
        result.code += result.each[names[k]];
    }
    return result;
}

/// Of sorted numbers the least that so many of a hundred are not above.
double percentile(const std::vector<double>& sorted, double of_hundred) {
    if (sorted.empty()) return 0;
    const auto at = static_cast<std::size_t>(std::ceil(of_hundred / 100 * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(at, 1, sorted.size()) - 1];
}

void compile_costs(const std::vector<fs::path>& folders, const fs::path& cache, int rounds) {
    const driver::Context context = driver::Device(0, driver::Driver::software()).make_context();
    std::printf("\nfrom PTX to code for blocks of the usual extents, milliseconds, medians of %d\n", rounds);
    std::printf("%-24s %7s %9s %9s %9s %9s %7s  %s\n", "", "kernels", "PTX bytes", "parse", "compile", "cached",
                "ratio", "longest of them");
    (void)load(ptx_of(fs::path(WARPLIGHT_BENCH_KERNELS) / "saxpy.cu")); // what LLVM does once
    std::set<fs::path> files;
    for (const fs::path& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".cu" || entry.path().extension() == ".ptx") files.insert(entry.path());
    double all = 0, all_cached = 0;
    std::vector<double> times; // of each kernel
    std::vector<std::pair<double, std::string>> long_ones;
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        try {
            const std::string ptx = ptx_of(file);
            std::vector<double> parse, code, cached;
            std::map<std::string, std::vector<double>> each;
            for (int round = 0; round < rounds; ++round) {
                fs::remove_all(cache / "objects");
                const Loading first = load(ptx), again = load(ptx);
                parse.push_back(first.parse);
                code.push_back(first.code);
                cached.push_back(again.code);
                for (const auto& [kernel, ms] : first.each)
                    each[kernel].push_back(ms);
            }
            std::string longest;
            double most = 0;
            for (const auto& [kernel, ms] : each) {
                times.push_back(median(ms));
                if (times.back() > 1000) long_ones.emplace_back(times.back(), name + ": " + kernel);
                if (median(ms) <= most) continue;
                most = median(ms);
                longest = kernel;
            }
            std::printf("%-24s %7zu %9zu %9.2f %9.1f %9.2f %7.1f  %.1f %.40s\n", name.c_str(), each.size(), ptx.size(),
                        median(parse), median(code), median(cached), median(code) / median(cached), most,
                        longest.c_str());
            all += median(code);
            all_cached += median(cached);
        } catch (const std::exception& error) {
            std::printf("%-24s not loaded: %s\n", name.c_str(), first_line(error.what()).c_str());
        }
        std::fflush(stdout);
    }
    std::sort(times.begin(), times.end());
    const auto over = std::count_if(times.begin(), times.end(), [](double ms) { return ms > 50; });
    std::printf("%-24s %7zu %9s %9s %9.1f %9.2f %7.1f  over 50 ms: %td\n", "all", times.size(), "", "", all, all_cached,
                all / all_cached, over);
    std::printf("a kernel: mean %.1f, p50 %.1f, p90 %.1f, p99 %.1f, most %.1f ms\n",
                times.empty() ? 0 : all / static_cast<double>(times.size()), percentile(times, 50),
                percentile(times, 90), percentile(times, 99), percentile(times, 100));
    std::sort(long_ones.rbegin(), long_ones.rend());
    for (const auto& [ms, kernel] : long_ones)
        std::printf("over a second: %.1f ms %s\n", ms, kernel.c_str());
}

// --- launch

thread_local volatile int turns = 0;

Benchmark empty(int launches, unsigned blocks, unsigned threads) {
    Benchmark b{"empty", "", ""};
    b.kernels = [=](Queue& queue) {
        for (int i = 0; i < launches; ++i)
            queue.launch("empty", {blocks}, {threads}, {});
    };
    b.loop = [=](const Host&) {
        for (int i = 0; i < launches; ++i) {
#pragma omp parallel
            turns = 0; // without anything there would be no region
        }
    };
    return b;
}

void launch_costs(int rounds) {
    const auto software = driver_peer(driver::Driver::software());
    const auto loops = openmp_peer();
    std::string problem;
    const auto pocl = pocl_peer(problem);
    std::printf("\nan empty kernel, microseconds a launch, medians of %d; the peers take turns\n", rounds * 5);
    if (!pocl) std::printf("no PoCL: %s\n", problem.c_str());
    std::printf("%-46s %9s %9s %9s %8s\n", "", "software", "pocl", "openmp", "/ pocl");
    struct Case {
        const char* name;
        int launches, calls;
        unsigned blocks, threads;
    };
    constexpr Case cases[] = {{"1 block of 32 threads, each waited for", 1, 200, 1, 32},
                              {"1 block of 32 threads, 1000 queued", 1000, 1, 1, 32},
                              {"256 blocks of 256 threads, each waited for", 1, 200, 256, 256},
                              {"256 blocks of 256 threads, 1000 queued", 1000, 1, 256, 256}};
    for (const Case& c : cases) {
        const Benchmark benchmark = empty(c.launches, c.blocks, c.threads);
        std::vector<std::unique_ptr<Prepared>> prepared;
        for (Peer* peer : {software.get(), pocl.get(), loops.get()})
            prepared.push_back(peer ? peer->prepare(benchmark) : nullptr);
        std::vector<double> times[3];
        for (int round = -1; round < rounds * 5; ++round)
            for (std::size_t i = 0; i < prepared.size(); ++i) {
                if (!prepared[i]) continue;
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                const auto start = Clock::now();
                for (int call = 0; call < c.calls; ++call)
                    prepared[i]->run();
                if (round >= 0) times[i].push_back(1000 * ms_since(start) / (c.launches * c.calls));
            }
        std::printf("%-46s %9.2f", c.name, median(times[0]));
        if (prepared[1])
            std::printf(" %9.2f %9.2f %8.2f\n", median(times[1]), median(times[2]),
                        median(times[0]) / median(times[1]));
        else
            std::printf(" %9s %9.2f %8s\n", "-", median(times[2]), "-");
    }
}

/// Launches of one block that wait for each other, as each adds to the same memory.
constexpr const char* small_kernels = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry empty(.param .u64 x) { ret; }
.visible .entry add(.param .u64 x)
{
  .reg .b32 %i, %v;
  .reg .b64 %x, %offset;
  ld.param.u64 %x, [x];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %offset, %i, 4;
  add.s64 %x, %x, %offset;
  ld.global.u32 %v, [%x];
  add.u32 %v, %v, 1;
  st.global.u32 [%x], %v;
  ret;
}
.visible .entry add_behind_barrier(.param .u64 x)
{
  .reg .b32 %i, %v;
  .reg .b64 %x, %offset;
  ld.param.u64 %x, [x];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %offset, %i, 4;
  add.s64 %x, %x, %offset;
  ld.global.u32 %v, [%x];
  bar.sync 0;
  add.u32 %v, %v, 1;
  st.global.u32 [%x], %v;
  ret;
}
)";

void small_launch_costs(int rounds) {
    constexpr int launches = 100'000, nodes = 1000;
    const driver::Context context = driver::Device(0, driver::Driver::software()).make_context();
    const driver::Module module = driver::module_from_buffer(std::string_view(small_kernels));
    const driver::DeviceAllocation data = driver::mem_alloc(32 * sizeof(std::uint32_t));
    driver::memset_d32(data, 0, 32);
    std::uint32_t expected = 0;
    const driver::Stream stream;
    std::printf("\n1 block of 32 threads, microseconds a launch, medians of %d; time, and time of all processors\n",
                rounds);
    std::printf("%-22s %9s %9s %9s %9s %9s %9s\n", "", "stream", "", "waited", "", "graph", "");
    for (const char* name : {"empty", "add", "add_behind_barrier"}) {
        const driver::Function kernel = module.get_function(name);
        const driver::LaunchConfig config{.grid = {1}, .block = {32}, .stream = &stream};
        const driver::GraphExec graph = driver::capture(stream, [&] {
                                            for (int node = 0; node < nodes; ++node)
                                                kernel(config, data);
                                        }).instantiate();
        const std::function<void()> ways[] = {[&] {
                                                  for (int i = 0; i < launches; ++i)
                                                      kernel(config, data);
                                                  stream.synchronize();
                                              },
                                              [&] {
                                                  for (int i = 0; i < launches; ++i) {
                                                      kernel(config, data);
                                                      stream.synchronize();
                                                  }
                                              },
                                              [&] {
                                                  for (int i = 0; i < launches / nodes; ++i)
                                                      graph.launch(stream);
                                                  stream.synchronize();
                                              }};
        std::printf("%-22s", name);
        for (const auto& way : ways) {
            std::vector<double> times, processor_times;
            for (int round = -1; round < rounds; ++round) {
                const auto start = Clock::now();
                const double before = processor_ms();
                way();
                if (name != std::string_view("empty")) expected += launches;
                if (round < 0) continue;
                times.push_back(1000 * ms_since(start) / launches);
                processor_times.push_back(1000 * (processor_ms() - before) / launches);
            }
            std::printf(" %9.3f %9.3f", median(times), median(processor_times));
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    std::vector<std::uint32_t> sums(32);
    driver::memcpy_dtoh(sums, data);
    if (sums != std::vector<std::uint32_t>(32, expected))
        throw std::runtime_error("a launch was lost, or came out of order");
}

// --- memory

double mib(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

/// In a process of its own, which loads no compiler of CUDA. @param folder with the PTX files
void memory_child(const fs::path& folder) {
    std::size_t last = resident_bytes();
    const auto step = [&last](const char* what, std::size_t user = 0) {
        const std::size_t now = resident_bytes();
        std::printf("%-58s %9.1f %+9.1f", what, mib(now), mib(now) - mib(last));
        if (user) std::printf("   user data %.0f", mib(user));
        std::printf("\n");
        last = now;
    };
    std::printf("%-58s %9.1f\n", "the program", mib(last));
    const driver::Context context = driver::Device(0, driver::Driver::software()).make_context();
    step("the device opened, a context made (LLVM is mapped)");
    const driver::Module module = driver::module_from_file(folder / "empty.ptx");
    const driver::Function function = module.get_function("empty");
    const driver::LaunchConfig config{.grid = {1}, .block = {32}};
    function(config);
    context.synchronize();
    step("an empty kernel compiled and run");
    const driver::Module product = driver::module_from_file(folder / "matmul.ptx");
    product.get_function("matmul").load();
    step("a matrix product compiled");
    {
        constexpr std::size_t size = std::size_t{256} << 20;
        const driver::DeviceAllocation data = driver::mem_alloc(size);
        step("256 MiB allocated");
        driver::memset_d32(data, 1, size / 4);
        context.synchronize();
        step("256 MiB written", size);
    }
    step("and freed");
    constexpr int few = 10'000, many = 1'000'000;
    const auto launch = [&](int count) {
        for (int i = 0; i < count; ++i) {
            function(config);
            if (i % 1000 == 999) context.synchronize();
        }
        context.synchronize();
    };
    launch(few);
    step("10^4 launches");
    const std::size_t before = resident_bytes();
    launch(many);
    step("10^6 launches");
    std::printf("growth: %.3f bytes a launch\n",
                (static_cast<double>(resident_bytes()) - static_cast<double>(before)) / many);
}

void memory_costs(const fs::path& folder) {
    for (const char* name : {"empty", "matmul"}) {
        std::ofstream out(folder / (std::string(name) + ".ptx"), std::ios::binary);
        out << ptx_of(fs::path(WARPLIGHT_BENCH_KERNELS) / (std::string(name) + ".cu"));
    }
    for (const char* what : {"compiled here", "from the object cache"}) {
        if (what[0] == 'c') fs::remove_all(folder / "objects");
        std::printf("\nresident memory, MiB, and what was added; code %s\n", what);
        std::printf("%s", output_of("\"" + program_path() + "\" --child memory \"" + folder.string() + "\"").c_str());
    }
}

// --- first

void first_costs(const fs::path& folder, int rounds) {
    for (const auto& entry : fs::directory_iterator(WARPLIGHT_BENCH_KERNELS)) {
        if (entry.path().extension() != ".cu") continue;
        std::ofstream out(folder / entry.path().filename().replace_extension(".ptx"), std::ios::binary);
        out << ptx_of(entry.path());
    }
    first_launch_costs(folder, rounds);
    set_environment("WARPLIGHT_JIT_TIER", "fast");
}

// --- cores

/// Prints the median time of each kernel.
void cores_child(int rounds) {
    const auto software = driver_peer(driver::Driver::software());
    WarmUp warm_up(*software);
    for (const Entry& entry : all_benchmarks()) {
        const Benchmark benchmark = entry.make();
        const auto prepared = software->prepare(benchmark);
        prepared->run();
        std::vector<double> times;
        for (int round = 0; round < rounds; ++round) {
            prepared->restore();
            warm_up.run();
            const auto start = Clock::now();
            prepared->run();
            times.push_back(ms_since(start));
        }
        std::printf("%.6f\n", median(times));
    }
}

/// Prints the limits of each kernel, for as many threads as OpenMP has.
void limits_child() {
    const auto start = Clock::now();
    const Limits limits([&] { return ms_since(start); });
    for (const Entry& entry : all_benchmarks()) {
        const Limit limit = limits.of(entry.make().work);
        std::printf("%.6f %.6f\n", limit.memory_ms, limit.arithmetic_ms);
    }
}

std::vector<Limit> limits_of(unsigned threads) {
    set_environment("OMP_NUM_THREADS", std::to_string(threads));
    std::istringstream lines(output_of("\"" + program_path() + "\" --child limits"));
    std::vector<Limit> limits(all_benchmarks().size());
    for (Limit& limit : limits)
        if (!(lines >> limit.memory_ms >> limit.arithmetic_ms))
            throw std::runtime_error("a child process printed no limits");
    return limits;
}

void cores_costs(int rounds, unsigned most) {
    std::vector<unsigned> workers;
    for (unsigned count = 1; count < most; count *= 2)
        workers.push_back(count);
    workers.push_back(most);
    // times[workers][kernel]
    std::vector<std::vector<std::vector<double>>> times(workers.size(),
                                                        std::vector<std::vector<double>>(all_benchmarks().size()));
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < workers.size(); ++k) {
            set_environment("WARPLIGHT_SOFTWARE_WORKERS", std::to_string(workers[k]));
            std::istringstream lines(
                output_of("\"" + program_path() + "\" --child cores --rounds " + std::to_string(rounds)));
            double time = 0;
            for (auto& of_kernel : times[k]) {
                if (!(lines >> time)) throw std::runtime_error("a child process printed no times");
                of_kernel.push_back(time);
            }
        }
    const std::vector<Limit> alone = limits_of(1), together = limits_of(most);
    std::printf(
        "\nmilliseconds of one worker, and how many times as fast so many are; medians of %d processes that take "
        "turns\nmachine: the same of loops that reach its limit, and what limits them where %u threads run\n%-24s %9s",
        rounds, most, "", "1");
    for (std::size_t k = 1; k < workers.size(); ++k)
        std::printf(" %8u", workers[k]);
    std::printf("  machine\n");
    std::vector<double> logarithms(workers.size());
    for (std::size_t i = 0; i < all_benchmarks().size(); ++i) {
        const double one = median(times[0][i]);
        std::printf("%-24s %9.2f", all_benchmarks()[i].name, one);
        for (std::size_t k = 1; k < workers.size(); ++k) {
            const double faster = one / median(times[k][i]);
            logarithms[k] += std::log(faster);
            std::printf(" %8.2f", faster);
        }
        std::printf(" %8.2f  %s\n", alone[i].ms() / together[i].ms(),
                    together[i].memory_ms > together[i].arithmetic_ms ? "memory" : "vectors");
    }
    std::printf("%-24s %9s", "geometric mean", "");
    for (std::size_t k = 1; k < workers.size(); ++k)
        std::printf(" %8.2f", std::exp(logarithms[k] / static_cast<double>(all_benchmarks().size())));
    std::printf("\n");
}

int run(int argc, char** argv) {
    std::vector<fs::path> folders;
    std::set<std::string> parts;
    std::string child, child_folder;
    int rounds = 5;
    unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool more = i + 1 < argc;
        if (argument == "--kernels" && more)
            folders.emplace_back(argv[++i]);
        else if (argument == "--rounds" && more)
            rounds = std::atoi(argv[++i]);
        else if (argument == "--workers" && more)
            cores = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
        else if (argument == "--child" && more)
            child = argv[++i];
        else if (!child.empty())
            child_folder = argument;
        else if (argument == "compile" || argument == "first" || argument == "launch" || argument == "memory" ||
                 argument == "cores")
            parts.insert(argument);
        else
            rounds = 0;
    }
    if (rounds < 1) {
        std::fprintf(stderr, "device_costs [compile] [first] [launch] [memory] [cores] [--kernels FOLDER]... [--rounds "
                             "N] [--workers N]\n");
        return 2;
    }
    set_default_environment("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
    if (child == "first") {
        first_launch_child(child_folder);
        return 0;
    }
    set_default_environment("WARPLIGHT_JIT_TIER", "fast");
    if (child == "memory") {
        memory_child(child_folder);
        return 0;
    }
    if (child == "cores") {
        cores_child(rounds);
        return 0;
    }
    if (child == "limits") {
        limits_child();
        return 0;
    }
    if (folders.empty()) folders = {WARPLIGHT_BENCH_CORPUS};
    if (parts.empty()) parts = {"compile", "first", "launch", "memory", "cores"};
    const TemporaryFolder cache; // before the device is opened, which reads the variable
    set_environment("WARPLIGHT_CACHE_DIR", cache.path().string());
    std::printf("%u processors\n", std::thread::hardware_concurrency());
    if (parts.count("compile")) compile_costs(folders, cache.path(), rounds);
    if (parts.count("first")) first_costs(cache.path(), rounds);
    if (parts.count("launch")) {
        launch_costs(rounds);
        small_launch_costs(rounds);
    }
    std::fflush(stdout);
    if (parts.count("memory")) memory_costs(cache.path());
    std::fflush(stdout);
    if (parts.count("cores")) cores_costs(rounds, cores);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "device_costs: %s\n", error.what());
        return 4;
    }
}
