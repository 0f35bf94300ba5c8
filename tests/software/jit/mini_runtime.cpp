// SPDX-License-Identifier: Apache-2.0
#include "mini_runtime.hpp"

#include "software/jit/abi/texture_abi.hpp"
#include "software/jit/library/matrix_library.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <csetjmp>
#include <cstdlib>

namespace sw = warplight::software;
namespace ptx = warplight::ptx;
namespace jit = warplight::jit;

namespace {

/// Frames of one size, one behind the other, as the scheduler has them.
class Slab {
public:
    void begin(std::size_t count) {
        count_ = count;
        used_ = each_ = 0;
    }
    void* take(std::uint64_t size) {
        const std::uint64_t each = (size + sw::kFrameAlignment - 1) / sw::kFrameAlignment * sw::kFrameAlignment;
        if (!each_) {
            each_ = each;
            memory_.reset(static_cast<std::byte*>(::operator new(each * count_, kAlignment)));
        }
        if (each != each_ || used_ == count_) return nullptr;
        return memory_.get() + each_ * used_++;
    }
    [[nodiscard]] bool holds(const void* frame) const {
        const auto* at = static_cast<const std::byte*>(frame);
        return each_ && at >= memory_.get() && at < memory_.get() + each_ * count_;
    }

private:
    static constexpr std::align_val_t kAlignment{sw::kFrameAlignment};
    struct Deleter {
        void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
    };
    std::unique_ptr<std::byte, Deleter> memory_;
    std::size_t count_ = 0, used_ = 0;
    std::uint64_t each_ = 0;
};

struct State {
    std::jmp_buf leave;
    mini::Outcome* outcome = nullptr;
    std::vector<void*> frames;
    std::map<std::uint32_t, std::uint32_t> arrived; ///< by barrier
    sw::RoundControl control;
    Slab slab;                       ///< of a block's frames
    std::uint64_t cluster_phase = 1; ///< of the barrier of a cluster that is one block
    std::uint64_t local_used = 0;
    std::shared_ptr<void> threads;
};
thread_local State* current = nullptr;

/// Local memory of all functions that a host thread runs, and of all threads of a block.
struct alignas(sw::kLocalAlignment) LocalMemory {
    std::array<std::byte, std::size_t{16} << 20> bytes;
};
LocalMemory& local_memory() {
    thread_local const auto memory = std::make_unique<LocalMemory>();
    return *memory;
}

std::byte* take_local(std::uint64_t size) {
    std::byte* memory = local_memory().bytes.data() + current->local_used;
    current->local_used += (size + sw::kLocalAlignment - 1) / sw::kLocalAlignment * sw::kLocalAlignment;
    if (current->local_used > sizeof(LocalMemory)) std::abort();
    return memory;
}

/// The state of the launch that runs on this thread, for as long as it runs.
class Running {
public:
    explicit Running(State& state) { current = &state; }
    ~Running() { current = nullptr; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

// Without a frame Windows does not unwind on the way, for which the kernel's code has no tables.
#ifdef __MINGW32__
#define SET_PLACE(buffer) _setjmp(buffer, nullptr)
#else
#define SET_PLACE(buffer) setjmp(buffer)
#endif

[[noreturn]] void leave(mini::Fault fault) {
    current->outcome->fault = std::move(fault);
    std::longjmp(current->leave, 1);
}

} // namespace

namespace warplight::software {
extern "C" {
void wl_rt_fault(BlockContext*, std::uint32_t linear, std::uint32_t fault, std::uint32_t site) {
    leave({linear, static_cast<Fault>(fault), site, {}});
}
void wl_rt_misaligned(BlockContext*, std::uint32_t linear, std::uint32_t site, std::uint64_t, std::uint32_t) {
    leave({linear, Fault::misaligned, site, {}});
}
std::int32_t wl_rt_vprintf(BlockContext*, const char* format, const void* arguments) {
    // Enough for the tests: %d alone.
    const auto* values = static_cast<const std::byte*>(arguments);
    for (const char* c = format; *c; ++c) {
        if (c[0] == '%' && c[1] == 'd') {
            std::int32_t value;
            std::memcpy(&value, values, sizeof value);
            values += sizeof value;
            current->outcome->printed += std::to_string(value);
            ++c;
        } else {
            current->outcome->printed += *c;
        }
    }
    return 0;
}
void* wl_rt_malloc(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t size) { return std::malloc(size); }
void wl_rt_free(BlockContext*, std::uint32_t, std::uint32_t, void* pointer) { std::free(pointer); }
void wl_rt_assertfail(BlockContext*, std::uint32_t linear, std::uint32_t site, const char* message, const char* file,
                      std::uint32_t line, const char*) {
    leave({linear, Fault::assertion, site, std::string(file) + ":" + std::to_string(line) + ": " + message});
}
void* wl_rt_frame_alloc(BlockContext*, std::uint64_t size) {
    if (void* frame = current->slab.take(size)) return frame;
    void* frame = ::operator new(size, std::align_val_t{64});
    current->frames.push_back(frame);
    return frame;
}
void wl_rt_frame_free(BlockContext*, void* frame, std::uint64_t) {
    if (current->slab.holds(frame)) return;
    std::erase(current->frames, frame);
    ::operator delete(frame, std::align_val_t{64});
}
void wl_rt_barrier_arrive(ThreadContext* thread) {
    ++current->arrived[thread->mask];
    current->control.rounds = 0;
}
// A block is a cluster by itself; for larger ones see cluster_test.
void wl_rt_cluster_arrive(ThreadContext* thread) { thread->cluster_phase = current->cluster_phase; }
void* wl_rt_stack_alloc(BlockContext*, std::uint64_t size, std::uint64_t) { return take_local(size); }
void* wl_rt_local_alloc(BlockContext*, std::uint64_t size) { return take_local(size); }
void wl_rt_local_free(BlockContext*, void*, std::uint64_t) {}
void* wl_rt_local_enter(std::uint64_t size) { return take_local(size); }
void wl_rt_local_leave(std::uint64_t size) { current->local_used -= size; }
void* wl_rt_access(void* address, std::uint64_t, std::uint32_t, std::uint32_t) { return address; }
std::uint32_t wl_rt_check_access(BlockContext*, std::uint32_t, std::uint32_t active, const std::uint64_t*,
                                 std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t,
                                 const std::uint32_t*) {
    return active;
}
void wl_rt_trace_access(BlockContext*, std::uint32_t, std::uint32_t, const std::uint64_t*, const std::byte*,
                        std::uint32_t, std::uint32_t, const std::uint32_t*) {}
void wl_rt_trace_copies(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
void wl_rt_move_tile(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t) {}
void wl_rt_trace_fence(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
void wl_rt_trace_warp(BlockContext*, std::uint32_t, std::uint32_t, const std::uint32_t*, std::uint32_t) {}
void wl_rt_wait(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t) {}
void wl_rt_arithmetic(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
void wl_rt_uninitialised(BlockContext*, std::uint32_t, std::uint32_t, const std::uint64_t*, std::uint32_t,
                         std::uint32_t) {}
void wl_rt_uninitialised_sums(BlockContext*, std::uint32_t, std::uint32_t, std::byte*, const std::byte*, std::uint64_t,
                              std::uint32_t) {}
void wl_rt_profile_access(BlockContext*, std::uint32_t, std::uint32_t, const std::uint64_t*, std::uint32_t,
                          std::uint32_t) {}
void wl_rt_profile_block(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t) {}
void wl_rt_profile_call(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t) {}
void wl_rt_step_write(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t) {}
std::uint64_t wl_rt_clock64(void) {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
std::uint64_t wl_rt_globaltimer(void) { return wl_rt_clock64(); }
// Nor other grids: no launch is taken.
std::uint64_t wl_rt_device_call(BlockContext*, std::uint32_t, std::uint32_t, std::uint32_t, const std::uint64_t*) {
    return 0;
}
// There are no textures here: every handle is wrong, and without one nothing else is asked.
const void* wl_rt_texture(std::uint64_t) { return nullptr; }
const void* wl_rt_surface(std::uint64_t) { return nullptr; }
const void* wl_rt_plain_texture(std::uint64_t) {
    static const PlainTexture gone = [] {
        PlainTexture none{};
        none.kinds = PlainTexture::gone;
        return none;
    }();
    return &gone;
}
const void* wl_rt_plain_surface(std::uint64_t) {
    static const PlainSurface none{};
    return &none;
}
const void* wl_rt_checked_texture(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t) {
    return nullptr;
}
const void* wl_rt_checked_surface(BlockContext*, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t) {
    return nullptr;
}
const void* wl_rt_usable_texture(std::uint64_t) { return nullptr; }
const void* wl_rt_usable_surface(std::uint64_t) { return nullptr; }
const void* wl_rt_shadowed_texture(std::uint64_t) { std::abort(); }
const void* wl_rt_shadowed_surface(std::uint64_t) { std::abort(); }
std::uint32_t wl_rt_texture_shows(std::uint64_t, std::uint64_t, std::uint64_t) { return 0; }
void wl_rt_no_texture(std::uint32_t linear, std::uint32_t site) {
    leave({linear, Fault::illegal_address, site, "texture"});
}
void wl_rt_no_surface(std::uint32_t linear, std::uint32_t site) {
    leave({linear, Fault::illegal_address, site, "surface"});
}
std::uint32_t wl_rt_txq(std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t linear, std::uint32_t site) {
    leave({linear, Fault::illegal_address, site, "texture"});
}
std::uint32_t wl_rt_suq(std::uint64_t, std::uint32_t, std::uint32_t linear, std::uint32_t site) {
    leave({linear, Fault::illegal_address, site, "surface"});
}
std::uint32_t wl_rt_istypep(std::uint64_t, std::uint32_t) { return 0; }
void wl_rt_tex(const void*, std::uint32_t, std::uint32_t, float, float, float, float, std::uint32_t*) { std::abort(); }
void wl_rt_tex_fetch(const void*, std::int32_t, std::uint32_t*) { std::abort(); }
void wl_rt_tex_lanes(const void*, std::uint32_t, const TextureLanes*) { std::abort(); }
void wl_rt_tex_fetch_lanes(const void*, const TextureLanes*) { std::abort(); }
void wl_rt_tex_request(const void*, const TextureRequest*, std::uint32_t*) { std::abort(); }
std::uint16_t wl_rt_half_of(std::uint32_t) { std::abort(); }
void wl_rt_suld(const void*, const SurfaceRequest*, std::uint32_t, void*) { std::abort(); }
void wl_rt_sust(const void*, const SurfaceRequest*, std::uint32_t, const void*) { std::abort(); }
void wl_rt_sust_formatted(const void*, const SurfaceRequest*, std::uint32_t, const std::uint32_t*) { std::abort(); }
void wl_rt_sured(const void*, const SurfaceRequest*, std::uint32_t, std::uint32_t, std::uint64_t) { std::abort(); }
std::uint32_t wl_rt_hold_store(BlockContext*, const std::uint64_t*, const std::uint32_t*, std::uint32_t) {
    std::abort();
}
}
} // namespace warplight::software

namespace {

using sw::ThreadContext;
using sw::Wait;
using sw::WarpOperation;

/// The threads of a block, resumed in turn.
class Block {
public:
    Block(const jit::CompiledKernel& kernel, sw::BlockContext& block) {
        const sw::LaunchContext& launch = *block.launch;
        if (kernel.width() > 1) round_ = kernel.run_round();
        const std::uint32_t width = kernel.width(); // a coroutine may run several threads side by side
        threads_.resize(launch.block_threads / width);
        for (std::uint32_t k = 0; k < threads_.size(); ++k) {
            ThreadContext& t = threads_[k];
            t = {};
            t.block = &block;
            const std::uint32_t linear = k * width;
            t.linear = linear;
            t.tid[0] = linear % launch.ntid[0];
            t.tid[1] = linear / launch.ntid[0] % launch.ntid[1];
            t.tid[2] = linear / launch.ntid[0] / launch.ntid[1];
        }
        current->slab.begin(threads_.size());
        for (ThreadContext& t : threads_)
            handles_.push_back(kernel.start_thread()(&t));
    }

    /// False: nobody can go on.
    bool run() {
        for (;;) {
            bool any = false;
            if (can_go_round()) {
                if (go_round() == sw::RoundEnd::done) return true;
                any = true;
            }
            for (std::uint32_t k = 0; k < threads_.size(); ++k) {
                if (!can_run(threads_[k].wait)) continue;
                threads_[k].wait = Wait::running;
                (*static_cast<void (**)(void*)>(handles_[k]))(handles_[k]);
                any = true;
            }
            if (std::all_of(threads_.begin(), threads_.end(), [](auto& t) { return t.wait == Wait::done; }))
                return true;
            const bool barriers = release_barriers();
            const bool clusters = release_cluster();
            const bool released = release_warps(false) || barriers || clusters;
            if (!any && !released && !release_warps(true)) return false;
        }
    }

private:
    /// All run, and their frames are equally far apart. One thread at a time is the second opinion, and has no rounds.
    [[nodiscard]] bool can_go_round() const {
        for (std::size_t k = 2; k < handles_.size(); ++k)
            if (address(k) - address(k - 1) != address(1) - address(0)) return false;
        return round_ && threads_.size() > 1 &&
               std::all_of(threads_.begin(), threads_.end(), [](auto& t) { return can_run(t.wait); });
    }
    [[nodiscard]] std::uint64_t address(std::size_t k) const { return reinterpret_cast<std::uint64_t>(handles_[k]); }

    sw::RoundEnd go_round() {
        static const std::atomic<bool> never = false;
        const bool none_arrived =
            std::all_of(current->arrived.begin(), current->arrived.end(), [](const auto& a) { return a.second == 0; });
        current->control.current = 0;
        current->control.rounds = none_arrived ? 2 : 0;
        current->control.begins = std::exchange(begins_, false);
        current->control.stop = &never;
        for (ThreadContext& t : threads_)
            t.wait = Wait::running;
        return round_(handles_.front(), handles_.back(), address(1) - address(0), &current->control);
    }

    static bool can_run(Wait wait) { return wait == Wait::running || wait == Wait::yield || wait == Wait::grid_stride; }

    bool release_barriers() {
        std::map<std::uint32_t, std::vector<ThreadContext*>> waiting;
        std::uint32_t alive = 0;
        for (ThreadContext& t : threads_) {
            alive += t.wait != Wait::done;
            if (t.wait == Wait::barrier) waiting[t.mask].push_back(&t);
        }
        bool any = false;
        for (auto& [number, members] : waiting) {
            const std::uint32_t wanted = members[0]->b ? members[0]->b : alive;
            if (members.size() + current->arrived[number] < wanted) continue;
            std::uint64_t count = 0;
            for (ThreadContext* t : members)
                count += t->value & 1;
            for (ThreadContext* t : members) {
                switch (static_cast<sw::BarrierOperation>(t->operation)) {
                case sw::BarrierOperation::reduce_popc: t->result = count; break;
                case sw::BarrierOperation::reduce_and: t->result = count == members.size(); break;
                case sw::BarrierOperation::reduce_or: t->result = count != 0; break;
                default: break;
                }
                t->wait = Wait::running;
            }
            current->arrived[number] = 0;
            any = true;
        }
        return any;
    }

    /// Those that have ended count as arrived.
    bool release_cluster() {
        const std::uint64_t phase = current->cluster_phase;
        const auto has_arrived = [&](const ThreadContext& t) {
            return t.wait == Wait::done || t.cluster_phase == phase;
        };
        if (std::all_of(threads_.begin(), threads_.end(), has_arrived)) ++current->cluster_phase;
        bool any = false;
        for (ThreadContext& t : threads_) {
            if (t.wait != Wait::cluster || t.cluster_phase == current->cluster_phase) continue;
            t.wait = Wait::running;
            any = true;
        }
        return any;
    }

    bool release_warps(bool nothing_runs) {
        bool any = false;
        for (std::size_t first = 0; first < threads_.size(); first += 32) {
            const std::size_t lanes = std::min<std::size_t>(32, threads_.size() - first);
            for (std::size_t k = 0; k < lanes; ++k) {
                ThreadContext& t = threads_[first + k];
                if (t.wait != Wait::warp) continue;
                const auto operation = static_cast<WarpOperation>(t.operation);
                std::uint32_t members = 0, alive = 0;
                for (std::size_t l = 0; l < lanes; ++l) {
                    const ThreadContext& o = threads_[first + l];
                    if (o.wait != Wait::done) alive |= 1u << l;
                    if (o.wait == Wait::warp && o.operation == t.operation && (o.site == t.site || o.mask == t.mask))
                        members |= 1u << l;
                }
                if (operation == WarpOperation::activemask) {
                    if (!nothing_runs) continue;
                    for (std::size_t l = 0; l < lanes; ++l)
                        if (members >> l & 1 && threads_[first + l].site != t.site) members &= ~(1u << l);
                } else {
                    members &= t.mask;
                    if (members != (t.mask & alive)) continue;
                }
                answer(&threads_[first], lanes, members, operation);
                any = true;
            }
        }
        return any;
    }

    static void answer(ThreadContext* warp, std::size_t lanes, std::uint32_t members, WarpOperation operation) {
        if (operation >= WarpOperation::matrix_multiply) {
            jit::perform_matrix(operation, warp, members);
            for (std::size_t l = 0; l < lanes; ++l)
                if (members >> l & 1) warp[l].wait = Wait::running;
            return;
        }
        std::array<std::uint64_t, 32> values{};
        for (std::size_t l = 0; l < lanes; ++l)
            values[l] = warp[l].value;
        const auto each = [&](auto f) {
            for (std::uint32_t l = 0; l < lanes; ++l)
                if (members >> l & 1) f(l);
        };
        std::uint32_t ballot = 0;
        each([&](std::uint32_t l) { ballot |= static_cast<std::uint32_t>(values[l] & 1) << l; });
        const auto reduce = [&](auto op, std::uint32_t start) {
            std::uint32_t sum = start;
            each([&](std::uint32_t l) { sum = op(sum, static_cast<std::uint32_t>(values[l])); });
            return sum;
        };
        each([&](std::uint32_t l) {
            ThreadContext& t = warp[l];
            t.wait = Wait::running;
            const auto shuffle = [&](int source, bool good) {
                t.predicate = good;
                // As the device has it, who asks for a lane that takes no part gets its own value.
                const bool there = good && (members >> (source & 31) & 1) != 0;
                t.result = values[there ? source & 31 : static_cast<int>(l)];
            };
            const int lane = static_cast<int>(l), b = static_cast<int>(t.b & 31), c = static_cast<int>(t.c & 31);
            const int segment = static_cast<int>(t.c >> 8 & 31);
            const int low = lane & segment, high = low | (c & ~segment);
            switch (operation) {
            case WarpOperation::sync:
            case WarpOperation::matrix_multiply: // before
            case WarpOperation::matrix_rows:
            case WarpOperation::matrix_transpose: break;
            case WarpOperation::activemask: t.result = members; break;
            case WarpOperation::shuffle_up: shuffle(lane - b, lane - b >= high); break;
            case WarpOperation::shuffle_down: shuffle(lane + b, lane + b <= high); break;
            case WarpOperation::shuffle_bfly: shuffle(lane ^ b, (lane ^ b) <= high); break;
            case WarpOperation::shuffle_idx: shuffle(low | (b & ~segment), (low | (b & ~segment)) <= high); break;
            case WarpOperation::vote_all: t.result = ballot == members; break;
            case WarpOperation::vote_any: t.result = ballot != 0; break;
            case WarpOperation::vote_uni: t.result = ballot == 0 || ballot == members; break;
            case WarpOperation::vote_ballot: t.result = ballot; break;
            case WarpOperation::match_any32:
            case WarpOperation::match_any64:
                t.result = 0;
                each([&](std::uint32_t o) { t.result |= std::uint64_t{values[o] == values[l]} << o; });
                break;
            case WarpOperation::match_all32:
            case WarpOperation::match_all64: {
                bool same = true;
                each([&](std::uint32_t o) { same &= values[o] == values[l]; });
                t.result = same ? members : 0;
                t.predicate = same;
                break;
            }
            case WarpOperation::reduce_add: t.result = reduce([](auto x, auto y) { return x + y; }, 0); break;
            case WarpOperation::reduce_and: t.result = reduce([](auto x, auto y) { return x & y; }, ~0u); break;
            case WarpOperation::reduce_or: t.result = reduce([](auto x, auto y) { return x | y; }, 0); break;
            case WarpOperation::reduce_xor: t.result = reduce([](auto x, auto y) { return x ^ y; }, 0); break;
            case WarpOperation::reduce_min_u32:
                t.result = reduce([](auto x, auto y) { return std::min(x, y); }, ~0u);
                break;
            case WarpOperation::reduce_max_u32:
                t.result = reduce([](auto x, auto y) { return std::max(x, y); }, 0);
                break;
            case WarpOperation::reduce_min_s32:
                t.result = reduce([](auto x, auto y) { return static_cast<int>(x) < static_cast<int>(y) ? x : y; },
                                  0x7fffffffu);
                break;
            case WarpOperation::reduce_max_s32:
                t.result = reduce([](auto x, auto y) { return static_cast<int>(x) > static_cast<int>(y) ? x : y; },
                                  0x80000000u);
                break;
            case WarpOperation::elect:
                t.result = static_cast<std::uint32_t>(std::countr_zero(members));
                t.predicate = t.result == l;
                break;
            }
        });
    }

    std::vector<ThreadContext> threads_;
    std::vector<void*> handles_;
    jit::CompiledKernel::RunRound round_ = nullptr;
    bool begins_ = true;
};

/// Nothing lives here across the jump out of a fault.
void run_block(const jit::CompiledKernel& kernel, sw::BlockContext& block) {
    if (SET_PLACE(current->leave)) return;
    if (kernel.mode() == jit::Mode::loop) {
        kernel.run_block()(&block);
        return;
    }
    current->threads = std::make_shared<Block>(kernel, block);
    if (!static_cast<Block*>(current->threads.get())->run()) current->outcome->deadlock = true;
}

} // namespace

namespace mini {

Program::Program(std::string_view text) : source_(jit::digest(text, "tests")) {
    auto parsed = ptx::parse(text);
    if (auto* error = std::get_if<ptx::ParseError>(&parsed)) throw std::runtime_error(error->message);
    module_ = std::move(std::get<ptx::Module>(parsed));
    for (const ptx::Function& f : module_.functions)
        for (const ptx::Instruction& i : f.instructions)
            if (const auto why = jit::unsupported(module_, f, i)) throw std::runtime_error(*why);
    for (const ptx::Variable& v : module_.variables) {
        const std::uint64_t alignment = std::max<std::uint64_t>(v.alignment, 16);
        memory_.emplace_back(v.size + 64 + alignment);
        std::copy(v.initial.begin(), v.initial.end(), memory_.back().begin());
        const bool has_address = v.space == ptx::Space::global || v.space == ptx::Space::constant;
        const auto address =
            (reinterpret_cast<std::uint64_t>(memory_.back().data()) + alignment - 1) / alignment * alignment;
        if (has_address) std::copy(v.initial.begin(), v.initial.end(), reinterpret_cast<std::byte*>(address));
        addresses_.push_back(has_address ? address : 0);
    }
    for (std::size_t k = 0; k < module_.variables.size(); ++k)
        for (const auto& r : module_.variables[k].relocations) {
            const std::uint64_t target =
                (r.is_function ? sw::kFunctionAddressBase + 16ull * r.index : addresses_[r.index]) +
                static_cast<std::uint64_t>(r.addend);
            std::memcpy(reinterpret_cast<std::byte*>(addresses_[k]) + r.offset, &target, r.width);
        }
}

std::unique_ptr<jit::CompiledKernel> Program::compile(std::string_view kernel, jit::Mode mode, std::string cache,
                                                      unsigned width, std::string* why_not,
                                                      unsigned most_threads) const {
    const auto id = module_.find_function(kernel);
    if (!id) throw std::runtime_error("no such kernel");
    jit::Options options;
    options.mode = mode;
    options.cache_directory = std::move(cache);
    options.source = source_;
    options.width = width;
    options.most_threads = most_threads;
    options.gain = jit::Gain::ignored;
    // Quick code side by side, to be compared with fast code of a thread at a time.
    if (width > 1 && std::getenv("WARPLIGHT_TEST_QUICK")) options.begin_fast = [] { return true; };
    jit::Compilation compilation = jit::compile(module_, *id, addresses_, options);
    if (why_not) *why_not = compilation.strategy.obstacle;
    return std::move(compilation.kernel);
}

std::byte* Program::variable(std::string_view name) {
    return reinterpret_cast<std::byte*>(addresses_.at(module_.find_variable(name).value()));
}

Outcome run(const jit::CompiledKernel& kernel, const Launch& launch, const Parameters& parameters) {
    Outcome outcome;
    const std::vector<std::byte> packed = parameters.bytes();
    std::vector<std::byte> window(launch.static_shared + launch.dynamic_shared + 256);
    sw::LaunchContext context{};
    context.local_begin = reinterpret_cast<std::uint64_t>(&local_memory());
    context.local_bytes = sizeof(LocalMemory);
    context.parameters = packed.data();
    for (int axis = 0; axis < 3; ++axis) {
        context.ntid[axis] = launch.block[axis];
        context.nctaid[axis] = launch.grid[axis];
    }
    context.block_threads = launch.block[0] * launch.block[1] * launch.block[2];
    context.static_shared = launch.static_shared;
    context.dynamic_shared = launch.dynamic_shared;
    context.nsmid = 1;
    context.cluster_blocks = 1;
    State state;
    state.outcome = &outcome;
    const Running running(state);
    for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
        for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
            for (std::uint32_t x = 0; x < launch.grid[0]; ++x) {
                state.local_used = 0;
                sw::BlockContext block{};
                block.launch = &context;
                block.shared =
                    reinterpret_cast<std::byte*>((reinterpret_cast<std::uint64_t>(window.data()) + 127) / 128 * 128);
                block.cluster_shared = block.shared;
                block.ctaid[0] = x;
                block.ctaid[1] = y;
                block.ctaid[2] = z;
                if (kernel.mode() == jit::Mode::loop && kernel.joined_threads() != 0) block.joined = launch.grid[0] - x;
                run_block(kernel, block);
                x += std::max(block.joined, 1U) - 1;
                for (void* frame : state.frames)
                    ::operator delete(frame, std::align_val_t{64});
                state.frames.clear();
                if (outcome.fault || outcome.deadlock) return outcome;
            }
    return outcome;
}

} // namespace mini
