// SPDX-License-Identifier: Apache-2.0
// Kernels that kernels launch. Launches, copies and fills that the threads of a grid ask for are kept in that order.
// They run when the grid has ended, or earlier where a thread waits for them. A grid is complete when all work it asked
// for is. Its tail launches come last.
#pragma once

#include "bulk.hpp"
#include "failure.hpp"
#include "launch_request.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace warplight::software {

class Context;
class Grid;

// Error codes of the CUDA runtime, which device code sees.
enum DeviceError : int {
    kDeviceSuccess = 0,
    kInvalidValue = 1,
    kMemoryAllocation = 2,
    kInvalidConfiguration = 9,
    kInvalidDevicePointer = 17,
    kInvalidMemcpyDirection = 21,
    kSyncDepthExceeded = 68,
    kPendingCountExceeded = 69,
    kInvalidDeviceFunction = 98,
    kInvalidDevice = 101,
    kInvalidResourceHandle = 400,
    kOutOfResources = 701,
    kNotSupported = 801,
};

// Numbers of streams that are always there.
inline constexpr std::uint64_t kTailStream = 3, kFireAndForgetStream = 4;

/// State of all grids that come of one launch by the host.
class LaunchTree {
public:
    /// `run_blocks` runs the blocks of a grid, not the work that they ask for. It throws Failure.
    LaunchTree(Context& c, void (*run_blocks_of)(Grid&)) : context(c), run_blocks(run_blocks_of) {}
    Context& context;
    void (*const run_blocks)(Grid&);
    std::atomic<std::size_t> pending = 0; ///< launches that have not begun
    std::atomic<std::uint64_t> begun = 0; ///< launches that have
    /// Counts one more that is pending, unless there are as many as may be.
    [[nodiscard]] bool take_place(std::size_t most);
    /// The launch has failed: nothing more begins.
    void fail_with(Failure failure);
    void throw_failure();
    std::atomic<bool> failed = false;

private:
    std::mutex mutex_;
    std::optional<Failure> failure_;
};

/// A fill of memory that a kernel asked for: bytes of `value`.
struct DeviceFill {
    std::byte* to = nullptr;
    std::size_t pitch = 0, slice = 0, width = 0, height = 1, depth = 1;
    int value = 0;
};

class Grid {
public:
    /// The host's; the request outlives it.
    Grid(LaunchTree& owner, const LaunchRequest& what) : tree(owner), request(what) {}
    Grid(LaunchTree& owner, std::unique_ptr<LaunchRequest> what, unsigned level)
        : tree(owner), own_(std::move(what)), request(*own_), depth(level) {}
    ~Grid();
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;

    LaunchTree& tree;

private:
    std::unique_ptr<LaunchRequest> own_;

public:
    const LaunchRequest& request;
    const unsigned depth = 0; ///< 0: the host's
    Context& context() const { return tree.context; }

    using Work = std::variant<std::unique_ptr<LaunchRequest>, BoxCopy, DeviceFill>;

    // --- for device calls, of all threads
    /// The address of memory for the parameters of a launch that is still to come, as many bytes as its request has. 0
    /// when there is no room for another launch.
    [[nodiscard]] std::uint64_t make_launch(std::unique_ptr<LaunchRequest> launch);
    /// The launch whose parameters these are, with what the kernel has written there; null when there is none.
    [[nodiscard]] std::unique_ptr<LaunchRequest> take_launch(std::uint64_t parameters);
    /// Puts work into a stream. Launches have been counted by make_launch().
    void add(Work work, std::uint64_t stream);
    /// So much work is pending that it is carried out before more is added.
    [[nodiscard]] bool is_crowded();
    /// Runs all work that was asked for so far, except the tail. Grids that it runs may do the same, on the same stack.
    void synchronize();
    [[nodiscard]] static bool has_stack_to_synchronize();
    /// 0 where there are too many.
    [[nodiscard]] std::uint64_t make_handle(bool event);
    [[nodiscard]] bool has_stream(std::uint64_t stream);
    [[nodiscard]] bool has_event(std::uint64_t event);
    [[nodiscard]] bool remove_handle(std::uint64_t handle, bool event);
    void set_error(std::uint64_t thread, int error);
    [[nodiscard]] int error(std::uint64_t thread, bool clear);

    // --- for the code that runs the grid
    [[nodiscard]] std::optional<Work> next_child();
    [[nodiscard]] std::optional<Work> next_tail();
    [[nodiscard]] bool idle();

private:
    struct State; ///< made when a device call needs it
    State& state();
    [[nodiscard]] bool make_room();

    std::atomic<State*> state_ = nullptr; // seldom needed
    std::mutex make_;
};

/// Runs a grid and all that comes of it.
void run_to_completion(std::unique_ptr<Grid> grid);

/// A launch that runs, as services find it through LaunchContext::launch.
struct RunningLaunch {
    Context& context;
    Grid& grid;
};

} // namespace warplight::software
