// SPDX-License-Identifier: Apache-2.0
// A debug adapter: answers the requests of one client about one kernel. It does not know how messages travel.
#pragma once

#include "debug/dap/arguments.hpp"
#include "debug/dap/launch.hpp"
#include "debug/dap/views.hpp"
#include "debug/debugger.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace warplight::debug::dap {

class Adapter final : public Client {
public:
    using Send = std::function<void(const json& message)>; ///< from any thread, one at a time
    /// @param prepare called once, before the first thread is started and the kernel compiled
    Adapter(Send send, std::function<void(const KernelRun&)> prepare);
    /// Ends the kernel and waits for its thread for a short while. False: it goes on.
    [[nodiscard]] bool end();
    ~Adapter() override;

    /// Takes one message. False: the client has done with it.
    [[nodiscard]] bool receive(const json& message);
    /// Tells the user something.
    void tell(std::string_view category, const std::string& text);

    // --- for the engine
    void begins(const std::vector<Breakpoint>& breakpoints) override;
    void stops(const Stop& stop) override;

private:
    using Handler = json (Adapter::*)(const Arguments&);
    struct Command {
        std::string_view name;
        Handler handler;
    };
    static const Command commands[];

    void send(json message);
    void send_next(json message); ///< under the lock
    void send_event(const char* name, json body = nullptr);
    [[nodiscard]] json answer(const std::string& command, const json& request);

    // --- requests: each answers with its body
    json initialize(const Arguments& a);
    json launch(const Arguments& a);
    json attach(const Arguments& a);
    json configuration_done(const Arguments& a);
    json disconnect(const Arguments& a);
    json terminate(const Arguments& a);
    json set_breakpoints(const Arguments& a);
    json set_exception_breakpoints(const Arguments& a);
    json data_breakpoint_info(const Arguments& a);
    json set_data_breakpoints(const Arguments& a);
    json go(const Arguments& a);
    json next(const Arguments& a);
    json step_in(const Arguments& a);
    json step_out(const Arguments& a);
    json step_back(const Arguments& a);
    json reverse(const Arguments& a);
    json pause(const Arguments& a);
    json threads(const Arguments& a);
    json stack_trace(const Arguments& a);
    json scopes(const Arguments& a);
    json variables(const Arguments& a);
    json evaluate(const Arguments& a);
    json exception_info(const Arguments& a);
    json source(const Arguments& a);
    json read_memory(const Arguments& a);
    json standing(const Arguments& a);
    json lanes(const Arguments& a);

    /// "thread", "warp" or "block", or what `launch` has said.
    [[nodiscard]] static Unit unit_of(const Arguments& a, const char* name, Unit otherwise);
    json step(const Arguments& a, Step step);
    /// An answer of the engine: empty, or why it cannot.
    static void check(const std::string& why);
    /// What users type: `lane 3`, `block 5`, `last-write x`. Nothing: it is an expression.
    [[nodiscard]] std::optional<std::string> command_line(const std::string& text, std::optional<std::uint64_t> frame);
    template <class Look>
    void look(Look&& look);
    [[nodiscard]] json to_json(const Breakpoint& b) const;
    void run();

    Send send_;
    std::function<void(const KernelRun&)> prepare_;
    std::mutex sending_;
    std::int64_t sequence_ = 0;
    std::function<void()> after_answer_; ///< of the request that is answered
    bool has_gone_on_ = false;           ///< by that request, of which the protocol does not tell
    bool is_initialized_ = false, is_running_ = false, is_done_ = false;
    std::uint32_t first_line_ = 1, first_column_ = 1;
    std::optional<KernelRun> kernel_;
    Unit unit_ = Unit::warp;
    std::map<std::string, Watch> watches_; ///< by the id that the client has of it
    int last_watch_ = 1'000'000;           ///< apart from numbers of breakpoints
    Views views_;                          ///< guarded by the engine's look()
    std::thread thread_;
    std::atomic<bool> has_ended_ = false, is_ending_ = false;
    std::atomic<std::uint32_t> last_threads_ = 1; ///< of the client's, while nothing stands still
    Debugger debugger_;
};

} // namespace warplight::debug::dap
