// SPDX-License-Identifier: Apache-2.0
// The interface between generated code and the runtime. Both sides use these structs by offset:
// keep them standard layout, and change kAbiVersion (part of the object cache's key) with them.
//
// Addresses. A generic address is a host address. Global and constant space equal generic.
// All memory of kernels lies in one window of the process's addresses, and nothing of the host's is in it. Generated
// code takes an address beyond the window for the window's end (passes/confine_pass): so it faults there.
// Shared space is a byte offset into the block's window: generic = BlockContext::shared + offset. Generated code takes
// a shared address modulo 2^32, signed or unsigned. So accesses up to 4 GiB before and behind a window must fault,
// and no other memory may lie there.
// In a kernel with cluster instructions the bits above the offset are the block's rank in the cluster, so that a
// shared address means the same in all blocks of a cluster: generic = BlockContext::cluster_shared + address.
// Local space equals generic too. A thread's local memory lies in the window, never on the host's stack or in the
// frame of a coroutine, where return addresses and the runtime's pointers are.
// A function's address is FunctionTable::base + 16 * index: never a host code address.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warplight::software {

inline constexpr std::uint32_t kAbiVersion = 17;
inline constexpr std::uint32_t kWarpSize = 32;
/// Distance between the shared windows of neighbouring blocks of a cluster, as a power of two.
inline constexpr std::uint32_t kClusterStrideBits = 24;
inline constexpr std::uint32_t kMostClusterBlocks = 16;
/// Bytes of shared memory behind a block's own, for kernels that read their address from a special register.
inline constexpr std::uint32_t kReservedShared = 1024;
/// Of code that tests its accesses: bytes of the shared window behind all that a kernel may use. A row for reads that
/// are left out and one for writes, and for each warp a tile of a matrix.
inline constexpr std::uint32_t kSpareRowBytes = 16, kSpareTilesAt = 64, kSpareTileBytes = 1024;
inline constexpr std::uint32_t kSpareShared = kSpareTilesAt + 32 * kSpareTileBytes;
/// Alignment of coroutine frames, in bytes.
inline constexpr std::uint32_t kFrameAlignment = 64;
/// Where addresses in the window end, and how far beyond its two ends nothing is mapped either. An offset that is
/// smaller than the slack needs no test of its own.
inline constexpr std::uint64_t kWindowEnd = std::uint64_t{1} << 46;
inline constexpr std::uint64_t kWindowSlack = std::uint64_t{1} << 43;
/// Where the window begins if the host has memory of its own at low addresses. Else it begins at 0.
inline constexpr std::uint64_t kHighWindowBegin = std::uint64_t{1} << 45;
/// Alignment of local memory, in bytes: the most that a variable may ask for.
inline constexpr std::uint32_t kLocalAlignment = 128;
/// The address of function 0 in function pointers. No memory is mapped there.
inline constexpr std::uint64_t kFunctionAddressBase = 0x0000'6F00'0000'0000ull;

/// Memory that an access may be made to, for code that tests its accesses. In shared memory `begin` is an offset.
struct CheckedRange {
    std::uint64_t begin, size; ///< bytes; size 0: no memory is known
};

/// What wl_rt_check_access() is told of an access, packed into a word.
struct CheckedAccess {
    static constexpr unsigned kMostOfInstruction = 3;

    std::uint32_t bytes;  ///< at most 255
    std::uint32_t number; ///< of those of its instruction
    bool reads, writes;
    bool uniform;            ///< one address for all lanes
    bool shared;             ///< written in the shared space
    bool known;              ///< the range is that of the memory that was meant, not of what was found last
    bool shadow;             ///< the access will be one to the shadow of this memory
    std::uint32_t alignment; ///< of which the address is a multiple: at most 255
    bool sized;              ///< each lane has a number of bytes of its own, instead of `bytes`
    bool in_units;           ///< which is a multiple of the alignment

