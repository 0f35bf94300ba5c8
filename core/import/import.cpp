// SPDX-License-Identifier: Apache-2.0
#include "import/import.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "warplight/compiler.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/half.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

namespace warplight::importing {
namespace {

using launch_log::Snapshot;
using launch_log::SnapshotMemory;

/// Floats may differ by the order in which another device adds them.
constexpr double relative_tolerance = 1e-5, absolute_share = 1e-6;

struct Compiled {
    compiler::CompileResult result;
    std::string compiler;
};

/// By NVRTC where it can compile the file, as that is faster, else by nvcc.
Compiled compile_source(const ImportRequest& request, const std::string& text) {
    compiler::CompileRequest ask;
    ask.source = text;
    ask.name = session::utf8_of(request.source.filename());
    ask.folder = request.source.parent_path();
    ask.options = request.options;
    ask.report = false;
    if (request.kernel.find('<') != std::string::npos) ask.name_expressions = {request.kernel};
    Compiled compiled{compiler::compile(ask), "nvrtc"};
    if (compiled.result.ok) return compiled;
    ask.backend = compiler::Backend::nvcc;
    compiled = {compiler::compile(ask), "nvcc"};
    if (compiled.result.ok) return compiled;
    std::string first;
    for (const auto& each : compiled.result.diagnostics)
        if (each.severity == compiler::Severity::error && first.empty())
            first = fmt::format(" Line {}: {}", each.line, each.message);
    throw ImportError(fmt::format("{} does not compile as the source of a session.{}", ask.name, first));
}

NdArray array_of(const std::vector<std::byte>& bytes, const DType& dtype, const Shape& shape) {
    auto array = NdArray::zeros(shape, dtype);
    std::memcpy(array.mutable_bytes().data(), bytes.data(), bytes.size());
    return array;
}

const compiler::Kernel& kernel_of(const Compiled& compiled, const Snapshot& snapshot) {
    const auto& all = compiled.result.kernels;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const compiler::Kernel& each) { return each.lowered == snapshot.kernel; });
    // Names of templates and of what only one file knows differ from compilation to compilation.
    const auto alike = [&](const compiler::Kernel& each) { return launch_log::is_kernel(snapshot.kernel, each.name); };
    if (found != all.end()) return *found;
    if (const auto named = std::find_if(all.begin(), all.end(), alike); named != all.end()) return *named;
    throw ImportError(fmt::format("The program launched {}, which the source does not have. Name the file that has it.",
                                  snapshot.kernel));
}

class Importer {
public:
    Importer(const ImportRequest& request, Snapshot snapshot) : request_(request), snapshot_(std::move(snapshot)) {}

    Imported run() {
        const auto text = read_text_file(request_.source);
        const auto compiled = compile_source(request_, text);
        const auto& kernel = kernel_of(compiled, snapshot_);
        const std::string base = session::utf8_of(request_.source.stem());
        session_.title = kernel.name;
        session_.description = fmt::format("A launch of {}, with the data that the program gave it.", kernel.name);
        session_.source.path = session::utf8_of(request_.source.filename());
        session_.kernel = kernel.name;
        session_.compile.compiler = compiled.compiler;
        session_.compile.options = request_.options;
        session_.launch.grid.assign(snapshot_.grid.begin(), snapshot_.grid.end());
        session_.launch.block.assign(snapshot_.block.begin(), snapshot_.block.end());
        session_.launch.shared = snapshot_.shared;
        session_.launch.cooperative = snapshot_.cooperative;
        if (kernel.parameters.size() != snapshot_.parameters.size())
            throw ImportError(fmt::format("{} has {} parameters in the source and {} in the program. Is it the file "
                                          "that the program was built from?",
                                          kernel.name, kernel.parameters.size(), snapshot_.parameters.size()));
        const auto variables = compiler::parse_ptx_variables(compiled.result.ptx);
        // A variable is found by its name, a parameter by its place: so variables keep theirs.
        for (const auto& each : variables)
            if (find(each)) names_.insert(each.name);
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
            add_parameter(kernel.parameters[i], snapshot_.parameters[i], i);
        for (const auto& each : variables)
            add_variable(each, text);
        tell_of_shared_memory(kernel);
        write(text, base);
        return std::move(imported_);
    }

private:
    void add_parameter(const compiler::Parameter& parameter, const launch_log::SnapshotParameter& value,
                       std::size_t i) {
        session::Argument argument;
        const std::string name = parameter.name.empty() ? fmt::format("argument{}", i) : parameter.name;
        argument.name = name;
        for (int k = 2; !names_.insert(argument.name).second; ++k)
            argument.name = fmt::format("{}_{}", name, k); // which a formula can name
        if (parameter.pointer) {
            if (!value.memory)
                throw ImportError(fmt::format(
                    "{} of {} is no address in the device's memory: a null pointer, or memory of the host. A session "
                    "gives each pointer an array.",
                    argument.name, session_.kernel));
            fill(argument, dtype_of(parameter.dtype), parameter.components, *value.memory, parameter.is_const);
            session_.arguments.push_back(std::move(argument));
            return;
        }
        const auto type =
            parameter.dtype.empty() ? std::string() : session::scalar_type_for(parameter.dtype, parameter.components);
        const auto known = session::scalar_type(type);
        if (!known || known->size != value.bytes.size())
            throw ImportError(fmt::format("{} is a {}, which a session cannot take from a program yet.", argument.name,
                                          parameter.type));
        argument.direction = session::Direction::scalar;
        argument.type = type;
        session::Components numbers;
        const std::size_t size = value.bytes.size() / static_cast<std::size_t>(known->components);
        for (int k = 0; k < known->components; ++k)
            numbers.push_back(number_of(known->component, value.bytes.data() + static_cast<std::size_t>(k) * size));
        if (known->components == 1)
            argument.value = numbers.front();
        else
            argument.value = numbers;
        session_.arguments.push_back(std::move(argument));
    }

