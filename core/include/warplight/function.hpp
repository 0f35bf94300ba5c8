// SPDX-License-Identifier: Apache-2.0
// Kernels: calling them, preparing calls, attributes and occupancy.
#pragma once

#include "warplight/argument.hpp"
#include "warplight/callback.hpp"
#include "warplight/enums.hpp"
#include "warplight/enums_graph.hpp"
#include "warplight/handles.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::driver {

class Event;
class Stream;
class TextureReference;

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};
/// Blocks of a grid. A type of its own, so that no call takes it for a block.
struct Grid {
    unsigned x = 1, y = 1, z = 1;
};
/// Threads of a block.
struct Block {
    unsigned x = 1, y = 1, z = 1;
};

namespace detail {
/// The first member of a struct whose members must be named: nothing that a program writes becomes one.
struct MembersByName {
    explicit constexpr MembersByName() = default;
};
} // namespace detail

/// How a kernel is called, its members by name. `f({.grid = {64}, .block = {256}}, In(x), Out(y), 3.0f)`
struct LaunchConfig {
    detail::MembersByName members_by_name{};
    Grid grid = {};
    Block block = {0, 0, 0};        ///< mandatory
    std::size_t shared = 0;         ///< dynamic shared memory a block, bytes
    const Stream* stream = nullptr; ///< null: the default stream
    bool cooperative = false;       ///< all blocks run at once: grid.sync() works
    // Attributes of the launch, CUDA 11.6 and later; what is not set is the stream's or the kernel's.
    Dim3 cluster = {0, 0, 0};                   ///< blocks of a cluster; compute capability 9.0
    std::optional<Dim3> preferred_cluster = {}; ///< CUDA 12.8
    std::optional<cluster_scheduling_policy> cluster_scheduling = {};
    std::optional<int> priority = {};                           ///< lower is sooner
    bool programmatic_stream_serialization = false;             ///< may begin before the kernel ahead of it is done
    std::optional<launch_mem_sync_domain> mem_sync_domain = {}; ///< CUDA 12.0
    const Event* completion_event = nullptr;                    ///< recorded when the last block has begun; CUDA 12.3
    std::optional<int> shared_memory_carveout = {};             ///< per cent of the multiprocessor's memory; CUDA 12.5
    bool time_kernel = false;                                   ///< waits for the kernel and returns its time
    std::vector<const TextureReference*> texrefs = {}; ///< that the kernel reads; those of its module always are

    /// Whether anything but cuLaunchKernel's own arguments is set.
    bool has_attributes() const noexcept {
        return cluster.x != 0 || preferred_cluster || cluster_scheduling || priority ||
               programmatic_stream_serialization || mem_sync_domain || completion_event || shared_memory_carveout;
    }
};

namespace detail {
template <class...>
inline constexpr bool never = false;
/// Takes every launch whose extents are not named.
struct UnnamedLaunch {
    template <class First, class... Rest>
    UnnamedLaunch(const First&, const Rest&...) {}
    UnnamedLaunch(Dim3, Dim3) {}
};
} // namespace detail

/// A kernel's parameter as its source, the driver (CUDA 12.4) or the PTX tells it.
struct ParameterInfo {
    enum class Type { unknown, bits, integer, real, bytes };
    std::string name; ///< the source's; of PTX one that a person chose, not "k_param_1"; else empty
    std::size_t offset = 0, size = 0;
    Type type = Type::unknown;
    std::string declared = {};          ///< the type's spelling: "const float *", of PTX ".u64"; else empty
    std::optional<bool> is_signed = {}; ///< of an integer of the source, which is then no pointer
};

struct BlockSize {
    int min_grid_size = 0; ///< blocks that fill the device
    int block_size = 0;    ///< threads
};

/// Gives the seconds that a timed call took; waits for it.
class TimedCall {
public:
    double operator()() const;

private:
    friend class Function;
    struct State;
    Shared<State> state_;
};

/// A kernel. A cheap handle: copies are the same kernel. Keeps its module loaded. Calls may come from several threads.
class Function {
public:
    // Moving copies: it is the same kernel, and no handle is left empty.
    Function(const Function&) = default;
    Function& operator=(const Function&) = default;
    ~Function() = default;

