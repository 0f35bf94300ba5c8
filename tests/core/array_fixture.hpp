// SPDX-License-Identifier: Apache-2.0
// What the tests of arrays, copies and textures share.
#pragma once

#include "warplight/context.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <QtTest>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace array_fixture {

/// WARPLIGHT_TEST_DRIVER: software (the default) or cuda.
inline warplight::driver::Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    const auto driver =
        warplight::driver::Driver::from_name(name.isEmpty() ? std::string("software") : name.toStdString());
    if (!driver.available()) qFatal("driver %s: %s", driver.library().c_str(), driver.unavailable_because().c_str());
    warplight::driver::Driver::set_default(driver);
    return driver;
}

inline bool on_software() { return warplight::driver::Driver::get_default().name() == "software"; }

/// The driver's code of what `call` throws; -1 when it throws nothing, 0 when the library itself objects.
template <class Call>
int code_of(const Call& call) {
    try {
        call();
    } catch (const warplight::driver::Error& error) {
        return error.code();
    }
    return -1;
}

/// Whether it throws a LogicError, by the driver or by the library.
template <class Call>
bool refused(const Call& call) {
    try {
        call();
    } catch (const warplight::driver::LogicError&) {
        return true;
    }
    return false;
}

constexpr int kInvalidValue = 1, kNotFound = 500, kPeerAccessNotEnabled = 705;

using Bytes = std::vector<std::uint8_t>;

/// Bytes that differ from their neighbours, and with the seed.
inline Bytes pattern(std::size_t count, unsigned seed) {
    Bytes bytes(count);
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (auto& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    return bytes;
}

} // namespace array_fixture
