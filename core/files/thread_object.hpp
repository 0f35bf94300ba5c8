// SPDX-License-Identifier: Apache-2.0
/// Objects that each thread has for itself and that have a destructor.
#pragma once

#include <utility>

#ifdef __linux__
#include <unistd.h>
#endif
#ifdef __MINGW32__
#include <pthread.h>

#include <cstdlib>
#include <memory>
#endif

namespace warplight::files {

/// The thread that the process began with; never, where the system does not tell.
inline bool is_main_thread() {
#ifdef __linux__
    return gettid() == getpid();
#else
    return false;
#endif
}

/// The calling thread's T: made when the thread first asks, destroyed when it ends. Another Tag is another object.
///
/// Instead of thread_local: mingw-w64's GCC gives the storage of thread_local objects back before their destructors
/// run. Plain values, without a destructor, can be thread_local there too.
template <class T, class Tag = T>
T& thread_object() {
#ifdef __MINGW32__
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, [](void* object) { delete static_cast<T*>(object); }) != 0) std::abort();
        return made;
    }();
    auto* object = static_cast<T*>(pthread_getspecific(key));
    if (!object) {
        auto made = std::make_unique<T>();
        if (pthread_setspecific(key, made.get()) != 0) std::abort();
        object = made.release();
    }
    return *object;
#else
    // Handlers of the process's exit come after the objects of the main thread, and use what it had: its object stays.
    // A pointer has no end, so what comes later still finds it, or makes another.
    thread_local T* object = nullptr;
    if (!object) {
        struct Owner {
            ~Owner() {
                if (!is_main_thread()) delete std::exchange(object, nullptr);
            }
        };
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wexit-time-destructors" // it ends with its thread
#endif
        thread_local const Owner owner;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
        (void)&owner;
        object = new T;
    }
    return *object;
#endif
}

} // namespace warplight::files
