// SPDX-License-Identifier: Apache-2.0
#include "warplight/context.hpp"

#include "driver/error_hints.hpp"
#include "files/thread_object.hpp"
#include "interface/state.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace warplight::driver {

namespace detail {

namespace {

/// The context stack of a thread. The entries own nothing: a context that ends leaves every stack by itself.
/// The driver's own stack stays as it is; only its top is replaced, and what was there before the first push
/// (by another library) is put back after the last pop.
struct ThreadStack {
    struct Foreign {
        std::shared_ptr<const DriverState> driver;
        CUcontext handle;
    };
    std::vector<std::weak_ptr<ContextState>> entries;
    std::vector<Foreign> before;

    void drop_ended() {
        std::erase_if(entries, [](const auto& entry) {
            const auto state = entry.lock();
            return !state || !state->valid.load();
        });
    }
    ContextPointer top(const DriverState* of_driver = nullptr) {
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
            if (auto state = entry->lock();
                state && state->valid.load() && (!of_driver || state->driver.get() == of_driver))
                return state;
        return nullptr;
    }
    /// Makes the driver agree with the stack.
    void restore(const DriverState& driver) {
        top_of_stack = top().get();
        CUcontext handle = nullptr;
        if (const auto state = top(&driver)) {
            handle = state->handle;
        } else {
            const auto found = std::find_if(before.begin(), before.end(),
                                            [&](const Foreign& foreign) { return foreign.driver.get() == &driver; });
            if (found != before.end()) {
                handle = found->handle;
                before.erase(found);
            }
        }
        const auto& functions = driver.functions;
        if (functions.fn_cuCtxSetCurrent && functions.fn_cuCtxSetCurrent(handle) != CUDA_SUCCESS && handle)
            functions.fn_cuCtxSetCurrent(nullptr); // the other library has destroyed its context meanwhile
    }
};

// A pointer that outlives the stack's own destruction: objects destroyed later in the thread's exit ask for it.
thread_local ThreadStack* stack_pointer = nullptr;
struct StackHolder {
    ThreadStack stack;
    StackHolder() { stack_pointer = &stack; }
    ~StackHolder() { stack_pointer = nullptr; }
};
ThreadStack& thread_stack() { return files::thread_object<StackHolder>().stack; }

std::atomic<unsigned> context_count = 0;

ContextPointer make_state(const Driver& driver, CUcontext handle, int device, ContextState::Ownership ownership) {
    auto state = std::make_shared<ContextState>();
    state->driver = std::shared_ptr<const DriverState>(&driver.state(), [keep = driver](const DriverState*) {});
    state->handle = handle;
    state->device = device;
    state->ownership = ownership;
    if (ownership != ContextState::Ownership::foreign) state->number = ++context_count;
    if (ownership == ContextState::Ownership::created) forget_broken(*state->driver, handle);
    return state;
}

/// A context that another library made current with this driver; null when there is none.
ContextPointer foreign_context(const Driver& driver) {
    const auto& functions = driver.state().functions;
    CUcontext handle = nullptr;
    if (!functions.fn_cuCtxGetCurrent || functions.fn_cuCtxGetCurrent(&handle) != CUDA_SUCCESS || !handle)
        return nullptr;
    CUdevice device = 0;
    if (functions.fn_cuCtxGetDevice) functions.fn_cuCtxGetDevice(&device);
    return make_state(driver, handle, device, ContextState::Ownership::foreign);
}

} // namespace

void check_same_driver(const ContextState& a, const ContextState& b) {
    if (a.driver.get() != b.driver.get())
        throw_logic_error("contexts of two drivers are no peers", a.describe() + " and " + b.describe());
}

std::string ContextState::describe() const {
    const std::string where = " on device " + std::to_string(device);
    return (number ? "context " + std::to_string(number) : "another library's context") + where;
}

bool ContextState::end(bool report_failure) {
    if (!valid.exchange(false)) return false;
    CUresult code = CUDA_SUCCESS;
    const char* routine = "cuCtxDestroy";
    if (ownership == Ownership::created) {
        code = WARPLIGHT_TRY(*driver, cuCtxDestroy, handle);
    } else if (ownership == Ownership::primary) {
        routine = "cuDevicePrimaryCtxRelease";
        code = WARPLIGHT_TRY(*driver, cuDevicePrimaryCtxRelease, device);
    }
    forget_context(*this);
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_DEINITIALIZED) {
        ErrorInfo info = describe_failure(*driver, routine, code, describe());
        if (!report_failure) throw_error(std::move(info));
        const Error error(std::move(info));
        // A context that a kernel broke cannot be destroyed properly; that was said when the kernel failed.
        if (!error.sticky()) report_cleanup_failure(error);
    }
    return true;
}

