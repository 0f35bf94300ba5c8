// SPDX-License-Identifier: Apache-2.0
// Lets QCOMPARE() tell what two JSON values are.
#pragma once

#include <QtTest>
#include <nlohmann/json.hpp>

namespace nlohmann {

inline char* toString(const json& value) { return QTest::toString(value.dump().c_str()); }

} // namespace nlohmann