    [[nodiscard]] constexpr std::uint32_t packed() const {
        return bytes | number << 8 | std::uint32_t{reads} << 10 | std::uint32_t{writes} << 11 |
               std::uint32_t{uniform} << 12 | std::uint32_t{shared} << 13 | std::uint32_t{known} << 14 |
               std::uint32_t{shadow} << 15 | std::uint32_t{sized} << 16 | std::uint32_t{in_units} << 17 |
               alignment << 18;
    }
    [[nodiscard]] static constexpr CheckedAccess unpacked(std::uint32_t word) {
        const auto bit = [&](unsigned k) { return (word >> k & 1) != 0; };
        return {word & 0xff, word >> 8 & 3, bit(10),           bit(11), bit(12), bit(13),
                bit(14),     bit(15),       word >> 18 & 0xff, bit(16), bit(17)};
    }
};

/// What wl_rt_trace_access() is told of an access, packed into a word.
struct TracedAccess {
    std::uint32_t bytes;    ///< at most 255
    std::uint32_t elements; ///< whose values are known; 0: none are
    bool reads, writes;
    bool shared; ///< written in the shared space: its address is an offset there
    bool strong; ///< .volatile, .relaxed and stronger, and atomics
    bool acquire, release;
    std::uint32_t scope; ///< FenceScope
    bool copies;         ///< by a copy that goes on while the thread does; bits 24 and 25 are TracedNote's
    bool image;          ///< by a texture or surface: a read need not show what the launch has written

    [[nodiscard]] constexpr std::uint32_t packed() const {
        return std::uint32_t{image} << 27 | std::uint32_t{copies} << 26 | bytes | elements << 8 |
               std::uint32_t{reads} << 16 | std::uint32_t{writes} << 17 | std::uint32_t{shared} << 18 |
               std::uint32_t{strong} << 19 | std::uint32_t{acquire} << 20 | std::uint32_t{release} << 21 | scope << 22;
    }
    [[nodiscard]] static constexpr TracedAccess unpacked(std::uint32_t word) {
        const auto bit = [&](unsigned k) { return (word >> k & 1) != 0; };
        return {word & 0xff, word >> 8 & 0xff, bit(16),        bit(17), bit(18), bit(19),
                bit(20),     bit(21),          word >> 22 & 3, bit(26), bit(27)};
    }
};

/// What wl_rt_uninitialised() is told of a value that nothing wrote, packed into a word.
struct UninitialisedUse {
    enum class Of : std::uint32_t {
        decision, ///< where the thread goes, or what other threads get
        address,
        store,  ///< into memory; `bytes` of it
        atomic, ///< the same: a sum with it
    };
    Of of = Of::decision;
    std::uint32_t bytes = 0; ///< at most 255

    [[nodiscard]] constexpr std::uint32_t packed() const { return static_cast<std::uint32_t>(of) | bytes << 8; }
    [[nodiscard]] static constexpr UninitialisedUse unpacked(std::uint32_t word) {
        return {static_cast<Of>(word & 0xff), word >> 8 & 0xff};
    }
};

/// What wl_rt_arithmetic() is told.
enum class ArithmeticProblem : std::uint32_t {
    division_by_zero,
    quotient_too_large, ///< of the least number by -1
    shift,              ///< by as many bits as the type has, or more
    not_a_number,       ///< made of numbers
    overflow,           ///< of a signed index, which becomes an address
};

/// What wl_rt_wait() is told that a thread does.
enum class WaitEvent : std::uint32_t {
    leaves,       ///< a loop that does nothing but wait
    reads,        ///< memory, in such a loop
    initialises,  ///< a barrier object, for `value` arrivals
    invalidates,  ///< one
    arrives,      ///< at one, `value` times
    waits_phase,  ///< at one, for the end of the phase that began with the state `value`
    waits_parity, ///< likewise, for that of a phase whose number has the lowest bit of `value`
};

