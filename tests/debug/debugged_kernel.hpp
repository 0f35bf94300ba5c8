// SPDX-License-Identifier: Apache-2.0
// A kernel on the software device under the debug engine, and helpers to wait for its stops.
#pragma once

#include "../software/runtime/driver_fixture.hpp"
#include "debug/debugger.hpp"
#include "warplight/compiler.hpp"

#include <condition_variable>
#include <deque>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

extern "C" CUresult cuxWarplightStep(void* stepper);

inline std::string text_of_file(const std::string& name) {
    std::ifstream in(std::string(WARPLIGHT_SOURCE_DIR "/tests/debug/kernels") + "/" + name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// From 1; 0: no line has this text.
inline unsigned line_with(const std::string& source, const std::string& text) {
    unsigned line = 1;
    std::stringstream in(source);
    for (std::string each; std::getline(in, each); ++line)
        if (each.find(text) != std::string::npos) return line;
    return 0;
}

/// As a debugger needs it. Empty: there is no NVRTC here.
inline std::string compile_to_debug(const std::string& source, const std::string& name) {
    warplight::compiler::CompileRequest request;
    request.source = source;
    request.name = name;
    request.arch = "compute_80";
    request.options = {"--device-debug"};
    request.line_info = false;
    const auto result = warplight::compiler::compile(request);
    if (!result.ok && !result.compiler_missing) qCritical("%s", result.log.c_str());
    return result.ptx;
}

class DebuggedKernel : public warplight::debug::Client {
public:
    using Stop = warplight::debug::Stop;

    DebuggedKernel() : debugger(*this) { cuxWarplightStep(&debugger); }
    ~DebuggedKernel() override {
        debugger.cancel();
        join();
        cuxWarplightStep(nullptr);
    }

    /// Runs `launch`, which waits for the kernel, in a thread of its own.
    void start(std::function<void()> launch) {
        thread_ = std::thread([this, launch = std::move(launch)] {
            launch();
            const std::scoped_lock lock(mutex_);
            has_ended_ = true;
            changed_.notify_all();
        });
    }
    void join() {
        if (thread_.joinable()) thread_.join();
    }

    /// The next stop. Nothing: the launch has ended, or nothing happens for a long time.
    std::optional<Stop> wait() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !stops_.empty() || has_ended_; });
        if (stops_.empty()) return std::nullopt;
        Stop stop = stops_.front();
        stops_.pop_front();
        return stop;
    }
    bool ends() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return has_ended_; }) && stops_.empty();
    }
    void begins(const std::vector<warplight::debug::Breakpoint>& known) override {
        const std::scoped_lock lock(mutex_);
        breakpoints = known;
    }
    void stops(const Stop& stop) override {
        const std::scoped_lock lock(mutex_);
        stops_.push_back(stop);
        changed_.notify_all();
    }

    /// Where a thread of the block is: the line of its innermost call, or of one around it. 0: in none.
    unsigned line(std::uint32_t thread, std::size_t call = 0) {
        unsigned found = 0;
        debugger.look([&](const warplight::debug::Standing& now) {
            const auto calls = calls_of(now.block, thread, now.program);
            if (call < calls.size()) found = now.program.site(calls[call].site).line.line;
        });
        return found;
    }
    std::size_t depth(std::uint32_t thread) {
        std::size_t found = 0;
        debugger.look(
            [&](const warplight::debug::Standing& now) { found = calls_of(now.block, thread, now.program).size(); });
        return found;
    }
    /// The value of an expression as text, or "error: …".
    std::string value(const std::string& expression, std::uint32_t thread, std::size_t call = 0) {
        std::string text = "nothing stands still";
        debugger.look([&](const warplight::debug::Standing& now) {
            const auto calls = calls_of(now.block, thread, now.program);
            if (call >= calls.size()) {
                text = "no such call";
                return;
            }
            const auto scope = now.scope(thread, calls[call]);
            try {
                text = text_of(warplight::debug::Expression(expression).evaluate(scope), scope);
            } catch (const warplight::debug::ExpressionError& e) {
                text = std::string("error: ") + e.what();
            }
        });
        return text;
    }

    std::vector<warplight::debug::Breakpoint> breakpoints; ///< when the kernel began
    std::vector<warplight::debug::Watch> debugger_watches;
    warplight::debug::Debugger debugger;

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Stop> stops_;
    bool has_ended_ = false;
    std::thread thread_;
};
