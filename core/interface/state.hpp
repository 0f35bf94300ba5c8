// SPDX-License-Identifier: Apache-2.0
// What stands behind the objects of the device interface: shared states, each of which keeps alive what it
// depends on (context before module before function), and the scope that makes a context current for a call.
#pragma once

#include "driver/entry_points.hpp"
#include "warplight/function.hpp"
#include "warplight/handles.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplight::driver::detail {

struct ContextState {
    enum class Ownership { created, primary, foreign };

    std::shared_ptr<const DriverState> driver;
    CUcontext handle = nullptr;
    int device = 0;
    unsigned number = 0; ///< counted from 1 in this process; 0: another library's
    Ownership ownership = Ownership::created;
    std::atomic<bool> valid = true;
    std::atomic<bool> broken = false; ///< a clean-up met a sticky error
    std::atomic<unsigned> streams = 0, events = 0, graphs = 0;

    ContextState() = default;
    ContextState(const ContextState&) = delete;
    ContextState& operator=(const ContextState&) = delete;
    ~ContextState();
    std::string describe() const;
    /// Destroys or releases the context. Returns false when it had ended already.
    bool end(bool report_failure);
};
using ContextPointer = std::shared_ptr<ContextState>;

/// What a ContextRef holds.
struct WeakContext {
    std::weak_ptr<ContextState> context;
};
/// The context, or null when it is gone.
ContextPointer find_context(const ContextRef& reference) noexcept;
/// The same. @throws LogicError when there is none or it has ended.
ContextPointer lock_context(const ContextRef& reference);

