// SPDX-License-Identifier: Apache-2.0
/// CUDA C++ to PTX, CUBIN or LTO-IR, with what the compiler had to say about it.
///
/// NVRTC is opened at run time (any of 11.8 to 13.x), nvcc is started when asked for; neither needs
/// a GPU. A source that does not compile is a result, not an exception: see CompileResult::ok.
#pragma once

#include "warplight/callback.hpp"
#include "warplight/file_path.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

enum class Backend { nvrtc, nvcc };
enum class Severity { note, remark, warning, error };

/// "nvrtc" or "nvcc"; anything else throws std::invalid_argument.
Backend backend_from_name(std::string_view name);
std::string_view backend_name(Backend backend);
std::string_view severity_name(Severity severity);

/// One message of a compiler. Lines and columns count from 1; 0 says that it gave none.
struct Diagnostic {
    std::string file; ///< as the compiler names it; empty when the message is about no file
    int line = 0;
    int column = 0;
    Severity severity = Severity::error;
    std::string message;
    std::vector<std::string> notes; ///< what follows it: instantiation context, suggestions, "detected during"
};

/// What ptxas says a kernel uses, in bytes where it is memory.
struct KernelResources {
    std::string name;    ///< as in the source, when it could be matched to one
    std::string lowered; ///< as in PTX
    int registers = 0;
    int barriers = -1; ///< -1: this ptxas does not say
    std::size_t stack = 0;
    std::size_t spill_stores = 0;
    std::size_t spill_loads = 0;
    std::size_t static_shared = 0;
    std::size_t constant = 0; ///< bank 0: parameters
    std::size_t local = 0;    ///< cumulative stack size
};

struct Parameter {
    std::string name;
    std::string type; ///< as written, without the name: `const float *__restrict__`
    bool pointer = false;
    bool is_struct = false;    ///< a struct or union by value, but no vector type; known once PTX was made
    bool is_const = false;     ///< of a pointer: what it points to is const
    std::string dtype;         ///< of the value or of what is pointed to: float32, int64, …; empty when it has none
    int components = 1;        ///< float4: 4 of dtype float32
    std::size_t size = 0;      ///< in the parameter buffer; 0 when not known
    std::size_t alignment = 0; ///< in the parameter buffer; 0 when not known
    std::size_t offset = 0;    ///< in the parameter buffer, valid where size is
    std::string object;        ///< "texture" or "surface" of a cudaTextureObject_t or cudaSurfaceObject_t, else empty
};

struct Kernel {
    std::string name;    ///< as in the source: `scale`, `math::scale`, for an instance `scale<float>`
    std::string lowered; ///< as in PTX; empty when PTX was not made, or has it not
    int line = 0;
    bool is_template = false;  ///< cannot be launched by this name: needs a name expression
    bool all_defaults = false; ///< of a template: `scale<>` is an instance
    bool extern_c = false;
    int max_threads = 0;      ///< first argument of __launch_bounds__ where it is a number, else 0
    int dimensions = 1;       ///< axes that the text counts along: 2 where it reads threadIdx.y or blockIdx.y, 3 with z
    int block_dimensions = 1; ///< the same of threadIdx alone: the axes of a block
    std::vector<Parameter> parameters;
};

/// A line of the PTX that belongs to a line of a source file.
struct LineMapping {
    int ptx_line = 0;
    int source_line = 0;
    std::string file;
};

/// Called with true as answer to stop the compilation: NVRTC asks between its steps.
using CancelQuery = Callback<bool()>;

struct CompileRequest {
    std::string source = {};
    std::string name = "kernel.cu"; ///< how messages call it
    FilePath folder = {};           ///< where it lies: its own #include "…" are looked for there
    std::vector<std::string> options = {};
    std::string arch = "auto"; ///< sm_90, compute_90, 90, 9.0; auto is compute_80, or what is nearest to it
    Backend backend = Backend::nvrtc;
    bool extern_c = false; ///< wrap the source in extern "C" { }, as SourceModule does
    std::vector<std::string> name_expressions =
        {};              ///< `scale<float>`: instances to make, and to name in `lowered_names`
    bool cubin = false;  ///< needs a real architecture: compute_90 becomes sm_90
    bool lto_ir = false; ///< instead of PTX
    bool report = false; ///< the ptxas report
    bool line_info = true;
    bool use_cache = true;
    CancelQuery cancelled = {};
    /// Asked for each file outside of the toolkit that the source can make the compiler read, before it is compiled. A
    /// file that is refused is an error, and so is a header whose name a macro computes. Empty: all may be read.
    Callback<bool(const FilePath&)> may_read = {};
    std::string nvcc = "nvcc"; ///< of Backend::nvcc: another program of that kind, by its path
    FilePath cache_dir = {};   ///< empty: cache_folder()
    /// The source and all products stay in a new folder, CompileResult::kept, and a line on the standard output
    /// names it.
    bool keep = false;
};

