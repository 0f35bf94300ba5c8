// SPDX-License-Identifier: Apache-2.0
/// Runs a session on a device.
#pragma once

#include "session/report.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplight {
class NdArray;
namespace driver {
class Driver;
}
} // namespace warplight

namespace warplight::session {

/// Each may be empty. The thread of the run calls them; another thread calls `output`.
struct RunHooks {
    /// Stages in this order: data, compile, load, run, compare, save. Fraction of the stage, below 0 when unknown.
    std::function<void(std::string_view stage, double fraction, std::string_view text)> progress;
    /// Gets the kernel's output as it comes.
    std::function<void(std::string_view text)> output;
    /// The kernel's output also goes to this process's standard output.
    bool echo = false;
    /// Returns true to stop the run. It is asked between stages and repeats, for a running kernel cannot be stopped.
    std::function<bool()> cancelled;
};

/// The arrays of an argument, for views.
struct RunBuffer {
    int index = 0; ///< of the argument
    std::string name;
    std::shared_ptr<const NdArray> input;    ///< null of an `out`
    std::shared_ptr<const NdArray> output;   ///< null of an `in`, and when the run did not get so far
    std::shared_ptr<const NdArray> expected; ///< null without an expectation that could be read
};

struct RunResult {
    Report report;
    std::vector<RunBuffer> buffers;
    /// Of a pipeline that keeps some: the frame is the first axis. Null without them.
    std::shared_ptr<const NdArray> frames;
};

/// Does not throw: the report has the error. Each repeat starts from the same inputs. The results of the last repeat
/// are compared and saved.
RunResult run(const Session& session, const driver::Driver& driver, const RunOptions& options,
              const RunHooks& hooks = {});

/// Checks that a document may use these compile options. Others could write files or start programs.
/// Throws SessionError that names the first option that is not allowed.
void check_compile_options(const CompileOptions& options);

} // namespace warplight::session
