// SPDX-License-Identifier: Apache-2.0
#include "warplight/error.hpp"

#include "driver/error_hints.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

namespace warplight::driver {

namespace {

struct CodeInfo {
    const char* name;
    int value;
    ErrorClass error_class;
};
constexpr CodeInfo kCodes[] = {
#define WARPLIGHT_ERROR_CODE(name, value, class_) {#name, value, ErrorClass::class_},
#include "driver/error_codes.def"
#undef WARPLIGHT_ERROR_CODE
};

const CodeInfo* find_code(int code) noexcept {
    for (const CodeInfo& info : kCodes)
        if (info.value == code) return &info;
    return nullptr;
}

struct Hint {
    int code;
    const char* text;
    bool of_gpus = false; ///< there is nothing in it for the software device
};
// Only where there is something to do that the code's own text does not say.
constexpr Hint kHints[] = {
    {2, "Free memory, use smaller arrays, or see mem_get_info() for what is left"},
    {34, "The toolkit's stub of libcuda was opened: install NVIDIA's driver or take the stub out of the library path",
     true},
    {36, "Update NVIDIA's driver", true},
    {46, "Another process holds the device in exclusive mode"},
    {100, "Use the software device, or check that the machine has a GPU and its driver is loaded", true},
    {101, "Device numbers start at 0 and end before Device::count()"},
    {200, "The image is neither PTX nor a CUBIN or fatbin for this device"},
    {201, "Make a context current: Device::make_context() or Context::push()"},
    {209, "Compile for this device's compute capability, or load PTX"},
    {218, "The driver's log names the line"},
    {221, "The driver's PTX compiler is missing from its installation: load a CUBIN instead", true},
    {222, "The PTX is newer than the driver: compile with an older toolkit or update the driver"},
    {500, "Check the name: C++ names are mangled in PTX unless the function is extern \"C\""},
    {600, "Wait for it first: synchronize()"},
    {700, "A kernel read or wrote outside of its memory: check its index computation against the sizes of its arrays"},
    {701, "Use smaller blocks, less shared memory, or limit the registers with __launch_bounds__"},
    {702, "The kernel ran longer than the system allows on a device with a display", true},
    {709, "The context has ended; everything made in it has ended with it"},
    {710, "An assert() of the kernel failed; its message is in the program's output"},
    {714, "The stack of a thread is too small or damaged: raise limit::STACK_SIZE"},
    {716, "A pointer is not aligned for its type"},
    {719, "Run it on the software device, which names the source line", true},
    {720, "A cooperative launch needs all blocks on the device at once: use fewer blocks"},
    {801, "This device or driver does not offer it"},
    {803, "The loaded kernel module and the driver library differ in version: reboot", true},
};

std::string compose(const ErrorInfo& info) {
    std::string message;
    if (!info.routine.empty()) message += info.routine + " failed: ";
    message += info.text;
    if (info.code) message += " (" + info.code_name + ", " + std::to_string(info.code) + ")";
    if (!info.detail.empty()) message += " - " + info.detail;
    if (!info.entity.empty()) message += " [" + info.entity + "]";
    if (!info.hint.empty()) message += ". " + info.hint + ".";
    return message;
}

std::mutex reporter_mutex;
Reporter& current_reporter() {
    // Never destroyed: destructors of static objects may still report.
    static Reporter* const reporter = new Reporter(
        [](const Error& error) { std::fprintf(stderr, "warplight: clean-up failed: %s\n", error.what()); });
    return *reporter;
}

} // namespace

Error::Error(ErrorInfo info) : info_(std::move(info)), message_(compose(info_)) {}

bool Error::sticky() const noexcept { return is_sticky(info_.code); }

bool is_sticky(int code) noexcept {
    switch (code) {
    case 214:
    case 220:
    case 226:
    case 700:
    case 702:
    case 710:
    case 714:
    case 715:
    case 716:
    case 717:
    case 718:
    case 719: return true;
    default: return false;
    }
}

FileError::FileError(std::string path, const std::string& text, std::string hint)
    : RuntimeError({.text = path + ": " + text, .hint = std::move(hint)}), path_(std::move(path)) {}

namespace {
std::string compile_text(const std::string& msg, const std::string& command_line, const std::string& out,
                         const std::string& err) {
    std::string text = msg;
    if (!command_line.empty()) text += "\n[command: " + command_line + "]";
    if (!out.empty()) text += "\n[stdout:\n" + out + "]";
    if (!err.empty()) text += "\n[stderr:\n" + err + "]";
    return text;
}
} // namespace

CompileError::CompileError(std::string msg, std::string command_line, std::string stdout_text, std::string stderr_text)
    : Error({.text = compile_text(msg, command_line, stdout_text, stderr_text)}), msg_(std::move(msg)),
      command_line_(std::move(command_line)), stdout_text_(std::move(stdout_text)),
      stderr_text_(std::move(stderr_text)) {}

ErrorClass error_class(int code) noexcept {
    const CodeInfo* info = find_code(code);
    return info ? info->error_class : ErrorClass::logic;
}

std::string error_name(int code) {
    const CodeInfo* info = find_code(code);
    return info ? info->name : "CUDA_ERROR_" + std::to_string(code);
}

std::string error_hint(int code) { return error_hint_on({}, code); }

std::string error_hint_on(std::string_view driver, int code) {
    for (const Hint& hint : kHints)
        if (hint.code == code) return hint.of_gpus && driver == "software" ? "" : hint.text;
    return {};
}

void throw_error(ErrorInfo info) {
    if (info.code && info.code_name.empty()) info.code_name = error_name(info.code);
    switch (error_class(info.code)) {
    case ErrorClass::memory: throw MemoryError(std::move(info));
    case ErrorClass::launch: throw LaunchError(std::move(info));
    case ErrorClass::runtime: throw RuntimeError(std::move(info));
    case ErrorClass::error: throw Error(std::move(info));
    case ErrorClass::none:
    case ErrorClass::logic: break;
    }
    throw LogicError(std::move(info));
}

void throw_logic_error(std::string text, std::string entity, std::string hint) {
    throw LogicError({.text = std::move(text), .entity = std::move(entity), .hint = std::move(hint)});
}

Reporter set_cleanup_reporter(Reporter reporter) {
    const std::scoped_lock lock(reporter_mutex);
    return std::exchange(current_reporter(), std::move(reporter));
}

void report_cleanup_failure(const Error& error) noexcept {
    try {
        Reporter reporter;
        {
            const std::scoped_lock lock(reporter_mutex);
            reporter = current_reporter();
        }
        if (reporter) reporter(error);
    } catch (...) {
        std::fputs("warplight: a clean-up failed, and so did its reporter\n", stderr);
    }
}

void report_cleanup_failure() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        report_cleanup_failure(error);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplight: a clean-up failed: %s\n", error.what());
    } catch (...) {
        std::fputs("warplight: a clean-up failed\n", stderr);
    }
}

} // namespace warplight::driver

namespace warplight::detail {

void throw_empty_callback() { driver::throw_logic_error("an empty callback was called"); }

} // namespace warplight::detail
