// SPDX-License-Identifier: Apache-2.0
#include "first_launch.hpp"

#include "platform.hpp"
#include "warplight/buffer.hpp"
#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::bench {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMemory = std::size_t{1} << 20;

std::vector<fs::path> modules_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".ptx") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Pointers to zeros, and small numbers.
std::vector<std::byte> some_arguments(const driver::Function& function, std::uint64_t memory) {
    const auto parameters = function.parameters();
    if (!parameters) throw std::runtime_error("a kernel whose parameters are not known");
    std::vector<std::byte> bytes;
    for (const driver::ParameterInfo& p : *parameters) {
        bytes.resize(std::max(bytes.size(), p.offset + p.size));
        const std::uint64_t value = p.size == sizeof memory ? memory : 1;
        std::memcpy(bytes.data() + p.offset, &value, std::min(p.size, sizeof value));
    }
    return bytes;
}

double first_launch(const std::string& ptx, const std::string& kernel, std::uint64_t memory,
                    const driver::Context& context) {
    const auto start = Clock::now();
    const driver::Module module = driver::module_from_buffer(ptx);
    const driver::Function function = module.get_function(kernel);
    const std::vector<std::byte> arguments = some_arguments(function, memory);
    function.launch_kernel({1}, {32}, {arguments.data(), arguments.size()});
    context.synchronize();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    function.load(); // so that what is compiled meanwhile does not slow down the next
    return ms;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

void first_launch_child(const fs::path& folder) {
    const driver::Device device(0, driver::Driver::software());
    std::ostringstream lines;
    std::size_t count = 0;
    bool warm = false;
    for (const fs::path& file : modules_in(folder)) {
        std::ifstream in(file, std::ios::binary);
        const std::string ptx{std::istreambuf_iterator<char>(in), {}};
        std::vector<std::string> kernels;
        {
            const driver::Context context = device.make_context();
            kernels = driver::module_from_buffer(ptx).functions();
        }
        for (const std::string& kernel : kernels) {
            const driver::Context context = device.make_context(); // a fault ends a context
            const driver::DeviceAllocation memory = driver::mem_alloc(kMemory);
            driver::memset_d8(memory, 0, kMemory);
            try {
                if (!warm) (void)first_launch(ptx, kernel, memory.get(), context); // what LLVM does once
                warm = true;
                fs::remove_all(folder / "objects");
                const double ms = first_launch(ptx, kernel, memory.get(), context);
                lines << file.stem().string() << ' ' << kernel << ' ' << ms << '\n';
                ++count;
            } catch (const std::exception&) { // it wants a texture, or other arguments
            }
        }
    }
    std::printf("%zu\n%s", count, lines.str().c_str());
}

void first_launch_costs(const fs::path& folder, int rounds) {
    std::map<std::string, std::map<std::string, std::vector<double>>> times; // by kernel and tier
    for (int round = 0; round < rounds; ++round)
        for (const std::string tier : {"fast", "auto"}) {
            set_environment("WARPLIGHT_JIT_TIER", tier);
            std::istringstream lines(output_of("\"" + program_path() + "\" --child first \"" + folder.string() + "\""));
            std::size_t count = 0;
            if (!(lines >> count)) throw std::runtime_error("a child process printed no times");
            std::string file, kernel;
            double ms = 0;
            for (std::size_t k = 0; k < count && lines >> file >> kernel >> ms; ++k)
                times[file + ": " + kernel][tier].push_back(ms);
        }
    std::printf("\nfrom a module's text to the end of a first launch of one block, milliseconds, medians of %d\n%-40s "
                "%9s %9s %7s\n",
                rounds, "", "fast", "auto", "ratio");
    double logarithms = 0, fast = 0, quick = 0;
    for (const auto& [name, of_tier] : times) {
        const double before = median(of_tier.at("fast")), after = median(of_tier.at("auto"));
        std::printf("%-40.40s %9.2f %9.2f %7.2f\n", name.c_str(), before, after, after / before);
        logarithms += std::log(after / before);
        fast += before;
        quick += after;
    }
    const auto count = static_cast<double>(times.size());
    std::printf("%-40s %9.2f %9.2f %7.2f, geometric mean %.2f\n", "all", fast, quick, quick / fast,
                std::exp(logarithms / count));
}

} // namespace warplight::bench
