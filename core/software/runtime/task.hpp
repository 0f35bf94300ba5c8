// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace warplight::software {

/// A callable without arguments that can be moved and not copied. A small one lies in the object itself, so that adding
/// a launch to a stream asks for no memory.
class Task {
public:
    static constexpr std::size_t kBytes = 240; ///< of a callable that lies in here

    Task() noexcept {} // NOLINT(modernize-use-equals-default): the storage stays as it is
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, Task>)
    Task(F&& callable) { // implicit: work is given as a lambda
        using Callable = std::remove_cvref_t<F>;
        if constexpr (sizeof(Callable) <= kBytes && std::is_nothrow_move_constructible_v<Callable>)
            place<Callable>(std::forward<F>(callable));
        else
            place<Elsewhere<Callable>>(Elsewhere<Callable>{std::make_unique<Callable>(std::forward<F>(callable))});
    }
    Task(Task&& other) noexcept { take(other); }
    Task& operator=(Task&& other) noexcept {
        if (this != &other) {
            reset();
            take(other);
        }
        return *this;
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() { reset(); }

    void operator()() { kind_->call(storage_.data()); }
    /// Ends the callable, with all that it holds.
    void reset() noexcept {
        if (const Kind* kind = std::exchange(kind_, nullptr)) kind->end(storage_.data());
    }

private:
    struct Kind {
        void (*call)(void*);
        void (*move)(void* from, void* to) noexcept; ///< `from` is at its end then
        void (*end)(void*) noexcept;
    };
    template <class Callable>
    struct Elsewhere {
        std::unique_ptr<Callable> callable;
        void operator()() { (*callable)(); }
    };

    template <class Callable, class F>
    void place(F&& callable) {
        static_assert(alignof(Callable) <= alignof(std::max_align_t));
        static constexpr Kind kind{[](void* at) { (*static_cast<Callable*>(at))(); },
                                   [](void* from, void* to) noexcept {
                                       auto* old = static_cast<Callable*>(from);
                                       new (to) Callable(std::move(*old));
                                       old->~Callable();
                                   },
                                   [](void* at) noexcept { static_cast<Callable*>(at)->~Callable(); }};
        new (storage_.data()) Callable(std::forward<F>(callable));
        kind_ = &kind;
    }
    void take(Task& other) noexcept {
        kind_ = std::exchange(other.kind_, nullptr);
        if (kind_) kind_->move(other.storage_.data(), storage_.data());
    }

    const Kind* kind_ = nullptr;
    alignas(std::max_align_t) std::array<std::byte, kBytes> storage_;
};

} // namespace warplight::software