/// What threads of a block have done to a word of shared memory since all of them met last. The bits, from the lowest:
/// the lane (6), written before the warp's lanes met (1), written since (1), the warp (5), and a stamp: how often the
/// warp's lanes have met. Words that are less than TracedShared::stale say nothing.
struct TracedWord {
    static constexpr std::uint32_t kLane = 63;
    static constexpr std::uint32_t kLanes = 32;  ///< several lanes of the warp, which only read
    static constexpr std::uint32_t kWarps = 33;  ///< several warps, which only read
    static constexpr std::uint32_t kStrong = 34; ///< any, by strong accesses of the whole word
    static constexpr std::uint32_t kWrittenBefore = 1U << 6, kWritten = 1U << 7, kWrites = kWrittenBefore | kWritten;
    static constexpr unsigned kWarpShift = 8, kStampShift = 13;
    static constexpr std::uint32_t kWarp = 31U << kWarpShift;
    static constexpr std::uint32_t kMostStamp = (1U << (32 - kStampShift)) - 1;
};

/// An access to shared memory, as it is noted until all threads meet. Behind it are addresses: of each lane (Each) or
/// of the first one, as words; its size is a multiple of 8.
struct TracedNote {
    enum class Lanes : std::uint32_t { each, same, side_by_side };
    static constexpr unsigned kLanesShift = 24; ///< of Lanes in `what`

    std::uint32_t site;
    std::uint32_t what;  ///< TracedAccess, Lanes
    std::uint32_t first; ///< as TracedShared::now of the warp, with the first lane
    std::uint32_t active;

    [[nodiscard]] static constexpr std::uint64_t bytes_of(std::uint32_t addresses) {
        return (sizeof(TracedNote) + std::uint64_t{4} * addresses + 7) / 8 * 8;
    }
    static constexpr std::uint64_t kMostBytes = 16 + 4 * kWarpSize;
};

/// What is kept of an access to words of global memory: the epoch of a warp (32 bits, 0: there was none), the lane (5),
/// the bytes (4), AccessKind (2), strong (1), the scope (2) and the site (18). Words have the number of one: see
/// traced_records.hpp.
struct TracedCell {
    static constexpr unsigned kBytes = 8, kWordBytes = 4;
    static constexpr unsigned kLaneShift = 32;
    static constexpr std::uint64_t kKey = (std::uint64_t{1} << 37) - 1; ///< epoch and lane
    static constexpr std::uint32_t kLastSite = (1U << 18) - 1;          ///< stands for all behind it too

    /// A plain access of the whole word, but for epoch and lane.
    [[nodiscard]] static constexpr std::uint64_t of(const TracedAccess& what, std::uint32_t site) {
        const std::uint64_t rest =
            15U << 5 | std::uint32_t{what.writes} << 9 | what.scope << 12 | (site < kLastSite ? site : kLastSite) << 14;
        return rest << kLaneShift;
    }
};

/// Where the TracedNumbers of a page of memory are: those of reads stay zeros until there are any, and many pages share
/// them until then.
struct TracedPage {
    static constexpr unsigned kShift = 12, kFold = 8;
    static constexpr std::uint64_t kBytes = std::uint64_t{1} << kShift, kCount = 256; ///< pages that are known at once
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    [[nodiscard]] static constexpr std::uint64_t place_of(std::uint64_t number) {
        return (number ^ number >> kFold) % kCount;
    }
    std::uint64_t number = kNone;
    std::uint64_t read_number = kNone; ///< the same where it has cells of reads of its own
    void* writes = nullptr;
    void* reads = nullptr;
};

