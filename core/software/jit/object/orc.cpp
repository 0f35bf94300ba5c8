// SPDX-License-Identifier: Apache-2.0
#include "orc.hpp"

#include "files/thread_object.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/abi/round_steps.hpp"
#include "software/jit/abi/texture_abi.hpp"
#include "software/jit/library/fused.hpp"
#include "software/jit/library/math_library.hpp"
#include "software/jit/library/matrix_library.hpp"

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#ifdef __MINGW32__
extern "C" void ___chkstk_ms(); // from the compiler's own library: touches each page of a large frame
#endif
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__clang__)
// From the compiler's own library; only their addresses are used.
extern "C" {
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
}
#endif

namespace warplight::jit {

namespace orc = llvm::orc;

namespace {

/// What the session said of this thread's last failure. The error that is returned tells only which symbols it
/// concerns.
std::string& reported() {
    struct Reported;
    return files::thread_object<std::string, Reported>();
}

void check(llvm::Error error) {
    if (!error) return;
    std::string text = "linking a kernel: " + llvm::toString(std::move(error));
    if (!reported().empty()) text += ": " + std::exchange(reported(), {});
    throw std::runtime_error(text);
}

template <class T>
T take(llvm::Expected<T> value) {
    if (!value) check(value.takeError());
    return std::move(*value);
}

/// Functions that LLVM calls for loops that copy or fill, and for instructions that older processors lack. The process
/// may not export them, so they are bound here.
std::vector<std::pair<const char*, void*>> host_library() {
    const auto real = [](double (*f)(double)) { return reinterpret_cast<void*>(f); };
    const auto single = [](float (*f)(float)) { return reinterpret_cast<void*>(f); };
    std::vector<std::pair<const char*, void*>> table = {
        {"memcpy", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy))},
        {"memmove", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove))},
        {"memset", reinterpret_cast<void*>(static_cast<void* (*)(void*, int, std::size_t)>(&std::memset))},
        {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&fused))},
        {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&fused))},
        {"fmod", reinterpret_cast<void*>(static_cast<double (*)(double, double)>(&std::fmod))},
        {"fmodf", reinterpret_cast<void*>(static_cast<float (*)(float, float)>(&std::fmod))},
        {"floor", real(&std::floor)},
        {"floorf", single(&std::floor)},
        {"ceil", real(&std::ceil)},
        {"ceilf", single(&std::ceil)},
        {"trunc", real(&std::trunc)},
        {"truncf", single(&std::trunc)},
        {"rint", real(&std::rint)},
        {"rintf", single(&std::rint)},
        {"nearbyint", real(&std::nearbyint)},
        {"nearbyintf", single(&std::nearbyint)},
        {"round", real(&std::round)},
        {"roundf", single(&std::round)},
        {"sqrt", real(&std::sqrt)},
        {"sqrtf", single(&std::sqrt)},
    };
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__clang__)
    table.insert(table.end(), {{"__extendhfsf2", reinterpret_cast<void*>(&__extendhfsf2)},
                               {"__truncsfhf2", reinterpret_cast<void*>(&__truncsfhf2)},
                               {"__truncdfhf2", reinterpret_cast<void*>(&__truncdfhf2)}});
#endif
#ifdef __MINGW32__
    table.emplace_back("___chkstk_ms", reinterpret_cast<void*>(&___chkstk_ms));
#endif
    return table;
}

/// One for the process. It is never destroyed, because kernels may be freed at the very end of the process.
class Session {
public:
    static Session& instance() {
        static Session* session = new Session;
        return *session;
    }

    /// Its code finds all functions of the device.
    orc::JITDylib& make_library() {
        orc::JITDylib& library = session.createBareJITDylib("kernel " + std::to_string(count_.fetch_add(1)));
        library.addToLinkOrder(device_);
        return library;
    }

    void define(orc::JITDylib& library, const std::vector<Symbol>& variables) {
        if (variables.empty()) return;
        orc::SymbolMap symbols;
        for (const Symbol& v : variables)
            symbols[session.intern(v.name)] = exported(v.address);
        check(library.define(orc::absoluteSymbols(std::move(symbols))));
    }

    orc::ExecutionSession session;
    orc::ObjectLinkingLayer layer;

private:
    Session()
        : session(take(orc::SelfExecutorProcessControl::Create())),
          layer(session, session.getExecutorProcessControl().getMemMgr()),
          device_(session.createBareJITDylib("device")) {
        session.setErrorReporter([](llvm::Error error) { reported() = llvm::toString(std::move(error)); });
        define_device();
    }

    static orc::ExecutorSymbolDef exported(std::uint64_t address) {
        return {orc::ExecutorAddr(address), llvm::JITSymbolFlags::Exported};
    }

