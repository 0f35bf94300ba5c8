// SPDX-License-Identifier: Apache-2.0
#include "worker/compile_parameters.hpp"

#include "session/data_file.hpp"
#include "session/options_check.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::worker {
namespace {

std::vector<std::filesystem::path> paths(const Params& params, const char* name) {
    std::vector<std::filesystem::path> result;
    for (const std::string& text : params.texts(name))
        result.push_back(session::path_from_utf8(text));
    return result;
}

} // namespace

compiler::CompileRequest compile_request(const Params& params, const driver::Driver& driver) {
    compiler::CompileRequest request;
    request.source = params.text("source");
    request.name = params.text("name", "kernel.cu");
    request.folder = session::path_from_utf8(params.text("folder", ""));
    request.options = params.texts("options");
    request.name_expressions = params.texts("name_expressions");
    request.arch = params.text("arch", "auto");
    try {
        request.backend = compiler::backend_from_name(params.text("compiler", "nvrtc"));
    } catch (const std::invalid_argument& error) {
        throw RequestError(invalid_parameters, error.what());
    }
    if (!params.boolean("trusted", false)) {
        session::CompileOptions options;
        options.compiler = compiler::backend_name(request.backend);
        options.options = request.options;
        session::confine(request, options, session::Reach(request.folder, paths(params, "allow")));
    }
    request.cubin = params.boolean("cubin", false);
    request.report = params.boolean("report", true);
    request.line_info = params.boolean("line_info", true);
    request.use_cache = params.boolean("cache", true);
    if ((request.arch.empty() || request.arch == "auto") && driver.available()) {
        // Without a device the compiler's default architecture stays.
        auto number = static_cast<int>(params.integer("device", 0, 1 << 20, 0));
        if (number < driver::Device::count(driver)) {
            auto [major, minor] = driver::Device(number, driver).compute_capability();
            request.arch = compiler::arch_for_device(major, minor, request.backend);
        }
    }
    return request;
}

int threads_of(const json& block) {
    std::uint64_t threads = 1;
    auto multiply = [&](const json& extent) {
        if (!extent.is_number_unsigned() && !extent.is_number_integer())
            throw RequestError(invalid_parameters, "parameter block must be a number or a list of up to three");
        std::int64_t value = extent.get<std::int64_t>();
        if (value < 1 || value > 65536) throw RequestError(invalid_parameters, "parameter block is out of range");
        threads *= static_cast<std::uint64_t>(value);
    };
    if (block.is_array()) {
        if (block.empty() || block.size() > 3)
            throw RequestError(invalid_parameters, "parameter block must be a number or a list of up to three");
        for (const json& extent : block)
            multiply(extent);
    } else {
        multiply(block);
    }
    if (threads > 65536) throw RequestError(invalid_parameters, "parameter block is out of range");
    return static_cast<int>(threads);
}

} // namespace warplight::worker
