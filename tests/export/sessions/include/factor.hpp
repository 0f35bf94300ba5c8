// SPDX-License-Identifier: Apache-2.0
#pragma once
template <class T>
__device__ T by_factor(T value) {
    return value * static_cast<T>(FACTOR);
}