    void define_device() {
        orc::SymbolMap symbols;
        const auto add = [&](llvm::StringRef name, std::uint64_t address) {
            symbols[session.intern(name)] = exported(address);
        };
        const auto code = [&](const char* name, auto* function) {
            add(name, reinterpret_cast<std::uint64_t>(function));
        };
        code("wl_rt_fault", &software::wl_rt_fault);
        code("wl_rt_misaligned", &software::wl_rt_misaligned);
        code("wl_rt_vprintf", &software::wl_rt_vprintf);
        code("wl_rt_hold_store", &software::wl_rt_hold_store);
        code("wl_rt_malloc", &software::wl_rt_malloc);
        code("wl_rt_free", &software::wl_rt_free);
        code("wl_rt_assertfail", &software::wl_rt_assertfail);
        code("wl_rt_frame_alloc", &software::wl_rt_frame_alloc);
        code("wl_rt_frame_free", &software::wl_rt_frame_free);
        code("wl_rt_local_alloc", &software::wl_rt_local_alloc);
        code("wl_rt_local_free", &software::wl_rt_local_free);
        code("wl_rt_local_enter", &software::wl_rt_local_enter);
        code("wl_rt_local_leave", &software::wl_rt_local_leave);
        code("wl_rt_barrier_arrive", &software::wl_rt_barrier_arrive);
        code("wl_rt_device_call", &software::wl_rt_device_call);
        code("wl_rt_cluster_arrive", &software::wl_rt_cluster_arrive);
        code("wl_rt_stack_alloc", &software::wl_rt_stack_alloc);
        code("wl_rt_access", &software::wl_rt_access);
        code("wl_rt_check_access", &software::wl_rt_check_access);
        code("wl_rt_trace_access", &software::wl_rt_trace_access);
        code("wl_rt_trace_copies", &software::wl_rt_trace_copies);
        code("wl_rt_move_tile", &software::wl_rt_move_tile);
        code("wl_rt_profile_access", &software::wl_rt_profile_access);
        code("wl_rt_profile_block", &software::wl_rt_profile_block);
        code("wl_rt_profile_call", &software::wl_rt_profile_call);
        code("wl_rt_trace_fence", &software::wl_rt_trace_fence);
        code("wl_rt_trace_warp", &software::wl_rt_trace_warp);
        code("wl_rt_wait", &software::wl_rt_wait);
        code("wl_rt_arithmetic", &software::wl_rt_arithmetic);
        code("wl_rt_uninitialised", &software::wl_rt_uninitialised);
        code("wl_rt_uninitialised_sums", &software::wl_rt_uninitialised_sums);
        code("wl_rt_step_write", &software::wl_rt_step_write);
        code("wl_rt_clock64", &software::wl_rt_clock64);
        code("wl_rt_globaltimer", &software::wl_rt_globaltimer);
        code("wl_rt_texture", &software::wl_rt_texture);
        code("wl_rt_surface", &software::wl_rt_surface);
        code("wl_rt_plain_texture", &software::wl_rt_plain_texture);
        code("wl_rt_plain_surface", &software::wl_rt_plain_surface);
        code("wl_rt_checked_texture", &software::wl_rt_checked_texture);
        code("wl_rt_checked_surface", &software::wl_rt_checked_surface);
        code("wl_rt_usable_texture", &software::wl_rt_usable_texture);
        code("wl_rt_usable_surface", &software::wl_rt_usable_surface);
        code("wl_rt_shadowed_texture", &software::wl_rt_shadowed_texture);
        code("wl_rt_shadowed_surface", &software::wl_rt_shadowed_surface);
        code("wl_rt_texture_shows", &software::wl_rt_texture_shows);
        code("wl_rt_no_texture", &software::wl_rt_no_texture);
        code("wl_rt_no_surface", &software::wl_rt_no_surface);
        code("wl_rt_tex", &software::wl_rt_tex);
        code("wl_rt_tex_fetch", &software::wl_rt_tex_fetch);
        code("wl_rt_tex_request", &software::wl_rt_tex_request);
        code("wl_rt_tex_lanes", &software::wl_rt_tex_lanes);
        code("wl_rt_tex_fetch_lanes", &software::wl_rt_tex_fetch_lanes);
        code("wl_rt_half_of", &software::wl_rt_half_of);
        code("wl_rt_txq", &software::wl_rt_txq);
        code("wl_rt_suq", &software::wl_rt_suq);
        code("wl_rt_istypep", &software::wl_rt_istypep);
        code("wl_rt_suld", &software::wl_rt_suld);
        code("wl_rt_sust", &software::wl_rt_sust);
        code("wl_rt_sust_formatted", &software::wl_rt_sust_formatted);
        code("wl_rt_sured", &software::wl_rt_sured);
        for (const auto& [name, address] : host_library())
            add(name, reinterpret_cast<std::uint64_t>(address));
        for (const LibraryFunction& f : math_library())
            add(f.name, reinterpret_cast<std::uint64_t>(f.address));
        code("wl_matrix_multiply", &wl_matrix_multiply);
        code("wl_round_apart", &wl_round_apart);
        code("wl_round_tell", &wl_round_tell);
        check(device_.define(orc::absoluteSymbols(std::move(symbols))));
        device_.addGenerator(take(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
    }

    orc::JITDylib& device_;
    std::atomic<std::uint64_t> count_{0};
};

class Loaded final : public LoadedObject {
public:
    Loaded(std::unique_ptr<llvm::MemoryBuffer> object, const std::vector<const char*>& entries,
           const std::vector<Symbol>& variables)
        : library_(Session::instance().make_library()) {
        Session& s = Session::instance();
        try {
            s.define(library_, variables);
            check(s.layer.add(library_, std::move(object)));
            for (const char* entry : entries)
                entries_.push_back(
                    take(s.session.lookup({&library_}, s.session.intern(entry))).getAddress().getValue());
        } catch (...) {
            remove();
            throw;
        }
    }
    ~Loaded() override { remove(); }
    [[nodiscard]] std::uint64_t entry(std::size_t number) const override { return entries_.at(number); }

private:
    void remove() { llvm::consumeError(Session::instance().session.removeJITDylib(library_)); }

    orc::JITDylib& library_;
    std::vector<std::uint64_t> entries_;
};

} // namespace

std::unique_ptr<LoadedObject> load_object(std::unique_ptr<llvm::MemoryBuffer> object,
                                          const std::vector<const char*>& entries,
                                          const std::vector<Symbol>& variables) {
    return std::make_unique<Loaded>(std::move(object), entries, variables);
}

} // namespace warplight::jit
