// SPDX-License-Identifier: Apache-2.0
// Functions of the program that the library calls.
#pragma once

#include "warplight/shared.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warplight {

namespace detail {
[[noreturn]] void throw_empty_callback();
}

/// Holds anything that can be called so: a lambda, a function, a std::function. Copies share what they hold.
/// Not std::function, because <functional> takes half as long to compile as all else that the headers need.
template <class Signature>
class Callback;

template <class Result, class... Args>
class Callback<Result(Args...)> {
public:
    Callback() noexcept = default;
    Callback(std::nullptr_t) noexcept {}
    /// Empty when `function` is a null pointer or an empty std::function.
    template <class F>
        requires(!std::is_same_v<F, Callback> && std::is_invocable_r_v<Result, F&, Args...>)
    Callback(F function) {
        if constexpr (std::is_constructible_v<F, std::nullptr_t>)
            if (function == nullptr) return;
        target_ = Shared<Target>::template make<Holder<F>>(std::move(function));
    }

    explicit operator bool() const noexcept { return target_ != nullptr; }
    /// @throws LogicError when empty.
    Result operator()(Args... args) const {
        if (!target_) detail::throw_empty_callback();
        return target_->call(std::forward<Args>(args)...);
    }

private:
    struct Target {
        Target() = default;
        Target(const Target&) = delete;
        Target& operator=(const Target&) = delete;
        virtual ~Target() = default;
        virtual Result call(Args... args) = 0;
    };
    template <class Held>
    struct Holder final : Target {
        explicit Holder(Held function) : held(std::move(function)) {}
        Result call(Args... args) override { return static_cast<Result>(held(std::forward<Args>(args)...)); }
        Held held;
    };
    Shared<Target> target_;
};

} // namespace warplight
