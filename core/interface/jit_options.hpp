// SPDX-License-Identifier: Apache-2.0
// The options of the driver's just-in-time compiler, as its calls take them: with buffers for the logs.
#pragma once

#include "driver/entry_points.hpp"
#include "warplight/function.hpp"
#include "warplight/module.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::driver::detail {

/// Lives as long as the driver may write to the buffers. Not movable: the values hold its addresses.
class JitOptionList {
public:
    /// @throws LogicError for an option that this class provides itself, and for a value that no driver has any more.
    explicit JitOptionList(const JitOptions& options, bool log_verbose = false);
    JitOptionList(const JitOptionList&) = delete;
    JitOptionList& operator=(const JitOptionList&) = delete;

    unsigned count() const { return static_cast<unsigned>(names_.size()); }
    CUjit_option* names() { return names_.data(); }
    void** values() { return values_.data(); }
    /// What was written so far.
    std::string info_log() const { return clean(info_); }
    std::string error_log() const { return clean(error_); }

private:
    static std::string clean(const std::string& log);
    std::string info_, error_;
    std::vector<CUjit_option> names_;
    std::vector<void*> values_;
};

/// Kernels and parameters of PTX text; nothing for other images.
std::map<std::string, std::vector<ParameterInfo>> signatures_of_image(std::string_view image);

} // namespace warplight::driver::detail
