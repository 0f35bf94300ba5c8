// SPDX-License-Identifier: Apache-2.0
// Loaded modules: their variables in memory, and their kernels.
#pragma once

#include "../ptx/module.hpp"
#include "findings/finding.hpp"
#include "image.hpp"
#include "software/jit/jit.hpp"

#include <cuda.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace warplight::software {

class Context;
class Module;
class BackgroundCompilation;
class SurfaceReference;
class TextureReference;

/// Which code one waits for. Quick code gives the same results.
enum class CodeWanted : std::uint8_t {
    any,  ///< quick code where fast code would take long, and is not there yet
    fast, ///< for whole launches of some length, and for what is timed
};

/// Extents of a block in x and y.
struct BlockRows {
    unsigned x = 0, y = 1;
    bool operator==(const BlockRows&) const = default;
};

class Function {
public:
    Function(Module& owner, ptx::FunctionId number);

    Module& module;
    const ptx::FunctionId id;
    [[nodiscard]] const ptx::Function& ptx() const;

    ptx::Reachable reachable;
    ptx::SharedLayout shared;
    ptx::ParameterLayout parameters;
    std::uint64_t shared_alignment = 16;
    std::uint64_t local_bytes = 0;
    std::uint64_t constant_bytes = 0;
    unsigned registers = 0;
    unsigned max_threads = 0;

    /// Of CUfunction_attribute; nothing for a number that is none.
    [[nodiscard]] std::optional<int> attribute(int attribute) const;
    /// Throws the driver's codes.
    void set_attribute(int attribute, int value);
    /// Blocks of a cluster that launches have which do not say; all 0: none.
    [[nodiscard]] std::array<unsigned, 3> cluster() const;
    /// Clusters may have more blocks than every GPU that has clusters can have.
    [[nodiscard]] bool large_clusters() const { return large_clusters_; }
    [[nodiscard]] int max_dynamic_shared() const { return max_dynamic_shared_; }

    /// With one lane, compiled at the first call, with the checks that are asked for (requested_checks()). With
    /// AccessReports: as coroutines and without checks, to find a fault. Throws CUDA_ERROR_INVALID_PTX.
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel>
    compiled(jit::AccessReports reports = jit::AccessReports::none);
    /// For blocks with these extents: with several lanes where the kernel and the extent allow it. With checks and
    /// with a profile it is always fast code.
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel>
    compiled_for(BlockRows block, jit::GridStride grid_stride = jit::GridStride::alone,
                 CodeWanted wanted = CodeWanted::fast);
    /// What compiled_for() last answered for good, if it was for those extents and nothing is checked or profiled; else
    /// null.
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel> settled_for(BlockRows block,
                                                                         jit::GridStride grid_stride) const;
    /// Fast code that is being made, and nobody will want, is not made if that has not begun.
    void stop_compiling();

    /// With one lane, to be stepped through. Throws CUDA_ERROR_INVALID_PTX.
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel> compiled_to_step();