/// Of a block, for code that tells what it does: an access to shared memory that races with none since all threads met
/// is noted here and not told.
struct TracedShared {
    std::uint32_t* words;       ///< TracedWord, by word of shared memory
    std::byte* note;            ///< where the next TracedNote goes
    std::byte* notes_end;       ///< before it there is room for one
    std::uint32_t bytes;        ///< of shared memory that may be accessed so; 0: every access is told
    std::uint32_t strong_bytes; ///< likewise, of relaxed strong accesses
    std::uint32_t stale;
    std::uint32_t now[32]; ///< by warp: TracedWord of lane 0, as what it does now
    // Of global memory:
    const std::uint32_t* epochs; ///< by warp; 0: none has begun
    const TracedPage* read_pages;
    const TracedPage* write_pages;
};

/// What a thread does about its copies that go on while it does.
enum class CopyEvent : std::uint32_t {
    commit, ///< those since the last one are a group
    wait,   ///< for all groups but the last few
    wait_all,
};

/// What wl_rt_move_tile() moves, packed into a word: lines of a matrix, which the lanes of the warp share out.
struct SpareTile {
    std::uint32_t lines, line_bytes; ///< at most 255
    bool back;                       ///< from the spare memory to where it belongs
    bool of_shadow;                  ///< the shadows of both

    [[nodiscard]] constexpr std::uint32_t packed() const {
        return lines | line_bytes << 8 | std::uint32_t{back} << 16 | std::uint32_t{of_shadow} << 17;
    }
    [[nodiscard]] static constexpr SpareTile unpacked(std::uint32_t word) {
        return {word & 0xff, word >> 8 & 0xff, (word >> 16 & 1) != 0, (word >> 17 & 1) != 0};
    }
};

/// Of a fence or a strong access: which threads it counts for. Those of the system are the device's.
enum class FenceScope : std::uint32_t { block, cluster, device };

/// What a profile counts at an instruction of a kernel (docs/profile.md). The first three are kept at the first
/// instruction of a basic block, for all of the block.
struct ProfileCounters {
    std::uint64_t whole;      ///< executions by 32 lanes
    std::uint64_t executions; ///< others
    std::uint64_t lanes;      ///< of those
    std::uint64_t divergent;  ///< executions of a branch from which lanes go two ways
    std::uint64_t on;         ///< of an instruction with a guard: threads whose guard holds
    std::uint64_t uniform;    ///< accesses of a warp to global memory, all at one address
    std::uint64_t shared_uniform;
    // Of other accesses:
    std::uint64_t requests, sectors, sectors_ideal;
    std::uint64_t shared_requests, wavefronts, wavefronts_ideal;
    std::uint64_t local_requests, local_sectors;
    std::uint64_t atomic_lanes, atomic_addresses;
    std::uint64_t shared_lanes, local_lanes; ///< threads of those requests, where the runtime was called
};

/// What wl_rt_profile_access() is told of an access, packed into a word of 24 bits.
struct ProfiledAccess {
    enum class Space : std::uint32_t { global, shared, local, generic };

    std::uint32_t bytes;  ///< at most 255
    std::uint32_t number; ///< of those of its instruction
    Space space; ///< of shared and local memory addresses are offsets, of local memory in the variable of each thread
    bool atomic;

    [[nodiscard]] constexpr std::uint32_t packed() const {
        return bytes | number << 8 | static_cast<std::uint32_t>(space) << 9 | std::uint32_t{atomic} << 11;
    }
    [[nodiscard]] static constexpr ProfiledAccess unpacked(std::uint32_t word) {
        return {word & 0xff, word >> 8 & 1, static_cast<Space>(word >> 9 & 3), (word >> 11 & 1) != 0};
    }
};

/// Of code that is stepped through: a call of a function. Behind it lie addresses and registers, as ptx::frame_layout()
/// says.
struct StepFrame {
    StepFrame* caller; ///< null: the kernel itself
    std::uint32_t function;
    std::uint32_t site; ///< the last ptx::stepping_points() that it came to
};

/// Memory of which writes are told.
struct StepWatch {
    std::uint64_t begin, size; ///< generic; size 0: none
};

