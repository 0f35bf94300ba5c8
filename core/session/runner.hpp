// SPDX-License-Identifier: Apache-2.0
/// Runs a session on a device and reports.
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

/// Any of them may be empty. Called from the thread that runs, `output` from another.
struct RunHooks {
    /// Stages in this order: data, compile, load, run, compare, save. Fraction of the stage, below 0 when unknown.
    std::function<void(std::string_view stage, double fraction, std::string_view text)> progress;
    /// What the kernel prints, as it comes.
    std::function<void(std::string_view text)> output;
    /// What the kernel prints also goes to this process's standard output, as it comes.
    bool echo = false;
    /// True asks to stop. Asked between stages and repeats: a kernel that runs cannot be stopped.
    std::function<bool()> cancelled;
};

/// An array of the run, for views: what went in and what came out.
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
};

/// Does not throw: what goes wrong is in the report. Each repeat starts from the same inputs; the last
/// repeat's results are compared and saved.
RunResult run(const Session& session, const driver::Driver& driver, const RunOptions& options,
              const RunHooks& hooks = {});

/// The session's compile options that a document may use; others could write files or start programs.
/// Throws SessionError naming the first that is not allowed.
void check_compile_options(const CompileOptions& options);

} // namespace warplight::session
