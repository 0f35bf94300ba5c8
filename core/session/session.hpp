// SPDX-License-Identifier: Apache-2.0
/// The session document `NAME.warplight`: source, kernel, arguments, launch, device, expectations.
/// Plain structs and their JSON. Opening a document reads no other file and runs nothing.
#pragma once

#include "findings/finding.hpp"
#include "session/exercise.hpp"
#include "session/launch_configuration.hpp"
#include "session/number.hpp"
#include "session/pipeline.hpp"
#include "session/sweep.hpp"
#include "session/texture_setup.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::session {

/// The newest version that this program reads. A document is written in the first version that has all it needs.
inline constexpr int format_version = 4;

/// A value in a session that cannot be used. `what()` is one paragraph: the problem, its place, and the remedy.
class SessionError : public std::runtime_error {
public:
    explicit SessionError(const std::string& message, std::string pointer = {}, int line = 0, int column = 0)
        : std::runtime_error(message), pointer(std::move(pointer)), line(line), column(column) {}

    std::string pointer; ///< JSON pointer to the culprit (`/arguments/2/source/shape`), empty when there is none
    int line = 0;        ///< of malformed JSON, from 1; else 0
    int column = 0;
    bool no_memory = false; ///< the session is good, but the machine or a limit has too little memory for it
};

/// Lengths of the axes, C order, slowest first.
using Shape = std::vector<std::size_t>;

/// The kernel's source: a file beside the session, or the text itself. `.ptx` names are PTX.
struct Source {
    std::string path; ///< empty when the text is in the session
    std::string text;
    std::string name; ///< of the text, for messages
    std::string unknown;

    bool is_ptx() const;
};

struct CompileOptions {
    std::string compiler = "nvrtc"; ///< or "nvcc"
    std::string arch = "auto";      ///< sm_90, compute_80, …; auto is the device's
    std::vector<std::string> options;
    bool line_info = true; ///< fault reports and PTX have source lines
    std::string unknown;
};

enum class Direction { in, out, inout, scalar };

/// A file: `.npy`, `.npz`, HDF5, a table of text, an image (PNG, JPEG, BMP, PNM: uint8 [height, width, channels]), a
/// sound (`.wav`), else raw little-endian numbers, for which dtype must be given. `shape` of a raw file defaults to
/// [all that is there].
struct FileSource {
    std::string path;
    std::string dtype; ///< of a raw file; other files are converted to it, unless it is empty
    std::optional<Shape> shape;
    std::uint64_t offset = 0; ///< raw only: bytes to skip
    std::string member = {};  ///< of a container, .npz or HDF5; empty where it holds one array only
    bool raw = false;         ///< numbers as they lie there, whatever kind of file its name says
};
struct ZerosSource {
    std::string dtype = "float32";
    Shape shape;
};
struct ConstantSource {
    std::string dtype = "float32";
    Shape shape;
    Number value = std::int64_t{0};
};
/// start, start + step, start + 2 step, …
struct ArangeSource {
    std::string dtype = "float32";
    Shape shape;
    Number start = std::int64_t{0};
    Number step = std::int64_t{1};
};
/// From start to stop, both included.
struct LinspaceSource {
    std::string dtype = "float32";
    Shape shape;
    Number start = 0.0;
    Number stop = 1.0;
};
/// Element i depends on number i + 1 of SplitMix64(seed) only, and is the same on every platform (data_source.hpp).
struct RandomSource {
    std::string dtype = "float32";
    Shape shape;
    enum class Distribution { uniform, normal } distribution = Distribution::uniform;
    Number low = std::int64_t{0};  ///< uniform: [low, high)
    Number high = std::int64_t{1}; ///< uniform
    double mean = 0;               ///< normal
    double stddev = 1;             ///< normal
    std::uint64_t seed = 0;
};
/// Each element by a formula of its place and of other arguments (formula.hpp).
struct FormulaSource {
    std::string dtype = "float32";
    Shape shape;
    std::string expression;
};
/// The type of an argument, or the dtype of its data, that is a struct or union of the source. Its layout is known once
/// the source is compiled (struct_layouts.hpp).
inline constexpr std::string_view struct_type = "struct";

/// Structs, some of whose fields are made by formulas; the others are 0.
struct FieldsSource {
    std::string dtype{struct_type};
    Shape shape;
    struct Field {
        std::string path; ///< "mass", "pos.x", "v[2]"; of an array without an index: all of its elements
        std::string expression;
    };
    std::vector<Field> fields;
};
using DataSource = std::variant<ZerosSource, FileSource, ConstantSource, ArangeSource, LinspaceSource, RandomSource,
                                FormulaSource, FieldsSource>;

/// The number of elements of another argument, or the length of one of its axes.
struct SizeOf {
    std::string argument;
    std::optional<int> axis; ///< from 0; without it all elements
};
/// The numbers of a vector type: x, y, z, w of a float4.
using Components = std::vector<Number>;
/// Of a struct: its fields as a JSON object, or its bytes as a text of hexadecimal digits, "0x0100…".
struct StructValue {
    std::string json;
};
/// Of a scalar whose parameter is an enumeration: the name of one of its values, which the compiler tells.
struct Enumerator {
    std::string name; ///< "fast", or with its scope "Mode::fast"
};
using ScalarValue = std::variant<Number, SizeOf, Components, StructValue, Enumerator>;