/// Of code that is stepped through.
struct StepBlock {
    StepFrame** frames; ///< of each thread the innermost
    const StepWatch* watch;
};

/// Constant during a launch.
struct LaunchContext {
    const std::byte* parameters; ///< packed as ptx::layout_parameters says
    std::uint32_t ntid[3];
    std::uint32_t nctaid[3];
    std::uint64_t grid_id;
    std::uint32_t block_threads;  ///< ntid[0] * ntid[1] * ntid[2]
    std::uint32_t static_shared;  ///< bytes
    std::uint32_t dynamic_shared; ///< bytes
    std::uint32_t nsmid;
    std::uint32_t envreg[32]; ///< %envreg1/2: high and low half of the grid barrier's workspace address
    std::uint32_t cooperative;
    std::uint32_t reserved_shared; ///< offset of the memory that cooperative groups use
    void* launch;                  ///< runtime's own
    std::uint32_t cluster[3];      ///< blocks of a cluster; all 1: the launch has none
    std::uint32_t nclusters[3];
    std::uint32_t cluster_blocks;
    std::uint32_t explicit_cluster;
    /// Bit k: memory behind CompiledKernel::non_temporal_pointers()[k] is written by non-temporal stores.
    std::uint32_t non_temporal;
    std::uint64_t local_begin; ///< where local memory lies
    std::uint64_t local_bytes;
    // Of code that is looked at while it runs:
    const CheckedRange* parameter_ranges; ///< by word of the parameters: the allocation that it points into
    void* checks;                         ///< runtime's own
    /// From memory to its shadow: a byte of it is not 0 where nothing wrote the byte of memory.
    std::uint64_t shadow_distance;
    std::uint32_t spare_shared; ///< offset of kSpareShared bytes, of code that tests its accesses
};

/// What all accesses of a kernel to some memory do, where nobody asks for the old values: add integers, add floats, and
/// so on.
enum class SumOperation : std::uint8_t { add, add_floats, min, max, min_unsigned, max_unsigned, and_, or_, xor_ };

/// Memory to which a launch only adds, and a worker's own sums for it. They are added to the memory at the end. The
/// same goes for other operations whose order does not matter.
struct SumCopy {
    std::uint64_t begin, bytes; ///< of the memory; 0 bytes: there is no copy
    std::byte* copy;            ///< less than 4 GiB
};
/// Such pieces of memory that a kernel can have.
inline constexpr std::uint32_t kMostSums = 2;

struct BlockContext {
    const LaunchContext* launch;
    std::byte* shared; ///< the block's window
    std::uint32_t ctaid[3];
    std::uint32_t smid;
    void* scheduler;           ///< runtime's own
    std::byte* cluster_shared; ///< the window of the cluster's first block
    std::uint32_t cluster_ctaid[3];
    std::uint32_t cluster_rank;
    std::uint32_t clusterid[3];
    std::uint32_t joined; ///< blocks to do, of code that does several; it counts ctaid[0] up as it goes
    /// Of code that tests its accesses: what was found last, CheckedAccess::kMostOfInstruction for each site. Of the
    /// worker alone.
    CheckedRange* found_ranges;
    // Of code that is profiled:
    ProfileCounters* profile_counters; ///< by site; of the worker alone
    void* profile;                     ///< runtime's own
    StepBlock* steps;                  ///< null: it is not stepped through
    TracedShared* traced;              ///< of code that tells what it does
    SumCopy sums[kMostSums];           ///< by CompiledKernel::sum_pointers()
    void* held_stores; ///< runtime's own, constant while code runs; null: wl_rt_hold_store() is not called
};

/// Why a thread is not running. Generated code sets it before it suspends.
enum class Wait : std::uint32_t {
    running,
    done,
    barrier,
    warp,
    yield, ///< for something that another thread does
    cluster,
    grid_stride, ///< for nothing: yields in a grid-stride loop, so that the threads of a block stay close in memory
    step,        ///< for its turn: it has come to a line
};

