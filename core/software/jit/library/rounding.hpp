// SPDX-License-Identifier: Apache-2.0
// The host's rounding direction. mingw-w64's fesetround asks the processor at each call whether it has SSE, which costs
// microseconds on a virtual machine. There the direction is that of SSE alone, which all our code uses.
#pragma once

#include <cfenv>

#ifdef __MINGW32__
#include <immintrin.h>
#endif

namespace warplight::jit {

#ifdef __MINGW32__
// FE_ constants are those of the x87, three bits below SSE's.
[[nodiscard]] inline int host_rounding() { return static_cast<int>(_MM_GET_ROUNDING_MODE() >> 3); }
inline void set_host_rounding(int direction) { _MM_SET_ROUNDING_MODE(static_cast<unsigned>(direction) << 3); }
#else
[[nodiscard]] inline int host_rounding() { return std::fegetround(); }
inline void set_host_rounding(int direction) { std::fesetround(direction); }
#endif

/// A rounding direction of the host (FE_UPWARD, …), for as long as this lives.
class HostRounding {
public:
    explicit HostRounding(int direction) : before_(host_rounding()) { set_host_rounding(direction); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;
    ~HostRounding() { set_host_rounding(before_); }

private:
    int before_;
};

} // namespace warplight::jit
