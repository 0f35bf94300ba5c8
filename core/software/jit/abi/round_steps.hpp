// SPDX-License-Identifier: Apache-2.0
// Steps of a round that it seldom takes, and that are the same in all kernels. A round resumes the coroutines of a
// block one after the other (passes/round_segments). Their frames lie one behind the other, from `first` to `last`,
// each `stride` bytes behind the one before.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <cstdint>

namespace warplight::jit {

/// What a thread that waits tells the scheduler: fields of its context.
struct PointRequest {
    software::Wait wait;
    std::uint32_t site, operation, mask, b;
};

/// Of a kernel's frames, and what threads wait for at its suspension points. Generated code has it as a constant.
struct WaitPoints {
    std::uint32_t thread_place; ///< bytes into a frame, where it has its thread's context
    std::uint32_t point_place;  ///< bytes into it, where it has the number of the point
    std::uint32_t point_bytes;  ///< at most 4
    PointRequest requests[1];   ///< by number, as many as there are
};
constexpr std::uint32_t kOwnPoint = UINT32_MAX; ///< the one that each frame tells

/// wl_round_apart() has found all coroutines at one point, and has done nothing.
constexpr std::uint32_t kAtOnePoint = UINT32_MAX;

extern "C" {
/// Resumes each coroutine by itself if they wait at several points. @return a software::RoundEnd, or kAtOnePoint
std::uint32_t wl_round_apart(char* first, char* last, std::uint64_t stride, software::RoundControl* control,
                             const WaitPoints* points, void (*resume)(void*));
/// Writes down for what each thread waits, and, but for kOwnPoint, that it waits at `point`.
void wl_round_tell(char* first, char* last, std::uint64_t stride, const WaitPoints* points, std::uint32_t point);
}

} // namespace warplight::jit
