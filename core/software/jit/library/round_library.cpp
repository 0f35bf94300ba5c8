// SPDX-License-Identifier: Apache-2.0
#include "software/jit/abi/round_steps.hpp"

#include <cstring>

namespace warplight::jit {

namespace {

std::uint32_t point_of(const char* frame, const WaitPoints& points) {
    std::uint32_t point = 0; // x86: the lowest byte first
    std::memcpy(&point, frame + points.point_place, points.point_bytes);
    return point;
}

/// Of a loop over the frames: whether they wait at the point of the first one.
class OnePoint {
public:
    explicit OnePoint(const WaitPoints& points) : points_(points) {}
    void add(const char* frame, const char* first) {
        differences_ |= point_of(frame, points_) ^ point_of(first, points_);
    }
    [[nodiscard]] bool holds() const { return differences_ == 0; }

private:
    const WaitPoints& points_;
    std::uint32_t differences_ = 0;
};

} // namespace

std::uint32_t wl_round_apart(char* first, char* last, std::uint64_t stride, software::RoundControl* control,
                             const WaitPoints* points, void (*resume)(void*)) {
    OnePoint before(*points);
    for (char* frame = first;; frame += stride) {
        before.add(frame, first);
        if (frame == last) break;
    }
    if (before.holds()) return kAtOnePoint;
    OnePoint behind(*points);
    std::uint32_t number = 0;
    for (char* frame = first;; frame += stride) {
        control->current = number++;
        resume(frame);
        behind.add(frame, first);
        if (frame == last) break;
    }
    return static_cast<std::uint32_t>(behind.holds() ? software::RoundEnd::alike : software::RoundEnd::apart);
}

void wl_round_tell(char* first, char* last, std::uint64_t stride, const WaitPoints* points, std::uint32_t point) {
    for (char* frame = first;; frame += stride) {
        if (point != kOwnPoint) std::memcpy(frame + points->point_place, &point, points->point_bytes);
        const PointRequest& request = points->requests[point == kOwnPoint ? point_of(frame, *points) : point];
        std::uintptr_t address = 0;
        std::memcpy(&address, frame + points->thread_place, sizeof address);
        auto* thread = reinterpret_cast<software::ThreadContext*>(address);
        thread->wait = request.wait;
        thread->site = request.site;
        thread->operation = request.operation;
        thread->mask = request.mask;
        thread->b = request.b;
        if (frame == last) break;
    }
}

} // namespace warplight::jit
