// SPDX-License-Identifier: Apache-2.0
// Which sanitizers this program was built with.
#pragma once

#if defined(__has_feature)
#define WARPLIGHT_HAS_FEATURE(name) __has_feature(name)
#else
#define WARPLIGHT_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || WARPLIGHT_HAS_FEATURE(address_sanitizer)
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || WARPLIGHT_HAS_FEATURE(thread_sanitizer)
inline constexpr bool has_thread_sanitizer = true;
#else
inline constexpr bool has_thread_sanitizer = false;
#endif