    /// State that the launch functions before cuLaunchKernel keep with the function.
    struct Legacy {
        std::array<unsigned, 3> block{1, 1, 1};
        unsigned shared = 0;
        std::vector<std::byte> parameters;
    };
    [[nodiscard]] Legacy legacy();
    template <class Change>
    void change_legacy(Change change) {
        const std::scoped_lock lock(legacy_mutex_);
        change(legacy_);
    }
    std::atomic<CUfunc_cache> cache_config = CU_FUNC_CACHE_PREFER_NONE;
    /// turns_of() it, found at the first call.
    [[nodiscard]] float turns() const;
    /// Time of a thread in the last launch as a loop, on one worker; 0: not known.
    std::atomic<float> nanoseconds_a_thread = 0;

private:
    [[nodiscard]] jit::Options options(findings::Checks checks, bool profiled) const;
    [[nodiscard]] jit::LaneCandidates profiled_candidates() const;
    /// How a launch is instrumented, and which code it takes.
    struct Wish {
        findings::Checks checks;
        bool profiled = false;
        CodeWanted wanted = CodeWanted::fast;
    };
    /// The forms of one code. Only `kernel`: the fast one, or none where it cannot be.
    struct Code {
        std::shared_ptr<const jit::CompiledKernel> kernel;
        std::shared_ptr<const jit::CompiledKernel> quick; ///< until `fast` is done
        std::shared_ptr<BackgroundCompilation> fast;
        jit::Lanes fewer; ///< several: these are faster
    };
    /// Fills `code`; the answer is the strategy. Throws std::runtime_error.
    [[nodiscard]] jit::Strategy make(Code& code, jit::Options options, CodeWanted wanted) const;
    /// Of the forms that are there. May open the lock while it waits.
    [[nodiscard]] static std::shared_ptr<const jit::CompiledKernel> choose(Code& code, CodeWanted wanted,
                                                                           std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel>
    compiled_side_by_side(jit::Lanes lanes, unsigned most_threads, jit::GridStride grid_stride, const Wish& wish);
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel> compiled_alone(jit::AccessReports reports,
                                                                            const Wish& wish);
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel> find_compiled(BlockRows block, jit::GridStride grid_stride,
                                                                           const Wish& wish);
    [[nodiscard]] jit::Strategy make_side_by_side(Code& code, jit::Lanes lanes, unsigned most_threads,
                                                  jit::GridStride grid_stride, const Wish& wish) const;
    [[nodiscard]] jit::BlockCandidates block_candidates(unsigned extent);
    /// Lanes along y for such blocks; one: there are none, or those in x are better.
    [[nodiscard]] jit::Lanes lanes_along_y(BlockRows block, const Wish& wish);

    std::atomic<int> max_dynamic_shared_ = 0;
    std::atomic<int> carveout_ = -1;
    std::atomic<bool> large_clusters_ = false;
    std::array<std::atomic<int>, 3> cluster_{}; ///< as set; 0: not
    std::atomic<int> cluster_policy_ = 0;
    std::mutex legacy_mutex_;
    Legacy legacy_;
    std::mutex mutex_;
    /// What code does besides running: whether accesses are checked and traced, and values followed; which results are
    /// tested; whether it is profiled; whether all reads are traced, and waits followed.
    using Instruments = std::tuple<bool, bool, bool, jit::ArithmeticTests, bool, bool, bool>;
    [[nodiscard]] static Instruments instruments_of(const jit::Options& options);
    /// Whether threads wait in loops for each other, by barrier objects or otherwise.
    [[nodiscard]] bool waits_in_loops() const;
    [[nodiscard]] bool module_launches_kernels() const;
    mutable std::once_flag waits_once_, launches_once_, turns_once_;
    mutable float turns_ = 1;
    mutable bool waits_in_loops_ = false, module_launches_kernels_ = false;
    /// With one lane.
    std::map<std::pair<jit::AccessReports, Instruments>, Code> compiled_;
    /// With several lanes, by their number, whether they are neighbours in y, bound of threads and order; none: the
    /// kernel cannot have so many, or gains nothing by them.
    std::map<std::tuple<unsigned, bool, unsigned, jit::GridStride, Instruments>, Code> side_by_side_;
    std::map<unsigned, jit::BlockCandidates> block_candidates_; ///< by the power of two that extents are rounded up to
    std::shared_ptr<const jit::CompiledKernel> to_step_;
    /// What compiled_for() answers for good, for launches without checks and without a profile.
    struct Answer {
        BlockRows block;
        std::shared_ptr<const jit::CompiledKernel> kernel;
    };
    void keep_answer(BlockRows block, jit::GridStride grid_stride,
                     const std::shared_ptr<const jit::CompiledKernel>& kernel);
    std::array<std::deque<Answer>, 2> answers_;               ///< by order; each stays where it is
    std::array<std::atomic<const Answer*>, 2> last_answer_{}; ///< the same: most launches ask for it again
    jit::LaneCandidates candidates_;
    /// candidates_along_y(), found when it is first asked for.
    std::optional<std::optional<jit::LaneCandidates>> candidates_along_y_;
    std::atomic<bool> logged_extent_ = false; ///< blocks that allow one lane only are logged once
};

class Module {
public:
    /// From PTX text. Fills the log and throws the driver's codes. `other` is a module of the same text in another
    /// context, whose managed variables it shares.
    [[nodiscard]] static std::shared_ptr<Module> load(Context& context, std::string_view ptx, LoadLog& log,
                                                      const Module* other = nullptr);
    /// The kernels that a module of this text would have. Throws as load().
    [[nodiscard]] static std::vector<std::string> kernel_names(std::string_view ptx, LoadLog& log);
    Module(Context& owner, ptx::Module parsed, std::string digest, const Module* other);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    Context& context;
    const std::shared_ptr<const ptx::Module> kept_ptx; ///< for what may go on when this module has gone
    const ptx::Module& ptx;
    const std::string source; ///< jit::digest() of its text
    const jit::VariableAddresses& addresses() const { return addresses_; }

    /// Null where there is no such kernel.
    [[nodiscard]] Function* kernel(std::string_view name);
    [[nodiscard]] std::vector<Function*> kernels();
    struct Global {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
    };
    [[nodiscard]] std::optional<Global> global(std::string_view name) const;
    /// The reference of a `.texref` or `.surfref` variable; null where there is none.
    [[nodiscard]] TextureReference* texture_reference(std::string_view name) const;
    [[nodiscard]] SurfaceReference* surface_reference(std::string_view name) const;
    /// Gives the variables' memory back.
    void unload();

private:
    void place_variables(const Module* other);
    void make_references();

    jit::VariableAddresses addresses_;
    std::vector<std::uint64_t> allocations_;
    std::map<std::string, std::shared_ptr<TextureReference>, std::less<>> texture_references_;
    std::map<std::string, std::shared_ptr<SurfaceReference>, std::less<>> surface_references_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<Function>> functions_;
};

/// A function, with its module kept alive.
struct FunctionReference {
    std::shared_ptr<Module> module;
    Function* function = nullptr;
};
/// No module where the handle is none of a loaded module's function. library.hpp knows kernels of libraries too.
[[nodiscard]] FunctionReference loaded_function(CUfunction handle);
/// Counts how often handles of functions and kernels went out of use: what was found before may be gone.
[[nodiscard]] std::atomic<std::uint64_t>& handles_taken_away();
void unload_all(const Context& context);
void unload(const std::shared_ptr<Module>& module);

} // namespace warplight::software
