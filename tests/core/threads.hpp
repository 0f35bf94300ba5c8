// SPDX-License-Identifier: Apache-2.0
// What the tests with eight threads share: all devices with a context in each, and threads that tell what went wrong.
#pragma once

#include "graph_kernels.hpp"
#include "warplight/function.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

inline constexpr unsigned kThreads = 8, kWords = 256;

/// A context a device, and a module in each.
struct Devices {
    std::vector<warplight::driver::Context> contexts;
    std::vector<warplight::driver::Module> modules;
    std::vector<warplight::driver::Function> add, multiply;

    Devices() {
        const warplight::driver::Driver driver = test_driver();
        for (int number = 0; number < warplight::driver::Device::count(driver); ++number) {
            contexts.push_back(warplight::driver::Device(number, driver).make_context());
            modules.push_back(warplight::driver::module_from_buffer(std::string_view(kGraphKernels)));
            add.push_back(modules.back().get_function("add"));
            multiply.push_back(modules.back().get_function("multiply"));
            warplight::driver::Context::pop();
        }
        if (driver.name() == "software") QCOMPARE(contexts.size(), std::size_t{2});
    }
    [[nodiscard]] std::size_t count() const { return contexts.size(); }
};

/// Calls body(thread) in eight threads at once; what the last of them that failed says.
template <class Body>
std::string in_threads(const Body& body) {
    std::mutex mutex;
    std::string problem;
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
            try {
                body(thread);
            } catch (const std::exception& error) {
                const std::scoped_lock lock(mutex);
                problem = error.what();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    return problem;
}

inline void expect(bool right, const std::string& what) {
    if (!right) throw std::runtime_error(what);
}

inline void expect_words(warplight::driver::DevicePointer memory, std::uint32_t expected) {
    for (const std::uint32_t word : words_of(memory, kWords))
        expect(word == expected, std::to_string(word) + " instead of " + std::to_string(expected));
}

inline const warplight::driver::LaunchConfig kWhole{.grid = {2}, .block = {128}};
inline warplight::driver::LaunchConfig in(const warplight::driver::Stream& stream) {
    warplight::driver::LaunchConfig config = kWhole;
    config.stream = &stream;
    return config;
}
