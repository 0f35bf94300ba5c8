// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include "context.hpp"
#include "platform.hpp"
#include "trap.hpp"

#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace warplight::software {
namespace {
constexpr int kPendingLaunches = 4; ///< number of CUlimit
constexpr std::uint64_t kFirstHandle = 0x1000;
// What a grid's threads can make the host keep. Programs stay far below.
constexpr std::size_t kMostWork = 65536;                   ///< copies, fills and launches that are pending
constexpr std::size_t kMostHandles = 65536;                ///< streams, and events
constexpr std::size_t kMostErrors = std::size_t{1} << 20;  ///< threads with an error
constexpr std::size_t kNestedStack = std::size_t{2} << 20; ///< bytes for a grid inside a service: it may be compiled
} // namespace

void LaunchTree::fail_with(Failure failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    failed = true;
}

void LaunchTree::throw_failure() {
    const std::scoped_lock lock(mutex_);
    if (failure_) throw Failure(*failure_);
}

struct Grid::State {
    std::mutex mutex;
    std::mutex synchronizing; ///< held while children run that somebody waits for
    std::deque<Work> children, tails;
    std::unordered_map<std::uint64_t, std::unique_ptr<LaunchRequest>> launches; ///< by their parameters' address
    std::unordered_set<std::uint64_t> streams, events;
    std::uint64_t last_handle = kFirstHandle;
    std::unordered_map<std::uint64_t, int> errors; ///< by thread
};

Grid::~Grid() {
    State* state = state_;
    if (!state) return;
    // Buffers that were never launched.
    tree.pending -= state->launches.size();
    for (const auto& [parameters, launch] : state->launches)
        (void)context().launch_parameters().release(parameters);
    delete state;
}

Grid::State& Grid::state() {
    if (State* state = state_.load(std::memory_order_acquire)) return *state;
    const std::scoped_lock lock(make_);
    if (!state_.load(std::memory_order_relaxed)) state_.store(new State, std::memory_order_release);
    return *state_.load(std::memory_order_relaxed);
}

bool LaunchTree::take_place(std::size_t most) {
    std::size_t now = pending;
    while (now < most)
        if (pending.compare_exchange_weak(now, now + 1)) return true;
    return false;
}

/// A GPU would have begun with pending launches by now, so they are run. Other threads may fill the room that this
/// makes.
bool Grid::make_room() {
    const std::size_t most = context().limit(kPendingLaunches);
    for (;;) {
        const std::uint64_t begun = tree.begun;
        if (tree.take_place(most)) return true;
        if (!has_stack_to_synchronize()) return false;
        synchronize();
        if (tree.begun == begun || tree.failed) return tree.take_place(most);
    }
}

std::uint64_t Grid::make_launch(std::unique_ptr<LaunchRequest> launch) {
    if (!make_room()) return 0;
    const std::uint64_t parameters = context().allocate_launch_parameters(launch->parameters.size());
    if (!parameters) {
        --tree.pending;
        return 0;
    }
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    s.launches.emplace(parameters, std::move(launch));
    return parameters;
}

std::unique_ptr<LaunchRequest> Grid::take_launch(std::uint64_t parameters) {
    State& s = state();
    std::unique_ptr<LaunchRequest> launch;
    {
        const std::scoped_lock lock(s.mutex);
        auto node = s.launches.extract(parameters);
        if (!node) return nullptr;
        launch = std::move(node.mapped());
    }
    // From here on the kernel can no longer change them.
    std::memcpy(launch->parameters.data(), reinterpret_cast<const void*>(parameters), launch->parameters.size());
    (void)context().launch_parameters().release(parameters);
    return launch;
}

bool Grid::is_crowded() {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    return s.children.size() >= kMostWork;
}

bool Grid::has_stack_to_synchronize() { return platform::stack_left() >= kNestedStack; }

void Grid::add(Work work, std::uint64_t stream) {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    (stream == kTailStream ? s.tails : s.children).push_back(std::move(work));
}

std::uint64_t Grid::make_handle(bool event) {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    auto& handles = event ? s.events : s.streams;
    if (handles.size() >= kMostHandles) return 0;
    handles.insert(++s.last_handle);
    return s.last_handle;
}

bool Grid::has_stream(std::uint64_t stream) {
    if (stream <= kFireAndForgetStream) return true;
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    return s.streams.contains(stream);
}

bool Grid::has_event(std::uint64_t event) {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    return s.events.contains(event);
}

bool Grid::remove_handle(std::uint64_t handle, bool event) {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    return (event ? s.events : s.streams).erase(handle) == 1;
}