    /// The type of a variable's elements, as its declaration in the source says it; empty where that is not found.
    static std::string declared_dtype(const std::string& name, const std::string& text) {
        const std::string last = name.substr(name.rfind(':') + 1); // npos + 1 is 0
        const std::regex declaration("\\b(float|double|int|unsigned|unsigned int|short|char|unsigned char)\\s+" + last +
                                     "\\s*\\[");
        std::smatch found;
        if (!std::regex_search(text, found, declaration)) return {};
        const std::string word = found[1];
        if (word == "float") return "float32";
        if (word == "double") return "float64";
        if (word == "int") return "int32";
        if (word == "short") return "int16";
        if (word == "char") return "int8";
        return word == "unsigned char" ? "uint8" : "uint32";
    }

    /// Null where the kernel does not reach it.
    [[nodiscard]] const launch_log::SnapshotVariable* find(const compiler::Variable& variable) const {
        const auto found =
            std::find_if(snapshot_.variables.begin(), snapshot_.variables.end(),
                         [&](const launch_log::SnapshotVariable& each) { return each.name == variable.lowered; });
        return found == snapshot_.variables.end() ? nullptr : &*found;
    }

    void add_variable(const compiler::Variable& variable, const std::string& text) {
        const auto* found = find(variable);
        if (!found) return;
        session::Argument argument;
        argument.name = variable.name;
        argument.variable = true;
        const auto dtype = variable.dtype.empty() ? declared_dtype(variable.name, text) : variable.dtype;
        fill(argument, dtype_of(dtype), 1, found->memory, found->constant);
        session_.arguments.push_back(std::move(argument));
    }

    /// The type of an array's elements; bytes where a session has no such type.
    static DType dtype_of(const std::string& name) { return name.empty() ? DType::uint8() : DType::from_name(name); }

    void fill(session::Argument& argument, DType dtype, int components, const SnapshotMemory& memory, bool constant) {
        const auto width = static_cast<std::size_t>(components);
        std::size_t element = dtype.itemsize() * width;
        Shape shape{memory.size / element};
        if (memory.size % element != 0) {
            dtype = DType::uint8();
            shape = {memory.size};
        } else if (components > 1) {
            shape.push_back(width);
        }
        const auto before = launch_log::read_memory(request_.snapshot, memory.before, memory.size);
        const auto after = launch_log::read_memory(request_.snapshot, memory.after, memory.size);
        const bool changed = before != after;
        argument.direction = constant && !changed ? session::Direction::in : session::Direction::inout;
        auto start = array_of(before, dtype, shape);
        const bool zeros = std::all_of(before.begin(), before.end(), [](std::byte b) { return b == std::byte{0}; });
        if (zeros) {
            argument.source = session::ZerosSource{dtype.name(), shape};
        } else {
            session::FileSource file;
            file.path = keep(argument.name, std::move(start));
            argument.source = std::move(file);
        }
        if (argument.direction == session::Direction::in) return;
        auto result = array_of(after, dtype, shape);
        session::Expectation expect;
        if (dtype == DType::float16() || dtype == DType::float32() || dtype == DType::float64()) {
            double largest = 0;
            for (std::size_t i = 0; i < result.size(); ++i)
                if (const double value = std::abs(result.item(i)); std::isfinite(value))
                    largest = std::max(largest, value);
            expect.rtol = dtype == DType::float16() ? 1e-3 : relative_tolerance;
            expect.atol = largest * absolute_share;
        }
        expect.path = keep(argument.name + "-after", std::move(result));
        argument.expect = std::move(expect);
    }

