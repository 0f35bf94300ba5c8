// SPDX-License-Identifier: Apache-2.0
// The library of a version, opened by its name: no header has the functions of all versions.
#pragma once

#include <dlfcn.h>

namespace runtime_test {

inline constexpr const char* kLibraryNames[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};

/// A library; its functions by name, with the parameters that the test gives them.
class Library {
public:
    explicit Library(int major) : handle_(dlopen(kLibraryNames[major - 11], RTLD_NOW | RTLD_LOCAL)) {}
    explicit operator bool() const { return handle_ != nullptr; }
    template <class... Parameters>
    int operator()(const char* name, Parameters... parameters) const {
        void* function = dlsym(handle_, name);
        if (!function) return -1;
        return reinterpret_cast<int (*)(Parameters...)>(function)(parameters...);
    }
    void* symbol(const char* name) const { return dlsym(handle_, name); }

private:
    void* handle_;
};

} // namespace runtime_test
