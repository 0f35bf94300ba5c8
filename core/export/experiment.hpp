// SPDX-License-Identifier: Apache-2.0
/// A session as a program needs it: its data made, its kernels found, names that are good in C++ and in Python.
#pragma once

#include "export/identifiers.hpp"
#include "session/argument_data.hpp"
#include "session/pipeline_plan.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplight::exporting {

/// An argument of the kernel, or a variable of its module.
struct ExportedArgument {
    const session::ArgumentData* data = nullptr;
    std::string identifier;  ///< in programs; also the name of its files
    std::size_t padding = 0; ///< of a scalar: bytes between the parameter before it and this one

    [[nodiscard]] const session::Argument& argument() const { return *data->argument; }
    [[nodiscard]] bool is_variable() const { return argument().variable; }
    [[nodiscard]] bool is_array() const { return data->is_array(); }
    [[nodiscard]] bool is_result() const { return data->is_result(); }
    /// Its first contents are zeros, which need no file.
    [[nodiscard]] bool is_zeros() const;
};

/// A kernel that a program launches.
struct ExportedKernel {
    std::string identifier;         ///< in programs; "kernel" where there is no pipeline
    std::string name;               ///< as in the source
    std::string lowered;            ///< as in the PTX
    bool is_template = false;       ///< the name is that of an instance, which has to be asked for
    bool is_named = false;          ///< by the session; else it was found
    std::uint64_t shared = 0;       ///< bytes of dynamic shared memory, the most of all launches
    bool large_shared = false;      ///< more shared memory than a kernel gets without asking
    session::LaunchOptions options; ///< the preferences of the last launch that has most shared memory
    [[nodiscard]] std::string name_variable() const { return identifier == "kernel" ? "name" : identifier + "_name"; }
};

struct LaunchArgument {
    const ExportedArgument* argument = nullptr;      ///< of the session, or a value of the launch's own
    const session::OwnValue* formula = nullptr;      ///< instead: a value by a formula
    std::size_t padding = 0;                         ///< of scalars: bytes between the parameter before it and this one
    session::GivenAs as = session::GivenAs::address; ///< of an array
};
/// A launch of a plan.
struct ExportedLaunch {
    const ExportedKernel* kernel = nullptr;
    const session::PlannedStep* step = nullptr;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::vector<LaunchArgument> arguments;
    [[nodiscard]] const session::LaunchConfiguration& configuration() const {
        return std::get<session::PlannedLaunch>(step->what).launch;
    }
};

/// A source, or a header of it.
struct SourceFile {
    std::string path; ///< below the exported folder, with `/`
    std::string text;
};

struct Experiment {
    Experiment() = default;
    Experiment(const Experiment&) = delete; // the arguments point into it
    Experiment& operator=(const Experiment&) = delete;

    session::Session session;
    std::vector<session::ArgumentData> data;
    std::vector<ExportedArgument> arguments; ///< in the order of the kernel's parameters; variables anywhere between

    std::vector<ExportedArgument> values; ///< of launches alone, which do not change
    session::Plan plan;
    std::vector<ExportedKernel> kernels;   ///< as the plan has them
    std::vector<ExportedLaunch> launches;  ///< as the plan has them
    std::vector<std::string> round_names;  ///< variables that count the rounds of loops, the outermost first
    std::vector<std::string> config_names; ///< of launches, for formats that configure them beforehand

    Identifiers identifiers; ///< that were made; a copy makes more

    std::string kernel; ///< names as in the source, with commas between them
    int device = 0;

    std::vector<SourceFile> sources;          ///< the first one is the kernel's
    std::vector<SourceFile> stand_ins;        ///< of headers that NVRTC lacks and the source includes, in a folder
    std::vector<std::string> options;         ///< of the compiler, without include folders
    std::vector<std::string> include_folders; ///< below the exported folder
    std::string ptx;
    std::string ptx_path;         ///< below the exported folder
    bool is_ptx = false;          ///< the session's source is PTX
    bool has_local_names = false; ///< names in the PTX that are others in another compilation

    [[nodiscard]] bool is_pipeline() const { return session.pipeline.has_value(); }
    /// Without a pipeline.
    [[nodiscard]] const ExportedLaunch& launch() const { return launches.front(); }
    /// Arguments and values that a program defines: in a pipeline those that a launch or a formula uses.
    [[nodiscard]] std::vector<const ExportedArgument*> scalars() const;
    [[nodiscard]] std::vector<const ExportedArgument*> variables() const;
    [[nodiscard]] std::vector<const ExportedArgument*> arrays() const;  ///< variables too
    [[nodiscard]] std::vector<const ExportedArgument*> results() const; ///< outputs that a program saves
};

/// Reads and makes all data, and compiles the kernel, so that a program is made only of a session that can run.
/// Files are reached as in a run. @throws ExportError
[[nodiscard]] std::unique_ptr<Experiment> read_experiment(const session::Session& session,
                                                          const session::RunOptions& options);

} // namespace warplight::exporting