/// Makes a context current for the duration of a call. @throws LogicError when it has ended.
class Scope {
public:
    explicit Scope(const ContextState& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    const ContextState& context_;
    bool pushed_ = false;
};

/// The context on top of this thread's stack, for comparing only: it may have ended, and another library may have
/// made another one current since.
inline constinit thread_local const ContextState* top_of_stack = nullptr;

/// The context that calls without one of their own use. @throws LogicError when there is none.
ContextPointer current_context();
/// The same, or null.
ContextPointer find_current_context();
/// This thread's stack.
void push_context(const ContextPointer& context);
void pop_context();
/// Takes a context off this thread's stack wherever it is, and makes the one on top current.
void forget_context(const ContextState& context) noexcept;

/// Runs a call that frees something, in its context. Failures go to the clean-up reporter; a context that has
/// ended has freed everything already.
/// A context that a kernel broke is quiet when that was thrown; else it is said once.
void clean_up(ContextState& context, const char* routine, const std::function<std::string()>& entity,
              const std::function<CUresult()>& call) noexcept;
/// For catch (...) in the destructor of something of a driver: reports all but what a broken context answers.
void report_unless_broken() noexcept;

struct StreamState : std::enable_shared_from_this<StreamState> {
    ContextPointer context;
    CUstream handle = nullptr;
    unsigned number = 0;
    bool owned = true;
    ~StreamState();
    std::string describe() const;
};

struct EventState {
    ContextPointer context;
    CUevent handle = nullptr;
    unsigned number = 0;
    ~EventState();
    std::string describe() const;
};

struct AllocationState {
    ContextPointer context;
    device_ptr address = 0;
    std::size_t size = 0;
    bool imported = false; ///< from another process: closed, not freed
    std::atomic<bool> live = true;
    ~AllocationState();
    std::string describe() const;
};

struct ArrayState {
    ContextPointer context;
    CUarray handle = nullptr;
    bool owned = true;
    std::atomic<bool> live = true;
    Shared<const void> parent; ///< whose array or level this is
    ~ArrayState();
    std::string describe() const { return "array of " + context->describe(); }
};

struct MipmappedArrayState {
    ContextPointer context;
    CUmipmappedArray handle = nullptr;
    unsigned levels = 1;
    std::atomic<bool> live = true;
    ~MipmappedArrayState();
    std::string describe() const { return "mipmapped array of " + context->describe(); }
};

struct TextureObjectState {
    ContextPointer context;
    CUtexObject handle = 0;
    Shared<const void> owner;               ///< of what it reads
    std::array<float, 4> border_color = {}; ///< which drivers do not give back
    std::atomic<bool> live = true;
    ~TextureObjectState();
    std::string describe() const { return "texture object of " + context->describe(); }
};

struct SurfaceObjectState {
    ContextPointer context;
    CUsurfObject handle = 0;
    Shared<const void> owner;
    std::atomic<bool> live = true;
    ~SurfaceObjectState();
    std::string describe() const { return "surface object of " + context->describe(); }
};

struct ModuleState {
    ContextPointer context;
    CUmodule handle = nullptr;
    std::shared_ptr<LibraryState> library; ///< whose module it is: then the driver unloads it
    std::string info_log;
    /// From the PTX, where it was loaded from text.
    std::map<std::string, std::vector<ParameterInfo>> signatures;
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<FunctionState>> functions;
    std::map<std::string, std::shared_ptr<ArrayState>> bound; ///< arrays that its references are bound to
    ~ModuleState();
    std::string describe() const { return "module of " + context->describe(); }
};

struct TextureReferenceState {
    ContextPointer context;
    std::shared_ptr<ModuleState> module; ///< null: it belongs to nobody else
    std::string name;
    CUtexref handle = nullptr;
    std::mutex mutex;
    std::shared_ptr<ArrayState> bound; ///< where there is no module
    ~TextureReferenceState();
    std::string describe() const {
        return (module ? "texture reference '" + name + "' of " : "texture reference of ") + context->describe();
    }
    void keep(std::shared_ptr<ArrayState> array);
};

struct SurfaceReferenceState {
    std::shared_ptr<ModuleState> module;
    std::string name;
    CUsurfref handle = nullptr;
    const ContextPointer& context() const { return module->context; }
    std::string describe() const { return "surface reference '" + name + "' of " + module->context->describe(); }
};

struct PreparedArgument {
    Argument::Type type;
    std::size_t size;
    bool is_signed;
};

/// Which arguments a call may pass as they are. Small, because a driver's own work pushes everything else out of the
/// processor's nearest cache between two launches.
class Signature {
public:
    /// Matches nothing.
    Signature() = default;
    explicit Signature(std::span<const ParameterInfo> parameters);
    explicit Signature(std::span<const PreparedArgument> arguments);
    bool matches(std::span<const ArgumentView> arguments) const noexcept {
        if (arguments.size() != count_) return false;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (arguments[i].size != slots_[i].size || !(slots_[i].types >> static_cast<int>(arguments[i].type) & 1))
                return false;
        return true;
    }
    static constexpr std::size_t most = 32;

private:
    struct Slot {
        std::uint16_t size, types; ///< a bit for each Argument::Type
    };
    std::size_t count_ = SIZE_MAX;
    std::array<Slot, most> slots_;
};

/// What prepare() was told.
struct PreparedCall {
    Signature signature; ///< of calls with nothing to convert or to bind before; else it matches nothing
    std::string format;
    std::vector<PreparedArgument> arguments;
    bool direct = false; ///< such calls there are; the signature has room for 32 arguments
};

/// A kernel as its source has it.
struct KernelDescription {
    std::string kernel; ///< "scale<float>"; empty: as in the PTX
    std::vector<ParameterInfo> parameters;
};

struct FunctionState {
    CUfunction handle = nullptr;
    ContextState* its_context = nullptr; ///< the module's
    std::atomic<const PreparedCall*> prepared = nullptr;
    Signature signature;
    std::shared_ptr<ModuleState> module;
    std::string name;
    std::optional<std::vector<ParameterInfo>> parameters; ///< set once, when the function is found
    /// The same with what the source tells, once it has told; kept in `descriptions`.
    std::atomic<const KernelDescription*> described = nullptr;
    std::mutex mutex; ///< guards the rest
    /// All that were ever told: a call reads the last one without the mutex.
    std::vector<std::unique_ptr<const KernelDescription>> descriptions;
    std::vector<std::shared_ptr<TextureReferenceState>> texrefs; ///< of prepared calls
    /// All that were ever made: a call reads the last one without the mutex while another thread may prepare.
    std::vector<std::unique_ptr<const PreparedCall>> preparations;
    FunctionState(std::shared_ptr<ModuleState> of, CUfunction function, std::string called,
                  std::optional<std::vector<ParameterInfo>> known);
    ContextState& context() const { return *its_context; }
    const DriverState& driver() const { return *its_context->driver; }
    /// "kernel scale<float>"
    std::string title() const {
        const KernelDescription* told = described.load(std::memory_order_acquire);
        return "kernel " + (told && !told->kernel.empty() ? told->kernel : name);
    }
    std::string describe() const { return title() + " of " + its_context->describe(); }
    /// Null where nothing tells the parameters.
    const std::vector<ParameterInfo>* known_parameters() const noexcept {
        const KernelDescription* told = described.load(std::memory_order_acquire);
        return told ? &told->parameters : parameters ? &*parameters : nullptr;
    }
};

/// The context of a stream, else of an allocation, else the current one.
ContextPointer context_for(const Stream* stream, const DevicePointer* pointer = nullptr);
CUstream handle_of(const Stream* stream);
/// @throws LogicError where the bytes do not fit the allocation: what is wrong with a range can be said before the
/// driver is asked only where one was passed.
void check_range(const DevicePointer& pointer, std::size_t bytes);
/// A driver takes another's handle for a pointer of its own. @throws LogicError for contexts of two drivers.
void check_same_driver(const ContextState& a, const ContextState& b);

/// Kernels in PTX text with their parameters. Text that is not PTX gives none.
std::map<std::string, std::vector<ParameterInfo>> scan_ptx_signatures(std::string_view text);

} // namespace warplight::driver::detail
