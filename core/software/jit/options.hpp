// SPDX-License-Identifier: Apache-2.0
// A request to compile a kernel: how its threads are to run, and what else its code depends on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace warplight::jit {

enum class Mode : std::uint8_t {
    automatic, ///< as a request: a loop where no thread waits, else coroutines
    loop,      ///< a plain loop over the block's threads; only for kernels in which no thread waits
    coroutine, ///< each vector of threads is a coroutine: always right
};

/// Whether lanes have to pay.
enum class Gain : std::uint8_t {
    required, ///< one lane where vectors save nothing
    ignored,  ///< lanes wherever they work
};

/// How the threads of a block go through a grid-stride loop.
enum class GridStride : std::uint8_t {
    alone,    ///< each vector of threads to the end
    together, ///< as coroutines that yield to each other, so that they read neighbouring memory at the same time
};

/// Why a kernel has so many lanes and not more.
enum class LanesReason : std::uint8_t {
    requested,         ///< a setting or the caller named the number
    warp_operations,   ///< they need whole warps
    packed_halves,     ///< computed as floats, two vectors at once: enough to keep the processor busy
    only_copies,       ///< a vector is a whole line of memory, and two lines at once are slower than one
    barriers_in_loops, ///< whole warps: a barrier then costs fewer switches between coroutines
    much_code,         ///< long code, many loops, or per-lane memory: one vector keeps the processor busy
    rows,              ///< the kernel counts its threads in rows of so many: lanes of one row are neighbours
    far_rows,          ///< each lane stores a row of its own, and more of them do not fit into the first cache
    two_vectors,       ///< the usual: two vectors at once keep the processor busier than one
    extent,            ///< the block's extent in x is no multiple of more lanes
    obstacle,          ///< one lane: Strategy::obstacle keeps the kernel from having more
    no_gain,           ///< one lane: addresses are scattered or lanes part, and vectors save little else
};

/// Whether generated code reports its accesses to the runtime.
enum class AccessReports : std::uint8_t {
    none,
    before_each, ///< asks the runtime first (wl_rt_access), in the order of the program: finds the access that faults
};

/// Where the addresses of generated code are kept (kWindowEnd in abi/abi.hpp).
enum class Walls : std::uint8_t {
    none, ///< any address of the process can be reached: for programs that need the host's own
    low,  ///< the window begins at 0
    high, ///< the window begins at kHighWindowBegin
};

/// Which results code tells the runtime of.
enum class ArithmeticTests : std::uint8_t {
    none,
    certain, ///< those that are always wrong: divisions by zero
    all,     ///< also shifts that are too far, NaN, and signed sums that become addresses
};

struct Options {
    Mode mode = Mode::automatic;
    GridStride grid_stride = GridStride::alone;
    /// Lanes of a vector: for blocks with an extent in x that is a multiple of it.
    unsigned width = 1;
    LanesReason width_reason = LanesReason::requested; ///< why not more: of LaneCandidates
    /// Lanes are neighbours in y: the code is of the kernel with x and y exchanged, and so are its launches.
    bool along_y = false;
    /// The code is for blocks with no more threads in x: BlockCandidates. 0: for any.
    unsigned most_threads = 0;
    Gain gain = Gain::required;
    AccessReports access_reports = AccessReports::none;
    bool checks_accesses = false; ///< code tests each access first, and tells the runtime what is wrong
    bool traces_accesses = false; ///< code tells the runtime of each access and fence before it
    bool traces_reads = false;    ///< also of reads of memory that the kernel never writes
    /// Code tells the runtime of barrier objects, and of memory that a loop waits for. One lane.
    bool follows_waits = false;
    /// Code knows which values nothing wrote, and tells the runtime of their uses. Needs checks_accesses, so that only
    /// memory that is there has a shadow that is read.
    bool follows_values = false;
    ArithmeticTests arithmetic = ArithmeticTests::none;
    bool profiles = false; ///< code counts what warps execute and access
    /// Each thread suspends at each line, and its registers lie in memory (abi.hpp, StepFrame). One lane, coroutines.
    bool steps = false;
    Walls walls = Walls::none;
    std::string cache_directory;                          ///< empty: no object cache
    std::uint64_t cache_limit = std::uint64_t{512} << 20; ///< bytes of all entries
    std::string source; ///< digest() of the module's text, by which the cache knows it; empty: no cache
    std::uint32_t compute_capability = 80;
    /// Called where code is not in the object cache and long enough to be made twice: begins to make fast code
    /// elsewhere, and answers whether it could. Then compile() makes quick code. Empty: it makes fast code.
    std::function<bool()> begin_fast;

    /// Code tells the runtime nothing of its accesses and instructions, so that it may make them otherwise than they
    /// are written.
    [[nodiscard]] bool tells_nothing() const {
        return access_reports == AccessReports::none && !checks_accesses && !traces_accesses && !follows_values &&
               !follows_waits && !profiles && !steps;
    }
};

} // namespace warplight::jit