enum class WarpOperation : std::uint32_t {
    sync,       ///< bar.warp.sync
    activemask, ///< resolved when no lane of the warp can run: lanes at one site
    shuffle_up,
    shuffle_down,
    shuffle_bfly,
    shuffle_idx, ///< value, b = lane operand, c = clamp and segment mask
    vote_all,
    vote_any,
    vote_uni,
    vote_ballot, ///< value & 1 = predicate
    match_any32,
    match_any64,
    match_all32,
    match_all64, ///< value
    reduce_add,
    reduce_min_s32,
    reduce_max_s32,
    reduce_min_u32,
    reduce_max_u32,
    reduce_and,
    reduce_or,
    reduce_xor,
    elect,
    matrix_multiply,  ///< value = address of MatrixWords, b and c = low and high half of ptx::MatrixForm::pack()
    matrix_rows,      ///< value = address of MatrixRows, b = number of matrices, c = 1: transposed
    matrix_transpose, ///< value: a register of movmatrix
};

/// A lane's fragments of a product, a register a word.
struct MatrixWords {
    std::uint64_t a[8], b[8], c[8]; ///< request
    std::uint64_t d[8];             ///< answer
};

/// Of ldmatrix and stmatrix: the rows of 8 × 8 matrices that a lane reads or writes.
struct MatrixRows {
    std::uint64_t row;     ///< request: the address of the row that this lane knows
    std::uint64_t rows[8]; ///< answer: of each matrix one, transposed two
};

enum class BarrierOperation : std::uint32_t {
    sync,
    arrive,
    reduce_popc,
    reduce_and,
    reduce_or,
    arrive_relaxed, ///< of the cluster's barrier: it orders nothing
};

/// One for each thread in coroutine mode. Generated code writes the request and reads the answer.
struct ThreadContext {
    BlockContext* block;
    std::uint32_t tid[3];
    std::uint32_t linear; ///< tid[0] + ntid[0] * (tid[1] + ntid[1] * tid[2]); lane = linear % 32
    Wait wait;
    std::uint32_t site;          ///< of the instruction that waits
    std::uint32_t operation;     ///< WarpOperation or BarrierOperation
    std::uint32_t mask;          ///< member mask; for barriers the barrier's number
    std::uint32_t b, c;          ///< for barriers: b = number of threads, 0 for the whole block
    std::uint64_t value;         ///< request; for barrier reductions the predicate
    std::uint64_t result;        ///< answer (reductions of barriers too)
    std::uint32_t predicate;     ///< second answer: shfl's and match.all's predicate, elect's
    std::uint32_t depth;         ///< calls of functions that wait and are coroutines of their own; 0 at the start
    std::uint64_t cluster_phase; ///< of the cluster's barrier, in which the thread has arrived; 0: in none
};

/// What the scheduler and generated code tell each other of a round, in which a block's coroutines are resumed one
/// after the other.
struct RoundControl {
    std::uint32_t current = 0; ///< the coroutine that runs
    /// How many rounds may follow at once, each where all have come to one barrier of the block. 0 also where a round
    /// may not end the block by itself.
    std::uint32_t rounds = 0;
    std::uint32_t begins = 0; ///< 1: all are at their start, as the frames may not say. 2: all wait at one point
    /// Blocks that may follow in the same context, each by one more in x, where all threads of one have left their
    /// frames as new ones are. Counted down.
    std::uint32_t blocks = 0;
    const std::atomic<bool>* stop = nullptr; ///< true: no round may follow
    BlockContext* block = nullptr;
};
static_assert(sizeof(std::atomic<bool>) == 1);

/// How rounds end.
enum class RoundEnd : std::uint32_t {
    apart, ///< the coroutines may wait at several suspension points
    alike, ///< all wait at one, which has asked the same of the scheduler for each
    done,  ///< all are done, and are as new in the next round that begins. Their contexts do not tell
};