    /// Its place in the session's folder.
    std::string keep(const std::string& name, NdArray array) {
        std::string file = name;
        std::replace_if(
            file.begin(), file.end(),
            [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'); }, '_');
        // Some file systems do not tell A from a.
        const auto taken = [this](const std::string& path) {
            return std::any_of(arrays_.begin(), arrays_.end(), [&](const auto& each) {
                return std::equal(path.begin(), path.end(), each.first.begin(), each.first.end(),
                                  [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
            });
        };
        std::string path = fmt::format("data/{}.npy", file);
        for (int k = 2; taken(path); ++k)
            path = fmt::format("data/{}-{}.npy", file, k);
        arrays_.emplace_back(path, std::move(array));
        return path;
    }

    static session::Number number_of(std::string_view type, const std::uint8_t* bytes) {
        const auto read = [bytes]<class T>(T) {
            T value{};
            std::memcpy(&value, bytes, sizeof value);
            return value;
        };
        if (type == "bool" || type == "u8") return std::uint64_t{read(std::uint8_t{})};
        if (type == "i8") return std::int64_t{read(std::int8_t{})};
        if (type == "u16") return std::uint64_t{read(std::uint16_t{})};
        if (type == "i16") return std::int64_t{read(std::int16_t{})};
        if (type == "u32") return std::uint64_t{read(std::uint32_t{})};
        if (type == "i32") return std::int64_t{read(std::int32_t{})};
        if (type == "u64") return read(std::uint64_t{});
        if (type == "i64") return read(std::int64_t{});
        if (type == "f16") return static_cast<double>(static_cast<float>(read(Half{})));
        if (type == "f32") return static_cast<double>(read(float{}));
        if (type == "f64") return read(double{});
        throw ImportError(fmt::format("a scalar of type {} cannot be taken from a program yet", type));
    }

    void tell_of_shared_memory(const compiler::Kernel& kernel) {
        // Addresses are the parameters' bytes.
        std::vector<std::pair<std::uint64_t, std::size_t>> places;
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
            if (snapshot_.parameters[i].memory) {
                std::uint64_t address = 0;
                std::memcpy(&address, snapshot_.parameters[i].bytes.data(), sizeof address);
                places.emplace_back(address, i);
            }
        std::sort(places.begin(), places.end());
        for (std::size_t k = 0; k + 1 < places.size(); ++k) {
            const auto [address, i] = places[k];
            if (address + snapshot_.parameters[i].memory->size <= places[k + 1].first) continue;
            imported_.notes.push_back(
                fmt::format("{} and {} pointed into the same memory. The session gives each a copy of its own, so a "
                            "kernel that reads through one what it wrote through the other has other results.",
                            kernel.parameters[i].name, kernel.parameters[places[k + 1].second].name));
        }
    }

    void write(const std::string& text, const std::string& base) {
        std::filesystem::create_directories(request_.folder / "data");
        const auto session = request_.folder / session::path_from_utf8(base + ".warplight");
        std::vector<std::filesystem::path> files{session, request_.folder / request_.source.filename()};
        for (const auto& [path, array] : arrays_)
            files.push_back(request_.folder / session::path_from_utf8(path));
        const bool same = files::same_place(request_.folder, request_.source.parent_path());
        for (const auto& file : files)
            if (std::filesystem::exists(file) && !(same && file == files[1]))
                throw ImportError(
                    fmt::format("{} exists. Give the session a folder of its own.", session::utf8_of(file)));
        if (!same) write_file_atomically(files[1], text);
        for (const auto& [path, array] : arrays_)
            save_npy(request_.folder / session::path_from_utf8(path), array);
        session::save(session_, session);
        imported_.session = session;
    }

    const ImportRequest& request_;
    Snapshot snapshot_;
    session::Session session_;
    std::set<std::string> names_; ///< of arguments
    std::vector<std::pair<std::string, NdArray>> arrays_;
    Imported imported_;
};

} // namespace

Imported import_launch(const ImportRequest& request) {
    try {
        auto snapshot = launch_log::read_snapshot(request.snapshot);
        if (!snapshot)
            throw ImportError(fmt::format("The program did not launch {} so often. `warplight-cli exec --summary -- "
                                          "PROGRAM` tells which kernels it launches.",
                                          request.kernel));
        if (!snapshot->problem.empty())
            throw ImportError(fmt::format("The launch could not be copied: {}.", snapshot->problem));
        return Importer(request, std::move(*snapshot)).run();
    } catch (const launch_log::SnapshotError& error) {
        throw ImportError(fmt::format("The launch cannot be read: {}.", error.what()));
    } catch (const Error& error) {
        throw ImportError(error.what());
    } catch (const session::SessionError& error) {
        throw ImportError(error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        throw ImportError(
            fmt::format("{} cannot be made: {}", session::utf8_of(error.path1()), error.code().message()));
    }
}

} // namespace warplight::importing
