// SPDX-License-Identifier: Apache-2.0
// A tool that listens to NVTX and writes down what it hears: injected as profilers are, and under the names of the
// functions of libnvToolsExt. Declared here is what the protocol says, so that no NVTX header is needed.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#if defined(_WIN32)
#define TOOL_API extern "C" __declspec(dllexport)
#define TOOL_CALL __stdcall
#else
#define TOOL_API extern "C" __attribute__((visibility("default")))
#define TOOL_CALL
#endif

namespace {

struct Attributes {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t color_type;
    std::uint32_t color;
    std::int32_t payload_type, reserved;
    std::int64_t payload;
    std::int32_t message_type;
    const char* message;
};

std::mutex mutex;
std::string heard;
std::uint64_t ranges = 0;
int domain = 0;

void write(const std::string& line) {
    const std::scoped_lock lock(mutex);
    heard += line + "\n";
}

std::string text(const void* in, const Attributes* a) {
    std::string line = in == &domain ? "" : "(wrong domain) ";
    if (a->version < 2 || a->version > 3 || a->size != sizeof(Attributes) || a->message_type != 1)
        return line + "(wrong attributes)";
    line += a->message;
    if (a->category) line += " category " + std::to_string(a->category);
    if (a->color_type == 1) line += " color " + std::to_string(a->color);
    if (a->payload_type == 2) line += " payload " + std::to_string(a->payload);
    return line;
}

} // namespace

TOOL_API void* TOOL_CALL nvtxDomainCreateA(const char* name) {
    write(std::string("domain ") + name);
    return &domain;
}
TOOL_API void TOOL_CALL nvtxDomainMarkEx(void* in, const Attributes* a) { write("mark " + text(in, a)); }
TOOL_API int TOOL_CALL nvtxDomainRangePushEx(void* in, const Attributes* a) {
    write("push " + text(in, a));
    return 0;
}
TOOL_API int TOOL_CALL nvtxDomainRangePop(void*) {
    write("pop");
    return 0;
}
TOOL_API std::uint64_t TOOL_CALL nvtxDomainRangeStartEx(void* in, const Attributes* a) {
    const std::uint64_t id = ++ranges;
    write("start " + std::to_string(id) + " " + text(in, a));
    return id;
}
TOOL_API void TOOL_CALL nvtxDomainRangeEnd(void*, std::uint64_t id) { write("end " + std::to_string(id)); }

/// All lines so far.
TOOL_API const char* tool_heard() {
    static std::string copy;
    const std::scoped_lock lock(mutex);
    copy = heard;
    return copy.c_str();
}

// The protocol of version 3: the program hands out tables of slots, which the tool fills.
TOOL_API int TOOL_CALL InitializeInjectionNvtx2(const void*(TOOL_CALL* get_export_table)(std::uint32_t)) {
    using Function = void (*)();
    struct Callbacks {
        std::size_t size;
        int(TOOL_CALL* get_module_function_table)(int module, Function*** table, unsigned* count);
    };
    constexpr std::uint32_t callbacks_table = 1;
    constexpr int core2 = 5;
    const auto* callbacks = static_cast<const Callbacks*>(get_export_table(callbacks_table));
    if (!callbacks || callbacks->size < sizeof(Callbacks)) return 0;
    Function** table = nullptr;
    unsigned count = 0;
    if (!callbacks->get_module_function_table(core2, &table, &count) || count <= 12) return 0;
    const auto fill = [&](int id, auto* function) { *table[id] = reinterpret_cast<Function>(function); };
    fill(1, &nvtxDomainMarkEx);
    fill(2, &nvtxDomainRangeStartEx);
    fill(3, &nvtxDomainRangeEnd);
    fill(4, &nvtxDomainRangePushEx);
    fill(5, &nvtxDomainRangePop);
    fill(12, &nvtxDomainCreateA);
    return 1;
}