ContextState::~ContextState() {
    try {
        end(true);
    } catch (...) {
        report_cleanup_failure();
    }
}

Scope::Scope(const ContextState& context) : context_(context) {
    const DriverState& driver = *context.driver;
    if (!context.valid.load(std::memory_order_acquire))
        throw_error({.code = CUDA_ERROR_CONTEXT_IS_DESTROYED,
                     .text = "the context has been detached",
                     .entity = context.describe(),
                     .hint = error_hint(CUDA_ERROR_CONTEXT_IS_DESTROYED)});
    CUcontext now = nullptr;
    WARPLIGHT_CALL(driver, cuCtxGetCurrent, context.describe(), &now);
    if (now == context.handle) return;
    WARPLIGHT_CALL(driver, cuCtxPushCurrent, context.describe(), context.handle);
    pushed_ = true;
}

Scope::~Scope() {
    if (!pushed_) return;
    CUcontext popped = nullptr;
    if (const auto pop = context_.driver->functions.fn_cuCtxPopCurrent) pop(&popped);
}

ContextPointer find_current_context() {
    if (auto state = thread_stack().top()) return state;
    // Contexts of other libraries, among them the CUDA runtime's, count too.
    if (auto state = foreign_context(Driver::cuda())) return state;
    const Driver fallback = Driver::get_default();
    return fallback == Driver::cuda() ? nullptr : foreign_context(fallback);
}

ContextPointer current_context() {
    if (auto state = find_current_context()) return state;
    throw_error({.code = CUDA_ERROR_INVALID_CONTEXT,
                 .text = "no context is current in this thread",
                 .hint = error_hint(CUDA_ERROR_INVALID_CONTEXT)});
}

void push_context(const ContextPointer& context) {
    ThreadStack& stack = thread_stack();
    stack.drop_ended();
    const DriverState& driver = *context->driver;
    if (!stack.top(&driver)) {
        CUcontext before = nullptr;
        WARPLIGHT_CALL(driver, cuCtxGetCurrent, context->describe(), &before);
        std::erase_if(stack.before, [&](const auto& foreign) { return foreign.driver.get() == &driver; });
        if (before && before != context->handle) stack.before.push_back({context->driver, before});
    }
    WARPLIGHT_CALL(driver, cuCtxSetCurrent, context->describe(), context->handle);
    stack.entries.push_back(context);
    top_of_stack = context.get();
}

void pop_context() {
    ThreadStack& stack = thread_stack();
    stack.drop_ended();
    if (stack.entries.empty())
        throw_error({.code = CUDA_ERROR_INVALID_CONTEXT,
                     .text = "cannot pop a context: this thread's context stack is empty",
                     .hint = "A context that was detached has left the stack already"});
    const ContextPointer popped = stack.entries.back().lock();
    stack.entries.pop_back();
    top_of_stack = nullptr;
    if (popped) stack.restore(*popped->driver);
}

void forget_context(const ContextState& context) noexcept {
    try {
        if (!stack_pointer) return;
        const auto size = stack_pointer->entries.size();
        stack_pointer->drop_ended();
        if (stack_pointer->entries.size() != size) stack_pointer->restore(*context.driver);
    } catch (...) { // no memory; the entry is skipped when it is seen
        report_cleanup_failure();
    }
}