/// The expected output: the array in a file, the result that another session has saved for an argument, or a formula.
/// compare.hpp tells when an element passes.
struct Expectation {
    std::string path;
    std::string session;  ///< instead of path: another session's document …
    std::string argument; ///< … and the name of its argument
    /// Instead of both: a formula, whose arrays have their contents before the run.
    std::string expression;
    double rtol = 0;
    double atol = 0;
    std::string unknown;
    std::string member = {}; ///< of a container that path names
    /// Instead of all of them: result_digest() of the right result, which does not show it. No tolerances then.
    std::string digest = {};
    bool raw = false; ///< the file has numbers of the result's type as they lie there, whatever its name says
};

struct Argument {
    std::string name;
    Direction direction = Direction::in;
    /// No parameter of the kernel, but the `__constant__` or `__device__` variable of that name, as in the source; with
    /// a texture or surface the reference of that name.
    bool variable = false;
    // Of a scalar:
    std::string type = "i32"; ///< a ScalarType's name, or `struct_type`
    ScalarValue value = Number{std::int64_t{0}};
    // An array's contents before each run. For an `out` they are mostly zeros that give dtype and shape.
    DataSource source = ZerosSource{};
    std::optional<TextureSetup> texture; ///< kernels get a texture of the array, not its address
    std::optional<SurfaceSetup> surface; ///< or a surface. With both the parameter's type decides
    std::string save;                    ///< file that the result goes to, below the output folder; empty: not saved
    /// Hz of a result that is saved as a sound. 0: the rate of the sounds that the session reads (sound_rate()).
    int rate = 0;
    std::optional<Expectation> expect;
    std::string unknown;        ///< JSON object of keys that this version does not know; written back
    std::string source_unknown; ///< the same of `source`
};

/// The source is a program with main(), which is built by nvcc and runs in a process of its own, not confined.
struct Program {
    std::vector<std::string> arguments;
    std::string folder; ///< that it runs in; empty: the session's
    std::string input;  ///< file that it reads as standard input; empty: none
    std::string unknown;
};

struct Session {
    std::string title;
    std::string description;
    Notes notes;
    Source source;
    CompileOptions compile;
    std::string kernel; ///< as in the source; `scale<float>` makes an instance
    std::vector<Argument> arguments;
    LaunchConfiguration launch;
    std::optional<Pipeline> pipeline; ///< then it runs instead of the kernel and its launch
    std::optional<Program> program;   ///< then there is no kernel of the session's, and no argument
    std::string device = "auto";      ///< auto, cuda, software, cuda:1, …
    int repeat = 1;
    int warmup = 0;
    bool cold_l2 = false;             ///< each measured run begins without anything of its data in the L2 cache
    findings::Checks checks;          ///< of the running kernel
    bool profile = false;             ///< of its lines
    std::optional<Sweep> sweep;       ///< the same kernel with other values; a run does not look at it
    std::optional<Exercise> exercise; ///< the kernel is a task; a run does not look at it
    std::string unknown;
};

/// Reads the document. Throws SessionError for a document of a later version, with line and column for malformed JSON,
/// and with a JSON pointer for a wrong value.
Session parse(std::string_view text);
/// The document's text, with its keys in the order of the manual and unknown keys kept.
std::string to_text(const Session& session);

/// The same document as a JSON value, for a message. @throws SessionError as parse() does, without line and column.
Session session_from_json(const nlohmann::json& document);
nlohmann::json to_json(const Session& session);

/// Reads a document from a file, whose folder its relative paths start at.
Session load(const std::filesystem::path& file);
/// Replaces the file atomically: after a crash or with a full disk the old one is there.
void save(const Session& session, const std::filesystem::path& file);

/// "software:1" → {"software", 1}; "cuda" → {"cuda", 0}; "auto" → {"auto", 0}. Throws SessionError.
struct DeviceChoice {
    std::string driver;
    int ordinal = 0;
};
DeviceChoice parse_device(std::string_view text);

/// Types of one number that arrays have, too. Sizes in bytes, of ScalarType's names as well; 0 for an unknown name.
/// `f32` ↔ `float32`.
std::size_t size_of_type(std::string_view type_or_dtype);
std::string dtype_of_type(std::string_view type); ///< empty for an unknown one
std::string type_of_dtype(std::string_view dtype);

/// The type of a scalar argument: i8…i64, u8…u64, f16, f32, f64, bool, bf16, f8e4m3, f8e5m2, or a vector type of CUDA's
/// such as float4, uchar3, dim3, half2.
struct ScalarType {
    std::string component; ///< the type of its numbers: f32 of float4
    int components = 1;
    std::size_t size = 0;
    std::size_t alignment = 0;
};
std::optional<ScalarType> scalar_type(std::string_view name);
/// For messages and choices; vector types are those that kernels take most.
const std::vector<std::string>& names_of_scalar_types();
/// The name for a kernel's parameter of that dtype and so many components; empty where there is none.
std::string scalar_type_for(std::string_view dtype, int components);

/// Whether a value of that type may be the name of an enumerator: the type is a whole number, the text a name.
bool may_be_enumerator(std::string_view type, std::string_view text);

/// The bytes of a scalar argument, in the host's order. Throws SessionError for a number that does not fit the type,
/// such as 300 in u8 or 0.5 in i32.
std::vector<std::byte> pack_scalar(std::string_view type, const Number& value);
/// Of a vector type. Throws SessionError for another number of components, too.
std::vector<std::byte> pack_scalar(std::string_view type, const Components& values);

} // namespace warplight::session
