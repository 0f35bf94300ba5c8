// SPDX-License-Identifier: Apache-2.0
// Contexts and the context stack of a thread.
//
// A context owns what is made in it: streams, memory, modules keep their context alive, and it is destroyed
// when the Context object and all of these are gone. Each call of theirs makes its own context current
// while it runs, so only what has no context yet (mem_alloc, Stream(), module_from_buffer, …) uses the
// current one: the top of the thread's stack, or, when that is empty, what another library made current.
#pragma once

#include "warplight/device.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <string>

namespace warplight::driver {

/// A context that someone else owns. Using it after its end is a LogicError.
class ContextRef {
public:
    ContextRef() = default;
    /// Internal.
    explicit ContextRef(const Shared<detail::ContextState>& state);

    /// False for a null reference, and after the context has ended.
    explicit operator bool() const noexcept;
    Device get_device() const;
    Driver get_driver() const;
    /// The driver's handle; null when the context has ended.
    CUctx_st* handle() const noexcept;
    /// "context 1 on device 0"
    std::string describe() const;

    /// Puts it on top of this thread's stack: it is the current context then.
    void push() const;
    /// Waits until all work of this context is done. @throws what the work failed with.
    void synchronize() const;
    std::size_t get_limit(limit which) const;
    void set_limit(limit which, std::size_t value) const;
    func_cache get_cache_config() const;
    void set_cache_config(func_cache config) const;
    /// Banks have four bytes on every GPU since 5.0, whatever is set.
    shared_config get_shared_config() const;
    void set_shared_config(shared_config config) const;
    unsigned get_api_version() const;
    /// Lets kernels of this context use memory of peer, a context of another device that can be reached from this one
    /// (Device::can_access_peer). One way only. @throws LogicError when it is enabled already. CUDA 4.0.
    void enable_peer_access(const ContextRef& peer, unsigned flags = 0) const;
    void disable_peer_access(const ContextRef& peer) const;

    /// By handle; so is the hash. All contexts that have ended are equal to none.
    friend bool operator==(const ContextRef& a, const ContextRef& b) noexcept { return a.handle() == b.handle(); }

    /// Internal.
    const Shared<detail::WeakContext>& state() const noexcept { return state_; }

protected:
    Shared<detail::WeakContext> state_;
};

/// An owner of a context. Made by Device::make_context and Device::retain_primary_context. Move-only.
class Context : public ContextRef {
public:
    Context(Context&&) noexcept = default;
    Context& operator=(Context&&) noexcept = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() = default;

    /// Ends the context now (or gives up the share of an attached one), from any thread: it leaves every stack, and
    /// what was made in it is gone with it (later clean-up of these does nothing). A primary context is released
    /// instead.
    /// @throws LogicError the second time.
    void detach();

    /// Takes the top off this thread's stack; the one below is current then. @throws LogicError when it is empty.
    static void pop();
    /// The current context of this thread; null when there is none.
    static ContextRef get_current();
    /// The driver's own current context, without making it current. One that was made here gets one more owner: it
    /// lives on until that is detached or gone as well. Another library's stays that library's, and detaching it
    /// only ends this object. @throws LogicError when none is current, or for flags other than 0.
    static Context attach(unsigned flags = 0);
    static Context attach(const Driver& driver, unsigned flags = 0);

    /// Internal.
    explicit Context(Shared<detail::ContextState> state);

private:
    Shared<detail::ContextState> owner_;
    bool attached_ = false; ///< shares what another object made: detaching gives up the share
};

/// Makes a context current for a scope: pushed here, popped at the end.
class ContextScope {
public:
    explicit ContextScope(const ContextRef& context);
    ~ContextScope();
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

private:
    Shared<detail::ContextState> state_;
};

} // namespace warplight::driver

template <>
struct std::hash<warplight::driver::ContextRef> {
    std::size_t operator()(const warplight::driver::ContextRef& context) const noexcept {
        return std::hash<const void*>()(context.handle());
    }
};
template <>
struct std::hash<warplight::driver::Context> : std::hash<warplight::driver::ContextRef> {};