/// Ends CompileResult::compiler where the compiler was lent: the reader of the result is on its machine.
inline constexpr const char* lent_words = " of this machine";

/// A name expression, and what it is called in the PTX.
struct LoweredName {
    std::string expression;
    std::string lowered;
};

struct CompileResult {
    bool ok = false;
    bool compiler_missing = false; ///< then diagnostics say what to install
    bool cancelled = false;
    bool cached = false;
    std::vector<Diagnostic> diagnostics;
    std::string ptx;
    std::vector<std::byte> cubin;
    std::vector<std::byte> lto_ir;
    std::vector<LoweredName> lowered_names;
    std::vector<Kernel> kernels;
    std::vector<LineMapping> lines;
    std::vector<KernelResources> report;
    std::string report_problem; ///< why `report` is empty though asked for
    std::string log;            ///< the compiler's words, unchanged
    std::string command;        ///< nvcc's command line; NVRTC's options
    std::string arch;           ///< the one used; empty where the compiler does not know the request's
    std::string compiler;       ///< "NVRTC 13.0"
    std::vector<FilePath>
        headers; ///< with CompileRequest::may_read: those that the source may read, the toolkit's excepted
    std::vector<FilePath> outside; ///< and those that `may_read` refused
    FilePath kept;                 ///< with CompileRequest::keep
    double ms = 0;                 ///< time taken, a cache look-up included

    /// What a name expression is called in the PTX; empty where it is none of the request's.
    std::string lowered_name(std::string_view expression) const;
};

/// Never throws for what a source or an option can do wrong.
CompileResult compile(const CompileRequest& request);

/// What would compile here.
struct CompilerInfo {
    bool found = false;
    Backend backend = Backend::nvrtc;
    int major = 0, minor = 0;
    FilePath path;                      ///< library or program
    std::vector<FilePath> include_dirs; ///< the toolkit's
    std::vector<int> architectures;     ///< 75, 80, …, ascending
    std::string problem;                ///< when not found: what to install, then lines of where was looked
    bool lent = false;                  ///< it is not on this machine but on the one that shows the results
};
CompilerInfo compiler_info(Backend backend);

/// The virtual architecture to compile for when a device has this compute capability: its own, or
/// the newest that the compiler knows and the device can run. "compute_80".
std::string arch_for_device(int major, int minor, Backend backend = Backend::nvrtc);

/// Kernels of a source from its text alone: tolerant, for code that may be half written.
/// Comments, strings and preprocessor lines are skipped; sizes are those of built-in types.
std::vector<Kernel> parse_signatures(std::string_view source);

/// The same for somebody to choose from: after each template its instances. These are the ones that the source
/// instantiates or uses, else likely ones, and those of `name_expressions` ("scale<float, 4>").
std::vector<Kernel> offered_kernels(std::string_view source, const std::vector<std::string>& name_expressions = {});

/// Entries of a PTX text with the sizes and alignments of their parameters.
std::vector<Kernel> parse_ptx_entries(std::string_view ptx);

/// A `__device__` or `__constant__` variable of a module.
struct Variable {
    std::string name;     ///< as in the source: `filter`, `ns::filter`
    std::string lowered;  ///< as in PTX
    std::string dtype;    ///< of a single number: float32, …; empty for arrays and structures, whose PTX has no types
    std::size_t size = 0; ///< bytes
    std::size_t alignment = 0; ///< bytes
    bool constant = false;     ///< `__constant__`: a kernel cannot change it
};

/// The variables of a PTX text.
std::vector<Variable> parse_ptx_variables(std::string_view ptx);

/// A texture or surface reference of a module: `texture<…>`, `surface<…>` of CUDA up to 11.
struct Reference {
    std::string name;    ///< as in the source
    std::string lowered; ///< as in PTX
    bool is_surface = false;
};

/// The texture and surface references of a PTX text.
std::vector<Reference> parse_ptx_references(std::string_view ptx);

/// The .loc and .file directives of a PTX text: one mapping per line that holds an instruction.
std::vector<LineMapping> parse_ptx_lines(std::string_view ptx);

/// Messages of NVRTC, nvcc, its host compilers and ptxas.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

/// The table that `ptxas -v` prints.
std::vector<KernelResources> parse_ptxas_report(std::string_view log);

/// ptxas on a PTX text. Empty with `problem` set when it fails, is cancelled or there is none.
std::vector<KernelResources> ptxas_report(std::string_view ptx, const std::string& arch, std::string& problem,
                                          const CancelQuery& cancelled = {});

/// Where results are kept, unless WARPLIGHT_DISABLE_CACHE is set: WARPLIGHT_CACHE_DIR, else the user's cache folder
/// (warplight/compile).
FilePath cache_folder();
/// 512 MiB, or WARPLIGHT_CACHE_LIMIT (bytes, or such as "2G"). What was not used for longest goes first.
std::uintmax_t cache_limit();
void clear_cache();

} // namespace warplight::compiler