namespace {

/// While it lives, a stream that is being captured is no reason not to free something: a driver would refuse to, and
/// end the capture.
class FreeingScope {
public:
    explicit FreeingScope(const DriverState& driver) : driver_(driver) { exchange(); }
    ~FreeingScope() { exchange(); }
    FreeingScope(const FreeingScope&) = delete;
    FreeingScope& operator=(const FreeingScope&) = delete;

private:
    void exchange() noexcept {
        if (const auto function = driver_.functions.fn_cuThreadExchangeStreamCaptureMode) (void)function(&mode_);
    }
    const DriverState& driver_;
    CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

} // namespace

void clean_up(ContextState& context, const char* routine, const std::function<std::string()>& entity,
              const std::function<CUresult()>& call) noexcept {
    if (!context.valid.load()) return;
    try {
        const FreeingScope freeing(*context.driver);
        std::optional<Scope> scope;
        try {
            scope.emplace(context);
        } catch (const Error&) {
            // Some things can be released all the same, and nothing else ends graphs and libraries.
            (void)call();
            throw;
        }
        const CUresult code = call();
        if (code == CUDA_SUCCESS || code == CUDA_ERROR_DEINITIALIZED || code == CUDA_ERROR_CONTEXT_IS_DESTROYED) return;
        // After a sticky error every clean-up of the context fails in the same way.
        if (is_sticky(code) && (is_broken(*context.driver, context.handle) || context.broken.exchange(true))) return;
        report_cleanup_failure(Error(describe_failure(*context.driver, routine, code, entity())));
    } catch (const Error& error) {
        // While the process ends, the driver may be gone already.
        if (error.code() != CUDA_ERROR_DEINITIALIZED && error.code() != CUDA_ERROR_CONTEXT_IS_DESTROYED &&
            !(error.sticky() && context.broken.exchange(true)))
            report_cleanup_failure(error);
    } catch (...) {
        report_cleanup_failure();
    }
}

void report_unless_broken() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        // Freeing breaks nothing: a sticky error is of a kernel before it.
        if (!error.sticky()) report_cleanup_failure(error);
    } catch (...) {
        report_cleanup_failure();
    }
}

ContextPointer find_context(const ContextRef& reference) noexcept {
    return reference.state() ? reference.state()->context.lock() : nullptr;
}

ContextPointer lock_context(const ContextRef& reference) {
    auto state = find_context(reference);
    if (state && state->valid.load()) return state;
    throw_error({.code = CUDA_ERROR_CONTEXT_IS_DESTROYED,
                 .text = "there is no context here, or it has ended",
                 .entity = state ? state->describe() : std::string()});
}

} // namespace detail

using detail::ContextState;
using detail::find_context;
using detail::lock_context;

ContextRef::ContextRef(const Shared<ContextState>& state)
    : state_(Shared<detail::WeakContext>::make(detail::WeakContext{detail::ContextPointer(state)})) {}

ContextRef::operator bool() const noexcept {
    const auto state = find_context(*this);
    return state && state->valid.load();
}

CUcontext ContextRef::handle() const noexcept {
    const auto state = find_context(*this);
    return state && state->valid.load() ? state->handle : nullptr;
}

Driver ContextRef::get_driver() const { return Driver(lock_context(*this)->driver); }

Device ContextRef::get_device() const {
    const auto state = lock_context(*this);
    Device device(0, Driver(state->driver));
    device.handle_ = state->device;
    device.number_ = state->device;
    return device;
}

std::string ContextRef::describe() const {
    const auto state = find_context(*this);
    return state ? state->describe() : "no context";
}

void ContextRef::push() const { detail::push_context(lock_context(*this)); }

void ContextRef::synchronize() const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxSynchronize, state->describe());
}

std::size_t ContextRef::get_limit(limit which) const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    std::size_t value = 0;
    WARPLIGHT_CALL(*state->driver, cuCtxGetLimit, state->describe(), &value, static_cast<CUlimit>(which));
    return value;
}

void ContextRef::set_limit(limit which, std::size_t value) const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxSetLimit, state->describe(), static_cast<CUlimit>(which), value);
}

func_cache ContextRef::get_cache_config() const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    CUfunc_cache config = CU_FUNC_CACHE_PREFER_NONE;
    WARPLIGHT_CALL(*state->driver, cuCtxGetCacheConfig, state->describe(), &config);
    return static_cast<func_cache>(config);
}

void ContextRef::set_cache_config(func_cache config) const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxSetCacheConfig, state->describe(), static_cast<CUfunc_cache>(config));
}

shared_config ContextRef::get_shared_config() const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    CUsharedconfig config = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
    WARPLIGHT_CALL(*state->driver, cuCtxGetSharedMemConfig, state->describe(), &config);
    return static_cast<shared_config>(config);
}

void ContextRef::set_shared_config(shared_config config) const {
    const auto state = lock_context(*this);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxSetSharedMemConfig, state->describe(), static_cast<CUsharedconfig>(config));
}

