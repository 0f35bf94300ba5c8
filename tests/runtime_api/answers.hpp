// SPDX-License-Identifier: Apache-2.0
// Answers of which more than one is right: what a device may refuse, and errors that the documentation leaves open.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace runtime_test {

inline bool is_among(cudaError_t error, const std::vector<cudaError_t>& right) {
    for (const cudaError_t one : right)
        if (one == error) return true;
    return false;
}
inline std::string names_of(const std::vector<cudaError_t>& errors) {
    std::string names;
    for (const cudaError_t error : errors)
        names += std::string(names.empty() ? "" : " or ") + cudaGetErrorName(error);
    return names;
}

} // namespace runtime_test

/// ONE_OF(call, error, error…): compares an error with all that are right, and says them by name.
#define ONE_OF(call, ...)                                                                                              \
    do {                                                                                                               \
        const cudaError_t error_of_call = (call);                                                                      \
        QVERIFY2(runtime_test::is_among(error_of_call, {__VA_ARGS__}),                                                 \
                 (std::string(#call) + " gave " + cudaGetErrorName(error_of_call) + ", not " +                         \
                  runtime_test::names_of({__VA_ARGS__}))                                                               \
                     .c_str());                                                                                        \
    } while (false)
