// SPDX-License-Identifier: Apache-2.0
// Shared ownership in public classes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warplight {

namespace detail {

/// What a Shared keeps, with the number of those that keep it.
class Kept {
public:
    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    void retain() noexcept;
    void release() noexcept; ///< deletes it with the last

protected:
    virtual ~Kept();

private:
    std::size_t uses_ = 1;
};

template <class Pointer>
class KeptPointer final : public Kept {
public:
    explicit KeptPointer(Pointer kept) : pointer(std::move(kept)) {}
    const Pointer pointer;
};

template <class T>
class KeptValue final : public Kept {
public:
    template <class... Args>
    explicit KeptValue(Args&&... args) : value(std::forward<Args>(args)...) {}
    T value;
};

} // namespace detail

/// Takes a std::shared_ptr, and becomes one. Not std::shared_ptr itself, because <memory> takes a quarter of the time
/// that the public headers need to compile. Copies may be used from several threads, one of them from one.
template <class T>
class Shared {
public:
    constexpr Shared() noexcept = default;
    constexpr Shared(std::nullptr_t) noexcept {}
    /// Of a std::shared_ptr to a T or to what can be seen as one.
    template <template <class> class Pointer, class U>
        requires(!std::is_same_v<Pointer<U>, Shared<U>> && std::is_convertible_v<Pointer<U>, Pointer<T>> &&
                 std::is_copy_constructible_v<Pointer<U>> && requires(Pointer<T> p) { static_cast<T*>(p.get()); })
    Shared(Pointer<U> pointer) {
        if (!pointer) return;
        value_ = pointer.get();
        kept_ = new detail::KeptPointer<Pointer<T>>(std::move(pointer));
    }
    template <class U>
        requires(!std::is_same_v<U, T> && std::is_convertible_v<U*, T*>)
    Shared(const Shared<U>& other) noexcept : value_(other.value_), kept_(other.kept_) {
        if (kept_) kept_->retain();
    }
    template <class U>
        requires(!std::is_same_v<U, T> && std::is_convertible_v<U*, T*>)
    Shared(Shared<U>&& other) noexcept
        : value_(std::exchange(other.value_, nullptr)), kept_(std::exchange(other.kept_, nullptr)) {}
    /// A new object.
    template <class U = T, class... Args>
    static Shared make(Args&&... args) {
        auto* kept = new detail::KeptValue<U>(std::forward<Args>(args)...);
        Shared made;
        made.value_ = &kept->value;
        made.kept_ = kept;
        return made;
    }

    Shared(const Shared& other) noexcept : value_(other.value_), kept_(other.kept_) {
        if (kept_) kept_->retain();
    }
    Shared(Shared&& other) noexcept
        : value_(std::exchange(other.value_, nullptr)), kept_(std::exchange(other.kept_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        swap(other);
        return *this;
    }
    ~Shared() {
        if (kept_) kept_->release();
    }

    void reset() noexcept { Shared().swap(*this); }
    void swap(Shared& other) noexcept {
        std::swap(value_, other.value_);
        std::swap(kept_, other.kept_);
    }
    T* get() const noexcept { return value_; }
    std::add_lvalue_reference_t<T> operator*() const noexcept { return *value_; }
    T* operator->() const noexcept { return value_; }
    explicit operator bool() const noexcept { return value_ != nullptr; }
    /// The std::shared_ptr that it was made of, or one that keeps this.
    template <template <class> class Pointer>
        requires std::is_constructible_v<Pointer<T>, Pointer<T>, T*>
    operator Pointer<T>() const {
        if (!kept_) return {};
        if (const auto* kept = dynamic_cast<const detail::KeptPointer<Pointer<T>>*>(kept_)) return kept->pointer;
        return Pointer<T>(value_, [keep = *this](T*) {});
    }

    /// By address.
    friend bool operator==(const Shared& a, const Shared& b) noexcept { return a.value_ == b.value_; }
    friend bool operator==(const Shared& a, std::nullptr_t) noexcept { return a.value_ == nullptr; }

private:
    template <class U>
    friend class Shared;

    T* value_ = nullptr;
    detail::Kept* kept_ = nullptr;
};

} // namespace warplight
