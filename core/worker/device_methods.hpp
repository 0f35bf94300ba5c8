// SPDX-License-Identifier: Apache-2.0
// The methods that use a driver or a compiler.
#pragma once

#include "worker/buffer_store.hpp"
#include "worker/request.hpp"

#include <memory>

namespace warplight::worker {

class DeviceMethods {
public:
    /// Opens no library. The first method that needs one opens it.
    DeviceMethods(const std::string& driver, BufferStore& buffers);
    ~DeviceMethods();

    json devices(const json& params, const RequestContext& context);
    json memory(const json& params, const RequestContext& context);
    json compilers(const json& params, const RequestContext& context);
    json compile(const json& params, const RequestContext& context);
    json layouts(const json& params, const RequestContext& context);
    json signatures(const json& params, const RequestContext& context);
    json occupancy(const json& params, const RequestContext& context);
    json sass(const json& params, const RequestContext& context);
    json registers(const json& params, const RequestContext& context);
    json run(const json& params, const RequestContext& context);

    /// Waits until the buffers of the last run are on the disk.
    void wait_for_files();
    /// Ends the running kernel where the driver can do that. Thread-safe.
    void cancel_kernels();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::worker
