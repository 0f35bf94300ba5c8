// SPDX-License-Identifier: Apache-2.0
#include "fault_program.hpp"

#include <cuda.h>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

extern "C" CUresult cuxWarplightLastError(char* buffer, size_t size);

namespace {

using Memory = FaultProgram::Memory;
using Wrong = FaultProgram::Wrong;

struct Failed {
    std::string what;
};

void must(CUresult code, const char* call) {
    if (code == CUDA_SUCCESS) return;
    char text[8192] = "";
    cuxWarplightLastError(text, sizeof text);
    throw Failed{fmt::format("{}: {}: {}", call, static_cast<int>(code), text)};
}
#define MUST(call) must(call, #call)

class Device {
public:
    Device() {
        MUST(cuInit(0));
#if CUDA_VERSION >= 13000
        MUST(cuCtxCreate(&context_, nullptr, 0, 0));
#else
        MUST(cuCtxCreate(&context_, 0, 0));
#endif
    }
    ~Device() { cuCtxDestroy(context_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

private:
    CUcontext context_ = nullptr;
};

CUdeviceptr allocate(std::size_t bytes) {
    CUdeviceptr p = 0;
    MUST(cuMemAlloc(&p, bytes));
    return p;
}

/// Of one row of numbers.
struct Texture {
    CUarray array = nullptr;
    CUtexObject object = 0;
    Texture() {
        CUDA_ARRAY_DESCRIPTOR shape{};
        shape.Width = kFaultSurfaceWidth;
        shape.Format = CU_AD_FORMAT_FLOAT;
        shape.NumChannels = 1;
        MUST(cuArrayCreate(&array, &shape));
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        const CUDA_TEXTURE_DESC reads{};
        MUST(cuTexObjectCreate(&object, &resource, &reads, nullptr));
    }
};

/// Where what is wrong goes, and what is to be told of it.
struct Wanted {
    std::uint64_t delta;
    std::string address; ///< the last line, or its start
    std::string says;
    /// Distance of the address from where its memory begins, which is a multiple of 16 and not known.
    std::optional<std::uint64_t> from_base = std::nullopt;
};

Wanted wanted(const FaultProgram& p, std::uint64_t base, std::uint64_t freed, std::uint64_t other_texture) {
    const std::uint64_t good = base + p.offset;
    Wanted w{static_cast<std::uint64_t>(p.delta), {}, {}};
    if (p.wrong == Wrong::null) w.delta = 64 - good;
    if (p.wrong == Wrong::no_address) w.delta = 0x8000000000000000;
    if (p.wrong == Wrong::freed) w.delta = freed + p.offset % 4096 / p.bytes * p.bytes - good;
    const std::uint64_t address = good + w.delta;
    const bool is_misaligned = p.wrong == Wrong::misaligned;
    switch (p.memory) {
    case Memory::texture: return {other_texture, {}, "a texture instruction with a texture whose memory is gone"};
    case Memory::surface: w.says = is_misaligned ? "misaligned offset" : "outside of a surface"; return w;
    case Memory::local:
        w.from_base = p.offset + w.delta;
        if (!is_misaligned)
            w.says = fmt::format("outside of the {} bytes of local memory of the thread", kFaultLocalBytes);
        break;
    case Memory::generic_shared: {
        const auto place = static_cast<std::int64_t>(p.offset) + p.delta;
        w.from_base = static_cast<std::uint64_t>(place);
        if (is_misaligned) break;
        w.says = place < 0 ? fmt::format("{} bytes before the 8192 bytes of shared memory of the block", -place)
                           : fmt::format("{} bytes past the 8192 bytes of shared memory of the block", place - 8192);
        break;
    }
    case Memory::shared: {
        const auto place = static_cast<std::int64_t>(p.offset) + p.delta;
        w.address = fmt::format("  shared address 0x{:x}: ", static_cast<std::uint32_t>(place));
        if (!is_misaligned)
            w.says = place < 0 ? fmt::format("{} bytes before the 8192 bytes of shared memory", -place)
                               : fmt::format("{} bytes past the 8192 bytes of shared memory", place - 8192);
        break;
    }
    default: {
        w.address = fmt::format("  address 0x{:x}: ", address);
        if (p.wrong == Wrong::null) w.says = "null pointer";
        if (p.wrong == Wrong::no_address) w.says = "outside of any address space";
        if (p.wrong == Wrong::freed) w.says = "which was freed";
        // However far off, it is told of the memory that its pointer is of. A function's is its caller's to know.
        const bool is_constant = p.memory == Memory::constant;
        const std::uint64_t size = is_constant ? kFaultConstantBytes : kFaultBufferBytes;
        const std::string whole = is_constant ? fmt::format("the {} bytes of variable 'c'", size)
                                              : fmt::format("the {} bytes at 0x{:x}", size, base);
        // Memory may be so high that what lies far past it is no address.
        if (p.wrong == Wrong::far && !p.in_function)
            w.says = address >> 47 ? "outside of any address space" : "past the end of " + whole;
        if (p.wrong == Wrong::beside) {
            const auto place = static_cast<std::int64_t>(p.offset) + p.delta;
            w.says = place < 0
                         ? fmt::format("{} bytes before {}", -place, whole)
                         : fmt::format("{} bytes past the end of {}", place - static_cast<std::int64_t>(size), whole);
        }
        break;
    }
    }
    if (is_misaligned) w.says = fmt::format(": not a multiple of {}", p.bytes);
    return w;
}

/// Of memory of whose place one knows that it begins at a multiple of 16, among the addresses of the process.
bool may_be_told(const char* text, std::uint64_t from_base) {
    constexpr char kAddress[] = "  address 0x";
    const char* line = std::strstr(text, kAddress);
    if (!line) return false;
    const std::uint64_t base = std::strtoull(line + sizeof kAddress - 1, nullptr, 16) - from_base;
    return base % 16 == 0 && base >= 65536 && base >> 47 == 0;
}

std::optional<std::string> check(const FaultProgram& p) {
    const Device device;
    CUmodule module = nullptr;
    MUST(cuModuleLoadData(&module, p.text.c_str()));
    CUfunction kernel = nullptr;
    MUST(cuModuleGetFunction(&kernel, module, "k"));
    CUdeviceptr constants = 0;
    std::size_t bytes = 0;
    MUST(cuModuleGetGlobal(&constants, &bytes, module, "c"));

    CUdeviceptr first = allocate(kFaultBufferBytes), second = allocate(kFaultBufferBytes),
                table = allocate(kFaultBufferBytes);
    std::vector<std::uint32_t> values(kFaultBufferBytes / 4);
    for (std::uint32_t k = 0; k < values.size(); ++k)
        values[k] = fault_table(k);
    MUST(cuMemcpyHtoD(table, values.data(), kFaultBufferBytes));
    const std::size_t threads = std::size_t{p.grid[0]} * p.grid[1] * p.grid[2] * p.block[0] * p.block[1] * p.block[2];
    CUdeviceptr out = allocate(8 * threads), deltas = allocate(8 * threads);
    const CUdeviceptr gone = allocate(16384);
    MUST(cuMemFree(gone));
    CUDA_ARRAY3D_DESCRIPTOR shape{};
    shape.Width = kFaultSurfaceWidth;
    shape.Height = kFaultSurfaceHeight;
    shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    shape.NumChannels = 1;
    shape.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    MUST(cuArray3DCreate(&resource.res.array.hArray, &shape));
    CUsurfObject surface = 0;
    MUST(cuSurfObjectCreate(&surface, &resource));
    const Texture texture, other;
    MUST(cuArrayDestroy(other.array));
    std::uint64_t good_texture = texture.object;

    const std::uint64_t base = p.memory == Memory::buffer     ? (p.buffer ? second : first)
                               : p.memory == Memory::table    ? table
                               : p.memory == Memory::constant ? constants
                                                              : 0;
    Wanted w = wanted(p, base, gone, other.object - texture.object);
    std::vector<std::uint64_t> each(threads);
    std::uint64_t none = 0;
    std::uint32_t number = p.number;
    void* arguments[] = {&first, &second, &table, &out, &deltas, &none, &surface, &good_texture, &number};
    const auto launch = [&] {
        MUST(cuMemcpyHtoD(deltas, each.data(), 8 * threads));
        MUST(cuLaunchKernel(kernel, p.grid[0], p.grid[1], p.grid[2], p.block[0], p.block[1], p.block[2], 0, nullptr,
                            arguments, nullptr));
        return cuCtxSynchronize();
    };
    must(launch(), "without what is wrong");
    each[p.thread] = w.delta;
    arguments[5] = &w.delta;
    const CUresult code = launch();
    const CUresult expected = p.wrong == Wrong::misaligned ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_ERROR_ILLEGAL_ADDRESS;
    char text[8192] = "";
    cuxWarplightLastError(text, sizeof text);
    if (code != expected)
        return fmt::format("code {} instead of {}: {}", static_cast<int>(code), static_cast<int>(expected), text);
    const auto index = [](const std::array<unsigned, 3>& i) { return fmt::format("({},{},{})", i[0], i[1], i[2]); };
    for (const std::string& part :
         {std::string(" in kernel 'k'"),
          fmt::format("at fault.cu:{}:{} (PTX line {}: {}", p.line, p.column, p.ptx_line, p.spelled),
          fmt::format("block {}, thread {}", index(p.block_index), index(p.thread_index)), w.address, w.says}) {
        if (!std::strstr(text, part.c_str())) return fmt::format("lacks \"{}\":\n{}", part, text);
    }
    if (w.from_base && !may_be_told(text, *w.from_base))
        return fmt::format("not an address of base + {:#x}:\n{}", *w.from_base, text);
    return std::nullopt;
}

} // namespace

std::optional<std::string> check_fault_program(const FaultProgram& program) {
    try {
        return check(program);
    } catch (const Failed& failed) {
        return failed.what;
    }
}
