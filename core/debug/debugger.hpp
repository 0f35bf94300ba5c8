// SPDX-License-Identifier: Apache-2.0
// The debug engine: breakpoints, steps, and going back. A client's thread gives commands and looks at what stands
// still; the thread that runs the launch obeys them.
//
// Going back runs the launch again from its inputs. Rounds come in the same order each time, so a round's number is a
// place in time. What is looked for is found in a first run up to now; a second one stops there.
#pragma once

#include "scope.hpp"
#include "watch.hpp"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplight::debug {

enum class Step : std::uint8_t { in, over, out };
/// Who is to come to its next line. All others go on beside it.
enum class Unit : std::uint8_t { thread, warp, block };

struct Stop {
    enum class Reason : std::uint8_t { entry, breakpoint, step, pause, write, failure, begin, block };
    Reason reason = Reason::entry;
    std::string text;         ///< for the user; may be empty
    std::uint32_t thread = 0; ///< of the block
    std::uint64_t round = 0;  ///< that comes next
    std::vector<int> hits;    ///< numbers of breakpoints and watches
};

struct Breakpoint {
    int id = 0;
    std::uint32_t wanted = 0; ///< line
    std::string condition;    ///< empty: none
    std::uint32_t line = 0;   ///< where it is
    bool is_set = false;      ///< else `problem`
    std::string problem;
};

/// Told by the launch's thread; must not call the debugger.
class Client {
public:
    Client() = default;
    virtual ~Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// The kernel is known: breakpoints have their lines.
    virtual void begins(const std::vector<Breakpoint>& breakpoints) = 0;
    virtual void stops(const Stop& stop) = 0;
};

/// A launch that stands still.
struct Standing {
    Program& program;
    const software::SteppedLaunch& launch;
    const software::SteppedBlock& block;
    const Stop& stop;
    [[nodiscard]] Scope scope(std::uint32_t thread, const Call& call) const {
        return {program, launch, block, thread, call};
    }
};

class Debugger final : public software::Stepper {
public:
    explicit Debugger(Client& client) : client_(client) {}

    // --- before and during a launch
    struct Wanted {
        std::uint32_t line = 0;
        std::string condition;
    };
    /// Those of a file, in place of the ones that it had.
    std::vector<Breakpoint> set_breakpoints(const std::string& path, const std::vector<Wanted>& wanted);
    void stop_at_entry(bool stop);
    /// All writes that stop the launch, in place of those before.
    void set_watches(std::vector<Watch> watches);
    /// Stops soon.
    void pause();
    /// Ends the launch, now and for ever.
    void cancel();

    // --- of a launch that stands still. Each answers why it cannot; empty: it goes on.
    std::string go();
    std::string step(Step step, Unit unit, std::uint32_t thread);
    /// To the line before, of this thread and in this call or one around it.
    std::string step_back(std::uint32_t thread);
    /// To the breakpoint or watched write before; else to the start.
    std::string go_back();
    /// To the last write.
    std::string back_to_write(const Watch& watch);
    /// To the first line of a block.
    std::string go_to_block(std::uint64_t number);

    /// Calls `look(Standing)`; false: nothing stands still.
    template <class Look>
    bool look(Look&& look) {
        const std::scoped_lock lock(mutex_);
        if (!is_stopped_) return false;
        look(Standing{*program_, *launch_, *block_, stop_});
        return true;
    }

    // --- for the software device
    void begins(const software::SteppedLaunch& launch) override;
    Answer comes(const software::SteppedBlock& block, std::uint32_t warp, std::uint32_t lanes,
                 std::uint32_t site) override;
    void writes(const software::SteppedBlock& block, std::uint32_t thread, std::uint32_t site, std::uint64_t address,
                std::uint32_t bytes) override;
    Answer fails(const software::SteppedBlock& block, std::uint32_t thread, std::uint32_t site,
                 const std::string& why) override;
    Answer ends() override;
    void leaves() override;

private:
    struct Known : Breakpoint {
        std::string path;
        std::optional<Expression> expression;
        std::vector<std::uint32_t> sites;
    };
    /// A round that is about to run.
    struct Round {
        const software::SteppedBlock& block;
        std::uint32_t warp, lanes, site;
        [[nodiscard]] std::uint32_t first_thread() const;
        [[nodiscard]] bool has(std::uint32_t thread) const;
    };
    struct Position {
        Line line;
        std::uint32_t depth = 0;
        bool operator==(const Position&) const = default;
    };
    struct Goal {
        enum class Kind : std::uint8_t { run, step, round, block } kind = Kind::run;
        Step step = Step::over;
        Unit unit = Unit::warp;
        std::uint64_t block = 0;
        std::uint32_t thread = 0;
        Position from;
        std::vector<Position> warps; ///< of a block's step: where each warp was
        std::set<std::uint32_t> pending;
        Stop stop; ///< of Kind::round
    };
    /// A run up to now, for what was last before.
    struct Search {
        bool for_line = false; ///< else for breakpoints and watches
        std::uint64_t limit = 0;
        std::uint64_t block = 0;
        std::uint32_t thread = 0, depth = 0; ///< of for_line
        std::optional<Position> last;
        std::vector<Watch> watches;
        bool breakpoints = true;
        std::optional<Stop> found;
    };

    void resolve(Known& breakpoint);
    void mark_sites();
    void ask_as_needed();
    [[nodiscard]] Position position(const software::SteppedBlock& block, std::uint32_t thread) const;
    [[nodiscard]] std::optional<Stop> hit(const Round& round);
    [[nodiscard]] std::optional<Stop> reached(const Round& round);
    [[nodiscard]] std::optional<Stop> stepped(const Round& round);
    [[nodiscard]] bool block_stepped(const Round& round);
    [[nodiscard]] static bool is_step(Step step, const Position& from, const Position& now);
    void watch_round(const Round& round);
    void note_write(const Watch& watch, const software::SteppedBlock& block, std::uint32_t thread, std::uint32_t site,
                    std::uint64_t at);
    [[nodiscard]] Answer search_round(const Round& round);
    Answer end_search();
    Answer stand(std::unique_lock<std::mutex>& lock, const software::SteppedBlock& block, Stop stop);
    /// Of commands, under the lock.
    std::string command(Answer answer, Goal goal);
    std::string command_search(Search search);
    [[nodiscard]] std::string why_not_back() const;
    void look_at_register(Watch& watch, const software::SteppedBlock& block);
    [[nodiscard]] std::vector<Watch>& watches() { return search_ ? search_->watches : watches_; }

    Client& client_;
    std::mutex mutex_;
    std::condition_variable commanded_;
    std::vector<Known> breakpoints_;
    int last_id_ = 0;
    bool stops_at_entry_ = false;
    std::vector<Watch> watches_;
    std::optional<Stop> write_; ///< in the round that runs
    Goal goal_;
    std::optional<Search> search_;
    std::unique_ptr<Program> program_;
    const software::SteppedLaunch* launch_ = nullptr;
    const software::SteppedBlock* block_ = nullptr;
    Stop stop_;
    bool is_stopped_ = false, has_failed_ = false, is_changed_ = false, is_pausing_ = false, is_cancelled_ = false;
    std::optional<Answer> command_;
};

} // namespace warplight::debug
