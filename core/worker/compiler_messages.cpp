// SPDX-License-Identifier: Apache-2.0
#include "worker/compiler_messages.hpp"

#include "worker/message.hpp"

#include <stdexcept>

namespace warplight::worker {
namespace {

json binary(std::string_view text) { return json::binary(std::vector<std::uint8_t>(text.begin(), text.end())); }

json binaries(const std::vector<std::string>& texts) {
    json list = json::array();
    for (const std::string& text : texts)
        list.push_back(binary(text));
    return list;
}

std::vector<std::byte> bytes_of(const json& object) {
    const std::vector<std::uint8_t> body = json::to_cbor(object);
    const auto* data = reinterpret_cast<const std::byte*>(body.data());
    return {data, data + body.size()};
}

[[noreturn]] void malformed(const char* what) {
    throw std::runtime_error(std::string("a message of the compiler's process has a wrong ") + what);
}

/// One object of a known form.
class Fields {
public:
    explicit Fields(std::span<const std::byte> bytes) {
        std::string problem;
        if (!decode_message(bytes, object_, problem))
            throw std::runtime_error("a message of the compiler's process " + problem);
        if (object_.contains("failure")) throw std::runtime_error(text("failure"));
    }
    [[nodiscard]] std::string text(const char* key) const { return text_of(at(key), key); }
    [[nodiscard]] bool truth(const char* key) const {
        const json& value = at(key);
        if (!value.is_boolean()) malformed(key);
        return value.get<bool>();
    }
    [[nodiscard]] int number(const char* key) const { return number_of(at(key), key); }
    [[nodiscard]] std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> result;
        for (const json& each : list(key))
            result.push_back(text_of(each, key));
        return result;
    }
    [[nodiscard]] std::vector<int> numbers(const char* key) const {
        std::vector<int> result;
        for (const json& each : list(key))
            result.push_back(number_of(each, key));
        return result;
    }

private:
    static std::string text_of(const json& value, const char* key) {
        if (!value.is_binary()) malformed(key);
        const auto& bytes = value.get_binary();
        return {bytes.begin(), bytes.end()};
    }
    static int number_of(const json& value, const char* key) {
        if (!value.is_number_integer()) malformed(key);
        const auto number = value.get<std::int64_t>();
        if (number < 0 || number > 1'000'000) malformed(key);
        return static_cast<int>(number);
    }
    [[nodiscard]] const json& at(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) malformed(key);
        return *found;
    }
    [[nodiscard]] const json& list(const char* key) const {
        const json& value = at(key);
        if (!value.is_array()) malformed(key);
        return value;
    }

    json object_;
};

/// A suffix becomes a part of the compiler's arguments.
compiler::Architecture architecture(const Fields& fields) {
    auto arch = compiler::parse_architecture(fields.text("arch"));
    if (!arch) malformed("arch");
    arch->real = fields.truth("real");
    return *arch;
}

} // namespace

std::vector<std::byte> encode(const compiler::Job& job) {
    const compiler::CompileRequest& request = job.request;
    return bytes_of({{"nvcc", request.backend == compiler::Backend::nvcc},
                     {"source", binary(job.source)},
                     {"file", binary(job.file)},
                     {"folder", binary(request.folder.string())},
                     {"options", binaries(request.options)},
                     {"name_expressions", binaries(request.name_expressions)},
                     {"arch", binary(job.arch.suffix)},
                     {"real", job.arch.real},
                     {"cubin", request.cubin},
                     {"lto_ir", request.lto_ir},
                     {"report", request.report},
                     {"line_info", request.line_info}});
}

CompileTask decode_compile_task(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    CompileTask task;
    compiler::CompileRequest& request = task.request;
    request.backend = fields.truth("nvcc") ? compiler::Backend::nvcc : compiler::Backend::nvrtc;
    request.source = fields.text("source");
    request.folder = std::filesystem::path(fields.text("folder"));
    request.options = fields.texts("options");
    request.name_expressions = fields.texts("name_expressions");
    request.cubin = fields.truth("cubin");
    request.lto_ir = fields.truth("lto_ir");
    request.report = fields.truth("report");
    request.line_info = fields.truth("line_info");
    task.arch = architecture(fields);
    task.file = fields.text("file");
    return task;
}