void Grid::set_error(std::uint64_t thread, int error) {
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    if (s.errors.size() < kMostErrors || s.errors.contains(thread)) s.errors[thread] = error;
}

int Grid::error(std::uint64_t thread, bool clear) {
    if (!state_.load(std::memory_order_acquire)) return kDeviceSuccess;
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    const auto found = s.errors.find(thread);
    if (found == s.errors.end()) return kDeviceSuccess;
    const int error = found->second;
    if (clear) s.errors.erase(found);
    return error;
}

std::optional<Grid::Work> Grid::next_child() {
    if (!state_.load(std::memory_order_acquire)) return std::nullopt;
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    if (s.children.empty()) return std::nullopt;
    Work work = std::move(s.children.front());
    s.children.pop_front();
    return work;
}

std::optional<Grid::Work> Grid::next_tail() {
    if (!state_.load(std::memory_order_acquire)) return std::nullopt;
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    if (s.tails.empty()) return std::nullopt;
    Work work = std::move(s.tails.front());
    s.tails.pop_front();
    return work;
}

bool Grid::idle() {
    if (!state_.load(std::memory_order_acquire)) return true;
    State& s = state();
    const std::scoped_lock lock(s.mutex);
    return s.children.empty() && s.tails.empty();
}

namespace {

/// Copies and fills of kernels: a fault in one is the launch's.
template <class Body>
void guarded(const char* what, Body body) {
    struct Work {
        Body& body;
        std::exception_ptr failure;
    } work{body, nullptr};
    install_trap_handler();
    Trap trap;
    const auto run = [](void* argument) {
        auto& w = *static_cast<Work*>(argument);
        try {
            w.body();
        } catch (...) { // no exception passes the guard's frame
            w.failure = std::current_exception();
        }
    };
    if (!run_guarded(run, &work, trap))
        fail(CUDA_ERROR_ILLEGAL_ADDRESS,
             std::string("an illegal memory access was encountered in a ") + what + " that a kernel asked for");
    if (work.failure) std::rethrow_exception(work.failure);
}

void fill(const DeviceFill& f) {
    for (std::size_t z = 0; z < f.depth; ++z)
        for (std::size_t y = 0; y < f.height; ++y)
            fill_memory(f.to + z * f.slice + y * f.pitch, static_cast<unsigned char>(f.value), 1, f.width);
}

void run(Grid& grid) {
    try {
        grid.tree.run_blocks(grid);
    } catch (const Failure&) {
        grid.tree.throw_failure(); // of a child that it waited for
        throw;
    }
    grid.tree.throw_failure();
}

/// Begins with a piece of work; the grid that was run, if it was one.
std::unique_ptr<Grid> begin(LaunchTree& tree, Grid::Work work, unsigned depth) {
    if (auto* launch = std::get_if<std::unique_ptr<LaunchRequest>>(&work)) {
        --tree.pending;
        ++tree.begun;
        auto grid = std::make_unique<Grid>(tree, std::move(*launch), depth);
        run(*grid);
        return grid;
    }
    if (auto* copy = std::get_if<BoxCopy>(&work))
        guarded("copy", [&] { copy_box(*copy); });
    else
        guarded("fill", [&] { fill(std::get<DeviceFill>(work)); });
    return nullptr;
}

/// Runs the remaining children of grids that have run, each with its own children before the next one.
void complete(LaunchTree& tree, std::vector<std::unique_ptr<Grid>> open) {
    while (!open.empty()) {
        tree.throw_failure();
        Grid& grid = *open.back();
        auto work = grid.next_child();
        if (!work) work = grid.next_tail();
        const unsigned depth = grid.depth + 1;
        // A grid whose last piece this is need not be kept for it: chains may be long.
        if (grid.idle()) open.pop_back();
        if (!work) continue;
        if (auto next = begin(tree, std::move(*work), depth)) open.push_back(std::move(next));
    }
}

} // namespace

void Grid::synchronize() {
    State& s = state();
    const std::scoped_lock lock(s.synchronizing);
    try {
        while (!tree.failed) {
            auto work = next_child();
            if (!work) break;
            std::vector<std::unique_ptr<Grid>> open;
            if (auto grid = begin(tree, std::move(*work), depth + 1)) open.push_back(std::move(grid));
            complete(tree, std::move(open));
        }
    } catch (Failure& failure) {
        tree.fail_with(std::move(failure));
    }
}

void run_to_completion(std::unique_ptr<Grid> grid) {
    LaunchTree& tree = grid->tree;
    run(*grid);
    if (grid->idle()) return;
    std::vector<std::unique_ptr<Grid>> open;
    open.push_back(std::move(grid));
    complete(tree, std::move(open));
}

} // namespace warplight::software