/// Errors a thread raises itself.
enum class Fault : std::uint32_t {
    trap,            ///< CUDA_ERROR_LAUNCH_FAILED (719; a GPU says so for `trap`)
    assertion,       ///< CUDA_ERROR_ASSERT
    misaligned,      ///< CUDA_ERROR_MISALIGNED_ADDRESS
    illegal_address, ///< CUDA_ERROR_ILLEGAL_ADDRESS
    illegal_instruction,
    invalid_pc, ///< call through a pointer that is no function
    stack_overflow,
    out_of_memory,
    missing_lanes, ///< a warp operation names lanes that have parted from the others
    cancelled,     ///< somebody ended the launch; never raised by generated code
};

// Services that generated code calls (extern "C", defined in runtime/services.cpp).
// `linear` is the thread's number in its block. `site` is a PTX instruction: jit::Site.
extern "C" {
[[noreturn]] void wl_rt_fault(BlockContext* block, std::uint32_t linear, std::uint32_t fault, std::uint32_t site);
/// An access to an address that is no multiple of `alignment`. At the end of a block's loop over threads only the
/// block is known: the rest is UINT32_MAX and 0.
[[noreturn]] void wl_rt_misaligned(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                                   std::uint32_t alignment);
std::int32_t wl_rt_vprintf(BlockContext* block, const char* format, const void* arguments);
void* wl_rt_malloc(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t size);
void wl_rt_free(BlockContext* block, std::uint32_t linear, std::uint32_t site, void* pointer);
[[noreturn]] void wl_rt_assertfail(BlockContext* block, std::uint32_t linear, std::uint32_t site, const char* message,
                                   const char* file, std::uint32_t line, const char* function);
/// Memory for a coroutine frame, from the block's arena: freed as a whole when the block ends.
void* wl_rt_frame_alloc(BlockContext* block, std::uint64_t size);
void wl_rt_frame_free(BlockContext* block, void* frame, std::uint64_t size);
/// Local memory of a coroutine, until wl_rt_local_free() or the block's end.
void* wl_rt_local_alloc(BlockContext* block, std::uint64_t size);
void wl_rt_local_free(BlockContext* block, void* memory, std::uint64_t size);
/// Local memory of a function that is no coroutine, until the function's wl_rt_local_leave() with the same size.
void* wl_rt_local_enter(std::uint64_t size);
void wl_rt_local_leave(std::uint64_t size);
/// barrier.arrive: counts the thread in and returns at once.
void wl_rt_barrier_arrive(ThreadContext* thread);
/// A function of the device runtime library: jit::DeviceCall and its arguments. Gives an address or an error code.
std::uint64_t wl_rt_device_call(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint32_t call,
                                const std::uint64_t* arguments);
/// barrier.cluster.arrive
void wl_rt_cluster_arrive(ThreadContext* thread);
/// Memory of a thread's stack (alloca), until the block ends.
void* wl_rt_stack_alloc(BlockContext* block, std::uint64_t size, std::uint64_t alignment);
/// A store to memory of CompiledKernel::held_pointer() by all lanes, 4 bytes each, that the worker may make later.
/// Answers 0 where the caller has to make it.
/// @param addresses, values of the lanes
std::uint32_t wl_rt_hold_store(BlockContext* block, const std::uint64_t* addresses, const std::uint32_t* values,
                               std::uint32_t lanes);
/// Of code that looks for a fault (jit::AccessReports): asked before each access of a thread. Answers with the address
/// to access.
void* wl_rt_access(void* address, std::uint64_t bytes, std::uint32_t site, std::uint32_t writes);
/// Of code that tests its accesses (jit::Options::checks_accesses): one that failed its test, by the lanes `active`.
/// Answers with those that may make it.
/// @param linear of the first lane
/// @param addresses of the lanes; one where they are uniform
/// @param begin, size, step the memory that was meant, and how far the next lane's own is from it
/// @param what CheckedAccess
/// @param counts of bytes, likewise; null where CheckedAccess has them
std::uint32_t wl_rt_check_access(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                 const std::uint64_t* addresses, std::uint64_t begin, std::uint64_t size,
                                 std::uint64_t step, std::uint32_t site, std::uint32_t what,
                                 const std::uint32_t* counts);
/// Moves a tile of a matrix between its place and the warp's spare memory, but for the parts of some lanes. They become
/// zeros there.
/// @param left_out lanes
/// @param address, stride of the tile's lines, bytes
/// @param what SpareTile
void wl_rt_move_tile(BlockContext* block, std::uint32_t linear, std::uint32_t left_out, std::uint64_t address,
                     std::uint64_t stride, std::uint32_t what);
/// Of code that tells what it does (jit::Options::traces_accesses): before each access by the lanes `active`, except to
/// local memory and parameters; of a wait at a barrier object behind it.
/// @param addresses of the lanes
/// @param values that a store writes: of each element those of all lanes
/// @param what TracedAccess
/// @param counts of bytes; null where TracedAccess has them
void wl_rt_trace_access(BlockContext* block, std::uint32_t linear, std::uint32_t active, const std::uint64_t* addresses,
                        const std::byte* values, std::uint32_t site, std::uint32_t what, const std::uint32_t* counts);
/// @param pending groups that a CopyEvent::wait leaves
void wl_rt_trace_copies(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                        std::uint32_t event, std::uint32_t pending);
void wl_rt_trace_fence(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                       std::uint32_t scope);
/// Of lanes that are a whole warp: an operation of it.
/// @param masks of its members, as each lane has it
void wl_rt_trace_warp(BlockContext* block, std::uint32_t linear, std::uint32_t active, const std::uint32_t* masks,
                      std::uint32_t site);
/// Of code that follows values which nothing wrote (jit::Options::follows_values): one that is used, by the lanes
/// `active`, before it is.
/// @param addresses of the lanes, of memory that is written; null for other uses
/// @param what UninitialisedUse
void wl_rt_uninitialised(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                         const std::uint64_t* addresses, std::uint32_t site, std::uint32_t what);
/// A bulk copy adds to memory (cp.reduce.async.bulk) by a thread: what nothing wrote of both becomes unwritten there.
/// @param to, from the shadows of the memory
/// @param size of an element, bytes
void wl_rt_uninitialised_sums(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::byte* to,
                              const std::byte* from, std::uint64_t bytes, std::uint32_t size);
/// Of code that tests its arithmetic (jit::Options::arithmetic): a result of the lanes `active` that means nothing.
/// @param problem ArithmeticProblem
void wl_rt_arithmetic(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                      std::uint32_t problem);
/// Of code that tells what its threads wait for (jit::Options::follows_waits): before an operation on a barrier object,
/// before each read in a loop that does nothing but wait (ptx::waiting_loops()), and behind such a loop.
/// @param event WaitEvent
void wl_rt_wait(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                std::uint32_t event, std::uint64_t value);
/// Of code that is profiled (jit::Options::profiles): an access by lanes, before it is made.
/// @param what ProfiledAccess
void wl_rt_profile_access(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                          const std::uint64_t* addresses, std::uint32_t site, std::uint32_t what);
/// The same, of code with fewer lanes than a warp: they come to a basic block, which has its first instruction's site.
void wl_rt_profile_block(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site);
/// Before and behind a call of a function.
void wl_rt_profile_call(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t returns);
/// Of code that is stepped through: before a write that touches StepBlock::watch.
void wl_rt_step_write(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                      std::uint32_t bytes);
std::uint64_t wl_rt_clock64(void);
std::uint64_t wl_rt_globaltimer(void);
}

} // namespace warplight::software