    /// Calls the kernel. Arguments are checked first, as far as the kernel's parameters are known.
    /// Without an Out or InOut it does not wait for the kernel.
    /// An integer of another size is converted where its value fits.
    /// @return seconds when config.time_kernel
    /// @throws LogicError naming the parameter for a wrong count, size, type or value, for memory that was freed or
    /// moved from, and for a block without threads.
    template <class... Args>
    std::optional<double> operator()(const LaunchConfig& config, const Args&... args) const {
        if constexpr ((detail::Viewable<Args> && ...)) {
            device_ptr addresses[sizeof...(Args) + 1];
            std::size_t i = 0;
            const detail::ArgumentView views[sizeof...(Args) + 1] = {detail::view(args, addresses[i++])..., {}};
            if (launch_plain(config, std::span(views, sizeof...(Args)))) return std::nullopt;
        }
        return call(config, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    /// `f(Grid{64}, Block{256}, In(x), Out(y), 3.0f)`, in the default stream.
    template <class... Args>
    void operator()(Grid grid, Block block, const Args&... args) const {
        (*this)(LaunchConfig{.grid = grid, .block = block}, args...);
    }
    /// Does not compile: `f({64, 256}, …)` does not say which number is the grid's.
    template <class... Args>
    void operator()(detail::UnnamedLaunch, const Args&...) const {
        static_assert(detail::never<Args...>, "a launch names its extents: f(Grid{1}, Block{32}, ...) or "
                                              "f({.grid = {1}, .block = {32}}, ...)");
    }
    std::optional<double> call(const LaunchConfig& config, std::span<const Argument> arguments) const;
    /// What call() checks, without calling. @throws LogicError.
    void check_arguments(std::span<const Argument> arguments) const;

    /// Fixes the types of the arguments of prepared calls, one character each: P pointer, b B h H i I q Q integers of
    /// 1, 2, 4 and 8 bytes (capitals unsigned), l L n N the host's long and size_t, ? bool, e f d reals of 2, 4 and 8
    /// bytes, F D complex, `<number>s` bytes by value. Numbers are converted to them.
    /// Belongs to the kernel, not to the handle.
    /// @param texrefs as in LaunchConfig, for each prepared call
    const Function& prepare(const std::string& arg_types,
                            const std::vector<const TextureReference*>& texrefs = {}) const;
    /// What prepare() was told; empty before.
    std::string arg_format() const;
    std::vector<TextureReference> texrefs() const;
    /// Makes a texture reference available to the kernel. Those of its own module always are; others no driver takes
    /// since CUDA 12 (LogicError).
    void param_set_texref(const TextureReference& texref) const;
    template <class... Args>
    void prepared_call(Grid grid, Block block, const Args&... args) const {
        prepared_async_call(grid, block, nullptr, args...);
    }
    template <class... Args>
    void prepared_async_call(Grid grid, Block block, const Stream* stream, const Args&... args) const {
        if constexpr ((detail::Viewable<Args> && ...)) {
            device_ptr addresses[sizeof...(Args) + 1];
            std::size_t i = 0;
            const detail::ArgumentView views[sizeof...(Args) + 1] = {detail::view(args, addresses[i++])..., {}};
            if (launch_prepared(grid, block, stream, std::span(views, sizeof...(Args)))) return;
        }
        prepared_call(LaunchConfig{.grid = grid, .block = block, .stream = stream}, args...);
    }
    /// With shared memory, or the rest of a LaunchConfig.
    template <class... Args>
    void prepared_call(const LaunchConfig& config, const Args&... args) const {
        call_prepared(config, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    template <class... Args>
    TimedCall prepared_timed_call(Grid grid, Block block, const Args&... args) const {
        return call_prepared_timed({.grid = grid, .block = block}, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    std::optional<double> call_prepared(const LaunchConfig& config, std::span<const Argument> arguments) const;
    TimedCall call_prepared_timed(const LaunchConfig& config, std::span<const Argument> arguments) const;

    int get_attribute(function_attribute attribute) const;
    void set_attribute(function_attribute attribute, int value) const;
    /// All that the driver knows.
    std::vector<std::pair<function_attribute, int>> get_attributes() const;
    int num_regs() const { return get_attribute(function_attribute::NUM_REGS); }
    int shared_size_bytes() const { return get_attribute(function_attribute::SHARED_SIZE_BYTES); }
    int local_size_bytes() const { return get_attribute(function_attribute::LOCAL_SIZE_BYTES); }
    int const_size_bytes() const { return get_attribute(function_attribute::CONST_SIZE_BYTES); }
    int max_threads_per_block() const { return get_attribute(function_attribute::MAX_THREADS_PER_BLOCK); }
    int ptx_version() const { return get_attribute(function_attribute::PTX_VERSION); }
    int binary_version() const { return get_attribute(function_attribute::BINARY_VERSION); }
    void set_cache_config(func_cache config) const;
    void set_shared_config(shared_config config) const;

    /// Blocks of that size that one multiprocessor runs at once.
    int max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared = 0) const;
    /// @param flags of occupancy_flags
    int max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared, unsigned flags) const;
    /// Dynamic shared memory that a block may have with so many blocks on a multiprocessor; bytes.
    std::size_t available_dynamic_shared_memory_per_block(int blocks, int block_size) const;
    /// Largest cluster that can be launched, blocks. CUDA 11.7, compute capability 9.0.
    int max_potential_cluster_size(const LaunchConfig& config) const;
    /// Clusters that the device runs at once. CUDA 11.7, compute capability 9.0.
    int max_active_clusters(const LaunchConfig& config) const;
    /// The block size with the highest occupancy. @param limit largest block size to consider, 0: the device's
    BlockSize max_potential_block_size(std::size_t dynamic_shared = 0, int limit = 0, unsigned flags = 0) const;
    /// With as much dynamic shared memory as `shared_of` says for a block's number of threads; it must not throw.
    BlockSize max_potential_block_size(const Callback<std::size_t(int block_size)>& shared_of, int limit = 0,
                                       unsigned flags = 0) const;

    // The launch functions before CUDA 4, deprecated: block shape, shared size and the packed arguments are kept with
    // the kernel until the next launch. operator() replaces them. Offsets and sizes are in bytes; wrong ones are the
    // driver's errors, not checked here.
    void set_block_shape(int x, int y, int z) const;
    /// Dynamic shared memory a block, bytes.
    void set_shared_size(std::size_t bytes) const;
    /// All arguments, packed one after the other, each aligned as its type.
    template <class... Args>
    void param_set(const Args&... args) const {
        param_set_arguments(detail::ArgumentList<sizeof...(Args)>(args...));
    }
    void param_set_arguments(std::span<const Argument> arguments) const;
    /// Calls the kernel with arguments that are packed already, as the kernel lays them out.
    void launch_kernel(Grid grid, Block block, ConstBuffer arg_buf, std::size_t shared = 0,
                       const Stream* stream = nullptr) const;
    /// Bytes of all arguments together.
    void param_set_size(std::size_t bytes) const;
    void param_seti(int offset, unsigned value) const;
    void param_setf(int offset, float value) const;
    void param_setv(int offset, ConstBuffer buffer) const;
    /// One block.
    void launch() const;
    void launch_grid(int grid_width, int grid_height) const;
    void launch_grid_async(int grid_width, int grid_height, const Stream& stream) const;

    /// Loads the kernel's code now, where a driver would do it at the first launch (CUDA 12.4; older ones: no effect).
    /// The software device compiles the kernel for large blocks here; a first launch with small ones compiles again.
    /// To keep all of that out of a time, launch the kernel once, with the same block, before it is measured.
    void load() const;

    const std::string& name() const noexcept;
    /// Empty when neither the driver nor the PTX tells.
    std::optional<std::vector<ParameterInfo>> parameters() const;
    /// The names in the source, for messages. A SourceModule's functions know them.
    void set_parameter_names(const std::vector<std::string>& names) const;
    /// The kernel's name in the source, and of its parameters names, declared types and signs. Without effect where the
    /// number of parameters is another one.
    void describe_source(const std::string& kernel, const std::vector<ParameterInfo>& parameters) const;
    CUfunc_st* handle() const noexcept;

    /// Internal.
    explicit Function(Shared<detail::FunctionState> state) noexcept : state_(std::move(state)) {}
    const Shared<detail::FunctionState>& state() const noexcept { return state_; }

private:
    /// False, with nothing done, where something about the call or an argument needs a closer look.
    bool launch_plain(const LaunchConfig& config, std::span<const detail::ArgumentView> arguments) const;
    /// False, with nothing done, where the arguments are not just what was prepared, or something else needs more.
    bool launch_prepared(Grid grid, Block block, const Stream* stream,
                         std::span<const detail::ArgumentView> arguments) const;

    Shared<detail::FunctionState> state_;
};

} // namespace warplight::driver