unsigned ContextRef::get_api_version() const {
    const auto state = lock_context(*this);
    unsigned version = 0;
    WARPLIGHT_CALL(*state->driver, cuCtxGetApiVersion, state->describe(), state->handle, &version);
    return version;
}

void ContextRef::enable_peer_access(const ContextRef& peer, unsigned flags) const {
    const auto state = lock_context(*this), other = lock_context(peer);
    detail::check_same_driver(*state, *other);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxEnablePeerAccess, state->describe() + " to " + other->describe(), other->handle,
                   flags);
}

void ContextRef::disable_peer_access(const ContextRef& peer) const {
    const auto state = lock_context(*this), other = lock_context(peer);
    detail::check_same_driver(*state, *other);
    const detail::Scope scope(*state);
    WARPLIGHT_CALL(*state->driver, cuCtxDisablePeerAccess, state->describe() + " to " + other->describe(),
                   other->handle);
}

Context::Context(Shared<ContextState> state) : ContextRef(state), owner_(std::move(state)) {}

void Context::detach() {
    const detail::ContextPointer mine = owner_;
    if (attached_) owner_.reset();
    const bool given_up = attached_ && mine && mine->valid.load() && mine.use_count() > 1;
    if (attached_) state_.reset();
    if (!given_up && (!mine || !mine->end(false)))
        throw_error({.code = CUDA_ERROR_CONTEXT_IS_DESTROYED,
                     .text = "the context has been detached already",
                     .entity = mine ? mine->describe() : describe()});
}

void Context::pop() { detail::pop_context(); }

ContextRef Context::get_current() {
    if (auto state = detail::thread_stack().top()) return ContextRef(state);
    return {};
}

Context Context::attach(unsigned flags) { return attach(Driver::get_default(), flags); }

Context Context::attach(const Driver& driver, unsigned flags) {
    if (flags != 0)
        throw_error({.code = CUDA_ERROR_INVALID_VALUE,
                     .text = "the flags of attach are 0, not " + std::to_string(flags),
                     .entity = "driver " + driver.library()});
    if (auto state = detail::foreign_context(driver)) {
        auto own = detail::thread_stack().top(&driver.state());
        const bool made_here = own && own->handle == state->handle;
        Context context(made_here ? std::move(own) : std::move(state));
        context.attached_ = made_here;
        return context;
    }
    throw_error({.code = CUDA_ERROR_INVALID_CONTEXT,
                 .text = "the driver has no current context in this thread",
                 .entity = "driver " + driver.library()});
}

ContextScope::ContextScope(const ContextRef& context) : state_(lock_context(context)) { detail::push_context(state_); }

ContextScope::~ContextScope() {
    // Where the context was detached inside of the scope it has left the stack by itself.
    if (!state_->valid.load()) return;
    try {
        detail::pop_context();
    } catch (...) {
        detail::report_unless_broken();
    }
}

Context Device::make_context(unsigned flags) const {
    const detail::DriverState& driver = driver_.state();
    const std::string entity = "device " + std::to_string(number_);
    CUcontext handle = nullptr, popped = nullptr;
    CUcontext before = nullptr;
    WARPLIGHT_CALL(driver, cuCtxGetCurrent, entity, &before);
    // The newest signature that the driver has; each creates the same kind of context from these arguments.
    if (driver.functions.fn_cuCtxCreate_v4)
        WARPLIGHT_CALL(driver, cuCtxCreate_v4, entity, &handle, nullptr, flags, handle_);
    else if (driver.functions.fn_cuCtxCreate_v3)
        WARPLIGHT_CALL(driver, cuCtxCreate_v3, entity, &handle, nullptr, 0, flags, handle_);
    else
        WARPLIGHT_CALL(driver, cuCtxCreate, entity, &handle, flags, handle_);
    Context context(detail::make_state(driver_, handle, handle_, ContextState::Ownership::created));
    // Creating pushed it; the stack below keeps the order, the driver's stack stays as it was.
    WARPLIGHT_CALL(driver, cuCtxPopCurrent, entity, &popped);
    context.push();
    return context;
}

Context Device::retain_primary_context() const {
    const detail::DriverState& driver = driver_.state();
    CUcontext handle = nullptr;
    WARPLIGHT_CALL(driver, cuDevicePrimaryCtxRetain, "device " + std::to_string(number_), &handle, handle_);
    return Context(detail::make_state(driver_, handle, handle_, ContextState::Ownership::primary));
}

} // namespace warplight::driver
