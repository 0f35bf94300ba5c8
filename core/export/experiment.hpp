// SPDX-License-Identifier: Apache-2.0
/// A session as a program needs it: its data made, its kernel found, names that are good in C++ and in Python.
#pragma once

#include "session/argument_data.hpp"
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

    std::string kernel;       ///< as in the source
    std::string lowered;      ///< as in the PTX
    bool is_template = false; ///< the name is that of an instance, which has to be asked for
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    bool large_shared = false; ///< more shared memory than a kernel gets without asking
    int device = 0;

    std::vector<SourceFile> sources;          ///< the first one is the kernel's
    std::vector<SourceFile> stand_ins;        ///< of headers that NVRTC lacks and the source includes, in a folder
    std::vector<std::string> options;         ///< of the compiler, without include folders
    std::vector<std::string> include_folders; ///< below the exported folder
    std::string ptx;
    std::string ptx_path;         ///< below the exported folder
    bool is_ptx = false;          ///< the session's source is PTX
    bool has_local_names = false; ///< names in the PTX that are others in another compilation

    [[nodiscard]] std::vector<const ExportedArgument*> parameters() const;
    [[nodiscard]] std::vector<const ExportedArgument*> variables() const;
    [[nodiscard]] std::vector<const ExportedArgument*> arrays() const;  ///< variables too
    [[nodiscard]] std::vector<const ExportedArgument*> results() const; ///< outputs that a program saves
};

/// Reads and makes all data, and compiles the kernel, so that a program is made only of a session that can run.
/// Files are reached as in a run. @throws ExportError
[[nodiscard]] std::unique_ptr<Experiment> read_experiment(const session::Session& session,
                                                          const session::RunOptions& options);

} // namespace warplight::exporting