std::vector<std::byte> encode(const PtxasTask& task) {
    return bytes_of({{"ptx", binary(task.ptx)}, {"arch", binary(task.arch.suffix)}, {"real", task.arch.real}});
}

PtxasTask decode_ptxas_task(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    return {fields.text("ptx"), architecture(fields)};
}

/// The architecture of a CUBIN is in the CUBIN.
std::vector<std::byte> encode(const compiler::DisassemblyJob& job) {
    return bytes_of({{"cubin", binary(job.cubin)},
                     {"ptx", binary(job.ptx)},
                     {"arch", binary(job.ptx.empty() ? "80" : job.arch.suffix)},
                     {"real", true}});
}

compiler::DisassemblyJob decode_disassembly_job(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    return {fields.text("cubin"), fields.text("ptx"), architecture(fields)};
}

std::vector<std::byte> encode(const compiler::Products& products) {
    std::vector<std::string> expressions, lowered;
    expressions.reserve(products.lowered_names.size());
    lowered.reserve(products.lowered_names.size());
    for (const compiler::LoweredName& name : products.lowered_names) {
        expressions.push_back(name.expression);
        lowered.push_back(name.lowered);
    }
    return bytes_of({{"ok", products.ok},
                     {"log", binary(products.log)},
                     {"ptx", binary(products.ptx)},
                     {"cubin", binary(products.cubin)},
                     {"lto_ir", binary(products.lto_ir)},
                     {"command", binary(products.command)},
                     {"expressions", binaries(expressions)},
                     {"lowered", binaries(lowered)}});
}

compiler::Products decode_products(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    compiler::Products products;
    products.ok = fields.truth("ok");
    products.log = fields.text("log");
    products.ptx = fields.text("ptx");
    products.cubin = fields.text("cubin");
    products.lto_ir = fields.text("lto_ir");
    products.command = fields.text("command");
    const std::vector<std::string> expressions = fields.texts("expressions"), lowered = fields.texts("lowered");
    if (expressions.size() != lowered.size()) malformed("lowered");
    for (std::size_t i = 0; i < lowered.size(); ++i)
        products.lowered_names.push_back({expressions[i], lowered[i]});
    return products;
}

std::vector<std::byte> encode(const compiler::PtxasOutput& output) {
    return bytes_of({{"ok", output.ok}, {"text", binary(output.text)}});
}

compiler::PtxasOutput decode_ptxas_output(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    return {fields.truth("ok"), false, fields.text("text")};
}

std::vector<std::byte> encode(const compiler::DisassemblerOutput& output) {
    return bytes_of({{"ok", output.ok}, {"text", binary(output.text)}});
}

compiler::DisassemblerOutput decode_disassembler_output(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    return {fields.truth("ok"), false, fields.text("text")};
}

std::vector<std::byte> encode(const compiler::CompilerIdentity& identity) {
    const compiler::CompilerInfo& info = identity.info;
    std::vector<std::string> folders;
    folders.reserve(info.include_dirs.size());
    for (const FilePath& folder : info.include_dirs)
        folders.push_back(folder.string());
    return bytes_of({{"found", info.found},
                     {"nvcc", info.backend == compiler::Backend::nvcc},
                     {"major", info.major},
                     {"minor", info.minor},
                     {"path", binary(info.path.string())},
                     {"include_dirs", binaries(folders)},
                     {"architectures", info.architectures},
                     {"problem", binary(info.problem)},
                     {"version", binary(identity.version)}});
}

compiler::CompilerIdentity decode_identity(std::span<const std::byte> bytes) {
    const Fields fields(bytes);
    compiler::CompilerIdentity identity;
    compiler::CompilerInfo& info = identity.info;
    info.found = fields.truth("found");
    info.backend = fields.truth("nvcc") ? compiler::Backend::nvcc : compiler::Backend::nvrtc;
    info.major = fields.number("major");
    info.minor = fields.number("minor");
    info.path = std::filesystem::path(fields.text("path"));
    for (const std::string& folder : fields.texts("include_dirs"))
        info.include_dirs.emplace_back(std::filesystem::path(folder));
    info.architectures = fields.numbers("architectures");
    info.problem = fields.text("problem");
    identity.version = fields.text("version");
    return identity;
}

std::vector<std::byte> encode_failure(const std::string& why) { return bytes_of({{"failure", binary(why)}}); }

} // namespace warplight::worker
