// SPDX-License-Identifier: Apache-2.0
// Names of arguments as identifiers of C++ and Python.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warplight::exporting {

class Identifiers {
public:
    /// Letters, digits and underscores of ASCII; no keyword of either language, no name that the programs use
    /// themselves, and none that was made before. The names that programs derive from it are free as well.
    std::string make(std::string_view name);

private:
    std::set<std::string, std::less<>> taken_;
};

/// What programs call an array's memory on the device, and the result that they have read back.
[[nodiscard]] inline std::string device_name(const std::string& identifier) { return "d_" + identifier; }
[[nodiscard]] inline std::string result_name(const std::string& identifier) { return identifier + "_result"; }

} // namespace warplight::exporting
