// SPDX-License-Identifier: Apache-2.0
// The steps of a run, each in a file of its own. A step that cannot go on throws StageError.
#pragma once

#include "findings/finding.hpp"
#include "session/argument_data.hpp"
#include "session/argument_memory.hpp"
#include "session/formula_inputs.hpp"
#include "session/report.hpp"
#include "session/runner.hpp"
#include "session/struct_layouts.hpp"

#include "warplight/compiler.hpp"
#include "warplight/ndarray.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplight::driver {
class Device;
class Function;
struct LaunchConfig;
} // namespace warplight::driver

namespace warplight::session {

class Reach;

/// Ends a run with this status and error in its report.
class StageError : public std::exception {
public:
    StageError(Status status, ReportError error) : status(status), error(std::move(error)) {}
    const char* what() const noexcept override { return error.message.c_str(); }

    Status status;
    ReportError error;
};
[[noreturn]] void input_error(const std::string& message, std::string pointer = {}, std::string details = {});
[[noreturn]] void device_error(const std::string& message, std::string pointer = {});
/// Turns a SessionError inside the value at `pointer` into an input error.
[[noreturn]] void input_error_at(const SessionError& error, const std::string& pointer = {});

/// Reads and generates all arrays that the run needs, with the expectations, and checks the files that it will write.
/// On an error `all` has the arrays that were read before it, for views.
void prepare_data(const Session& session, const RunOptions& options, const RunHooks& hooks,
                  std::vector<ArgumentData>& all);
/// The file that another session has saved for one of its arguments. @throws SessionError
std::filesystem::path saved_by(const Expectation& expectation, const Reach& reach);
/// Its contents come later, when all it may name is there. @throws SessionError where the machine has not the memory
NdArray array_for_formula(const FormulaSource& source);
/// Fills the arrays that formulas make, each behind those that its formula names. Those wait that need structs.
void fill_formulas(const RunHooks& hooks, std::vector<ArgumentData>& all);
/// Of a result, in the result's type and shape. The formula's arrays have their contents before the run. It waits where
/// one of them does.
void expect_formula(const RunHooks& hooks, const std::vector<ArgumentData>& all, ArgumentData& data);
/// The arrays and expectations that waited for structs. @param fill_fields of an array whose fields formulas make
void fill_waiting(const RunHooks& hooks, std::vector<ArgumentData>& all,
                  const std::function<void(ArgumentData&)>& fill_fields);

/// Of one number, which a formula can use.
bool is_number(const ArgumentData& data);
double value_of_scalar(const ArgumentData& data);
/// A scalar of several numbers, whose members a formula may name.
bool is_compound(const ArgumentData& data);
/// It as an array with one element. @throws SessionError for a struct whose fields are not known
NdArray compound_of(const ArgumentData& data);
/// What a formula may name.
FormulaNames names_of_arguments(const std::vector<ArgumentData>& all);

struct CompiledKernel {
    std::string lowered;
    compiler::Kernel kernel;
    int registers = 0; ///< a thread, by ptxas; 0: not known
};
/// The code to load and the kernels in it.
struct CompiledSource {
    std::string ptx;
    std::vector<CompiledKernel> kernels;       ///< in the order in which they were asked for
    std::vector<compiler::Variable> variables; ///< of the module
    std::vector<compiler::Reference> references;
    bool from_source = false;                   ///< the parameters have the types of the source
    std::string ptx_name;                       ///< the file of the session's PTX; empty for CUDA
    std::vector<std::filesystem::path> headers; ///< that the source includes, the toolkit's excepted
    /// Of structs among the parameters and variables. It may compile the source once more.
    std::function<StructLayouts()> layouts;
};
/// What a kernel is compiled for.
struct CompileTarget {
    int major = 0, minor = 0; ///< the compute capability
    bool ptxas = false;       ///< ptxas counts the registers
};
/// All kernels of the session at once. Fills the report's compile part and diagnostics.
CompiledSource compile_kernels(const Session& session, const RunOptions& options, const RunHooks& hooks,
                               const CompileTarget& target, Report& report);
CompiledSource compile_kernels(const Session& session, const RunOptions& options, const RunHooks& hooks,
                               const driver::Device& device, Report& report);

/// Gives arguments that are structs, and arrays of them, the layout of the kernel's types: packs values, fills fields
/// by formulas, and converts structured data by the names of its fields.
void resolve_structs(const Session& session, const CompiledSource& compiled, const RunHooks& hooks,
                     std::vector<ArgumentData>& arguments);
/// Whether it will need layouts, as far as that is known before the data are read.
bool may_have_structs(const Session& session, const RunOptions& options);
/// An array by a formula that may name the other arguments. @param place of the formula, in the argument
void fill_by_arguments(NdArray& array, const std::string& expression, const std::vector<ArgumentData>& all,
                       const ArgumentData& data, const RunHooks& hooks, std::string_view place);

/// Finds the arguments that are variables, gives structs their layouts, and checks the variables and textures.
void fit_arguments(const Session& session, const CompiledSource& compiled, const RunHooks& hooks,
                   std::vector<ArgumentData>& arguments);
/// Checks that the arguments fit the kernel's parameters.
void check_parameters(const CompiledKernel& kernel, const std::vector<const ArgumentData*>& arguments);
/// Those that are parameters of the session's kernel.
std::vector<const ArgumentData*> parameters_of(const std::vector<ArgumentData>& arguments);
/// Checks the extents against the device's limits, because the driver's error does not name the limit.
void check_extents(const LaunchConfiguration& launch, const driver::Device& device);
/// Checks registers and shared memory of the kernel against the limits. Allows large dynamic shared memory.
void check_resources(const LaunchConfiguration& launch, const driver::Device& device, const driver::Function& function);
/// The launch as the device interface takes it, but for its stream.
driver::LaunchConfig configuration_of(const LaunchConfiguration& launch);
/// Checks clusters and priority against the device, and gives the kernel its preferences.
void apply_launch_options(const LaunchConfiguration& launch, const driver::Device& device,
                          const driver::Function& function);

/// Those of the options, or else of the session. @throws StageError for a name that no check has
findings::Checks checks_of_run(const Session& session, const RunOptions& options);

/// While it lives, a driver checks the kernels that it launches. @throws StageError where the driver cannot
class KernelChecks {
public:
    KernelChecks(const driver::Driver& driver, const findings::Checks& checks);
    ~KernelChecks();
    KernelChecks(const KernelChecks&) = delete;
    KernelChecks& operator=(const KernelChecks&) = delete;

private:
    const driver::Driver& driver_;
};

/// While it lives, a driver profiles the kernels that it launches. @throws StageError where the driver cannot
class KernelProfile {
public:
    explicit KernelProfile(const driver::Driver& driver);
    ~KernelProfile();
    KernelProfile(const KernelProfile&) = delete;
    KernelProfile& operator=(const KernelProfile&) = delete;
    /// Of the launches until now.
    [[nodiscard]] profile::Profile take() const;

private:
    const driver::Driver& driver_;
};
/// While it lives, a driver records a warp of the first kernel that it launches. @throws StageError where it cannot
class KernelWarp {
public:
    KernelWarp(const driver::Driver& driver, const profile::WarpChoice& choice);
    ~KernelWarp();
    KernelWarp(const KernelWarp&) = delete;
    KernelWarp& operator=(const KernelWarp&) = delete;
    /// With the arguments' names for their memory. Nothing: the kernel has not run.
    [[nodiscard]] std::optional<profile::WarpRecord> take(const std::vector<ArgumentMemory>& arguments) const;

private:
    const driver::Driver& driver_;
};
/// The warp of --warp; nothing where none is asked for. @throws StageError for one that the launch does not have
[[nodiscard]] std::optional<profile::WarpChoice> warp_of_run(const LaunchConfiguration& launch,
                                                             const RunOptions& options);
/// Checks that the GPU of --roofline is a known one, and that there is a profile to compare with it.
void check_roofline(const Session& session, const RunOptions& options);

/// A run that has been measured, beside which another looks at the same launch on the software device. So times are
/// those of the kernel as it is.
struct Measured {
    const Session& session;
    const driver::Driver& driver;
    const RunOptions& options;
    const RunHooks& hooks;
};
/// Adds the profile to the report, or why there is none. @throws StageError where the user stops it
void profile_beside(const Measured& run, Report& report);
/// Adds what the checks found to the report of a run on a GPU, which makes none. @throws StageError likewise
void check_beside(const Measured& run, const findings::Checks& checks, Report& report);
/// Adds the record of a warp to the report, or why there is none. @throws StageError likewise
void record_beside(const Measured& run, const profile::WarpChoice& warp, Report& report);
/// Runs with a profile, or the record of a warp, in their reports. Of session and options nothing else is done
/// differently.
[[nodiscard]] Report run_profiled(const Session& session, const driver::Driver& driver, const RunOptions& options,
                                  const RunHooks& hooks);
[[nodiscard]] Report run_recorded(const Session& session, const driver::Driver& driver, const RunOptions& options,
                                  const RunHooks& hooks, const profile::WarpChoice& warp);

/// What was found until now, with the arguments' names for their memory.
findings::Findings take_findings(const driver::Driver& driver, const std::vector<ArgumentMemory>& arguments);

/// A comparison that `cancelled` ended is not in the report.
void compare_results(const std::vector<ArgumentData>& arguments, const std::function<bool()>& cancelled,
                     Report& report);
/// Results must not replace headers, which are known once the source was compiled.
void check_headers_stay(const std::vector<ArgumentData>& arguments, const std::vector<std::filesystem::path>& headers);
void save_results(const std::vector<ArgumentData>& arguments, const RunOptions& options, Report& report);

} // namespace warplight::session
