// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "../ptx/effects.hpp"
#include "../ptx/local_array.hpp"
#include "address_origin.hpp"
#include "address_space.hpp"
#include "failure.hpp"
#include "shared_window.hpp"

#include "launch_log/launch_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warplight::software {
namespace {

/// Calls visit(location) for an instruction's location and the calls that it was inlined at, the innermost first.
template <class Visit>
void each_location(const ptx::Module& module, std::int32_t at, Visit visit) {
    // A chain longer than any real one is a loop.
    for (int depth = 0; at >= 0 && static_cast<std::size_t>(at) < module.locations.size() && depth < 64; ++depth) {
        const ptx::SourceLocation& location = module.locations[static_cast<std::size_t>(at)];
        visit(location);
        at = location.inlined_at;
    }
}

/// An instruction that the compiler made for several lines has line 0: then the line of the one before it.
std::int32_t location_of(const ptx::Module& module, const ptx::Function& function, std::uint32_t instruction) {
    const auto has_line = [&](std::int32_t at) {
        return at >= 0 && static_cast<std::size_t>(at) < module.locations.size() &&
               module.locations[static_cast<std::size_t>(at)].line != 0;
    };
    for (std::uint32_t k = instruction + 1; k-- > 0;)
        if (has_line(function.instructions[k].location)) return function.instructions[k].location;
    return function.instructions[instruction].location;
}

std::string file_line(const ptx::Module& module, const ptx::SourceLocation& location) {
    const std::string file = location.file < module.files.size() ? module.files[location.file] : std::string("?");
    if (location.column) return fmt::format("{}:{}:{}", file, location.line, location.column);
    return fmt::format("{}:{}", file, location.line);
}

} // namespace

std::string spelled(const ptx::Instruction& i) {
    std::string text{ptx::spelling(i.opcode)};
    const ptx::Effects effects = ptx::effects_of(i);
    if (ptx::is_texture(i.opcode) && (effects.reads_memory || effects.writes_memory)) {
        // The kind of the access says more than its types.
        for (unsigned m = 0; m < static_cast<unsigned>(ptx::Modifier::count_); ++m)
            if (i.modifiers.test(m)) text += fmt::format(".{}", ptx::spelling(static_cast<ptx::Modifier>(m)));
    }
    if (i.opcode == ptx::Opcode::cp)
        for (const ptx::Modifier m : {ptx::Modifier::async, ptx::Modifier::bulk})
            if (i.has(m)) text += fmt::format(".{}", ptx::spelling(m));
    if (i.opcode == ptx::Opcode::wmma)
        for (const ptx::Modifier m : {ptx::Modifier::load, ptx::Modifier::store, ptx::Modifier::mma, ptx::Modifier::a,
                                      ptx::Modifier::b, ptx::Modifier::c, ptx::Modifier::d})
            if (i.has(m)) text += fmt::format(".{}", ptx::spelling(m));
    switch (i.space) {
    case ptx::Space::global: text += ".global"; break;
    case ptx::Space::shared: text += ".shared"; break;
    case ptx::Space::local: text += ".local"; break;
    case ptx::Space::constant: text += ".const"; break;
    default: break;
    }
    if (i.opcode == ptx::Opcode::cp && i.source_space == ptx::Space::global) text += ".global";
    if (i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red)
        for (const ptx::Modifier m :
             {ptx::Modifier::add, ptx::Modifier::min, ptx::Modifier::max, ptx::Modifier::and_, ptx::Modifier::or_,
              ptx::Modifier::xor_, ptx::Modifier::inc, ptx::Modifier::dec, ptx::Modifier::exch, ptx::Modifier::cas})
            if (i.has(m)) text += fmt::format(".{}", ptx::spelling(m));
    if (i.vector_width > 1) text += fmt::format(".v{}", i.vector_width);
    if (i.type_count > 0) text += fmt::format(".{}", ptx::spelling(i.types[0]));
    return text;
}

namespace {

const char* what(const Trap& trap) {
    if (trap.what) return trap.what;
    if (trap.arithmetic) return "an arithmetic operation that the processor cannot do";
    switch (trap.fault) {
    case Fault::trap: return "a trap instruction was executed";
    case Fault::assertion: return "device-side assert triggered";
    case Fault::misaligned: return "misaligned address";
    case Fault::illegal_address: return "an illegal memory access was encountered";
    case Fault::illegal_instruction: return "an illegal instruction was encountered";
    case Fault::invalid_pc: return "a call through a pointer that is no function, or one of another signature";
    case Fault::stack_overflow: return "the stack overflowed";
    case Fault::out_of_memory: return "no memory for the threads of a block";
    case Fault::missing_lanes: return "lanes of a warp operation do not come to it with the others";
    case Fault::cancelled: return "the launch was cancelled";
    }
    return "a fault";
}

/// The state space that an instruction's address is written in.
ptx::Space space_of(const ptx::Module& module, const std::optional<jit::Site>& site) {
    if (!site || site->function >= module.functions.size()) return ptx::Space::generic;
    const auto& instructions = module.functions[site->function].instructions;
    return site->instruction < instructions.size() ? instructions[site->instruction].space : ptx::Space::generic;
}

/// "128 bytes past the 4096 bytes of shared memory of the block", of an offset from its start.
std::string outside_of_shared(std::int64_t offset, std::uint64_t size) {
    if (size == 0) return "the block has no shared memory";
    const std::string of = fmt::format("the {} bytes of shared memory of the block", size);
    if (offset < 0) return fmt::format("{} bytes before {}", -offset, of);
    if (static_cast<std::uint64_t>(offset) >= size)
        return fmt::format("{} bytes past {}", static_cast<std::uint64_t>(offset) - size, of);
    return fmt::format("byte {} of {}", offset, of);
}

/// Describes the address of a fault, with the address as the instruction has it.
std::string wrong_address(const Function& function, const Trap& trap, const FaultPlace& place) {
    const Module& module = function.module;
    const ptx::Space space = space_of(module.ptx, place.site);
    const bool is_written_shared = space == ptx::Space::shared || space == ptx::Space::shared_cluster;
    if (place.shared && SharedWindow::reaches(place.shared, trap.address)) {
        const auto offset = static_cast<std::int64_t>(trap.address - place.shared);
        const auto word = static_cast<std::uint32_t>(offset);
        // A shared address has 32 bits: a small negative one is a large number.
        if (is_written_shared)
            return fmt::format("shared address 0x{:x}: {}", word,
                               outside_of_shared(static_cast<std::int32_t>(word), place.shared_bytes));
        return fmt::format("address 0x{:x}: {}", trap.address, outside_of_shared(offset, place.shared_bytes));
    }
    if (space == ptx::Space::local)
        return fmt::format("address 0x{:x}: outside of the {} bytes of local memory of the thread", trap.address,
                           function.local_bytes);
    const auto name = [&](const Allocation& a) {
        if (a.kind != Allocation::Kind::variable) return std::string();
        const jit::VariableAddresses& addresses = module.addresses();
        for (std::size_t v = 0; v < addresses.size(); ++v)
            if (addresses[v] == a.base && module.ptx.variables[v].size == a.size)
                return fmt::format("the {} bytes of variable '{}'", a.size, module.ptx.variables[v].name);
        return std::string();
    };
    const AddressSpace::Naming naming{name, place.site ? address_origin(function, *place.site, place.parameters)
                                                       : std::nullopt};
    return fmt::format("address 0x{:x}: {}", trap.address, AddressSpace::instance().describe(trap.address, naming));
}

std::string tuple(const std::array<std::uint32_t, 3>& v) { return fmt::format("({},{},{})", v[0], v[1], v[2]); }

const char* waiting_for(const ThreadContext& t) {
    switch (t.wait) {
    case Wait::barrier: return "at a barrier";
    case Wait::warp: return "for lanes of its warp";
    case Wait::cluster: return "at the barrier of the cluster";
    case Wait::yield: return "in a loop for memory that others change";
    default: return "";
    }
}

} // namespace

CUresult code_of(const Trap& trap) {
    switch (trap.fault) {
    case Fault::trap: return CUDA_ERROR_LAUNCH_FAILED;
    case Fault::assertion: return CUDA_ERROR_ASSERT;
    case Fault::misaligned: return CUDA_ERROR_MISALIGNED_ADDRESS;
    case Fault::illegal_address: return CUDA_ERROR_ILLEGAL_ADDRESS;
    case Fault::illegal_instruction: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case Fault::invalid_pc: return CUDA_ERROR_INVALID_PC;
    case Fault::stack_overflow: return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case Fault::out_of_memory: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case Fault::missing_lanes: return CUDA_ERROR_LAUNCH_FAILED;
    case Fault::cancelled: return CUDA_ERROR_LAUNCH_TIMEOUT;
    }
    return CUDA_ERROR_LAUNCH_FAILED;
}

std::optional<jit::Site> site_of(const jit::CompiledKernel& kernel, const Trap& trap) {
    if (trap.site != UINT32_MAX) return kernel.site(trap.site);
    if (trap.pc) {
        if (auto site = kernel.site_at(trap.pc)) return site;
    }
    for (unsigned i = 0; i < trap.caller_count; ++i) {
        // A return address lies behind its call.
        const auto call = reinterpret_cast<std::uintptr_t>(trap.callers[i]) - 1;
        if (auto site = kernel.site_at(reinterpret_cast<const void*>(call))) return site;
    }
    return std::nullopt;
}

std::string describe_site(const ptx::Module& module, const jit::Site& site) {
    if (site.function >= module.functions.size()) return "an unknown place";
    const ptx::Function& function = module.functions[site.function];
    if (site.instruction >= function.instructions.size()) return fmt::format("function {}", function.name);
    const ptx::Instruction& instruction = function.instructions[site.instruction];
    const std::string ptx = fmt::format("PTX line {}: {}", instruction.line, spelled(instruction));
    const std::int32_t place = location_of(module, function, site.instruction);
    if (place < 0) {
        return function.kernel ? ptx : fmt::format("{}, in function {}", ptx, function.name);
    }
    std::string text;
    each_location(module, place, [&](const ptx::SourceLocation& location) {
        if (!text.empty()) text += ", inlined at ";
        text += file_line(module, location);
        if (!location.function.empty()) text += fmt::format(" in {}", location.function);
    });
    return fmt::format("{} ({})", text, ptx);
}

std::string variable_name(const std::string& name) {
    if (const auto array = ptx::local_array_of(name)) return array->name.empty() ? "__local_depot" : array->name;
    const std::string source = launch_log::source_name(name);
    const auto scope = source.rfind("::");
    return scope == std::string::npos ? source : source.substr(scope + 2);
}

void place_event(const ptx::Module& module, const jit::Site& site, findings::Event& event) {
    if (site.function >= module.functions.size()) return;
    const ptx::Function& function = module.functions[site.function];
    if (site.instruction >= function.instructions.size()) return;
    const ptx::Instruction& instruction = function.instructions[site.instruction];
    event.ptx_line = static_cast<int>(instruction.line);
    each_location(module, location_of(module, function, site.instruction), [&](const ptx::SourceLocation& l) {
        const findings::Place place{l.file < module.files.size() ? module.files[l.file] : std::string(),
                                    static_cast<int>(l.line), static_cast<int>(l.column)};
        if (event.place.file.empty())
            event.place = place;
        else
            event.inlined_at.push_back(place);
    });
}

std::string describe_fault(const Function& function, const Trap& trap, const FaultPlace& place) {
    std::string text = fmt::format("{} in kernel '{}'", what(trap), function.ptx().name);
    if (place.site)
        text +=
            fmt::format("\n  {} {}", place.is_near ? "near" : "at", describe_site(function.module.ptx, *place.site));
    text += fmt::format("\n  block {}", tuple(place.block));
    if (place.thread) text += fmt::format(", thread {}", tuple(*place.thread));
    if (trap.fault == Fault::misaligned && trap.has_address) {
        // A copy has another address too, which is longer.
        const bool shared = space_of(function.module.ptx, place.site) == ptx::Space::shared && trap.address >> 32 == 0;
        text += fmt::format("\n  {}address 0x{:x}: not a multiple of {}", shared ? "shared " : "", trap.address,
                            trap.alignment);
    }
    if (trap.fault == Fault::illegal_address && (trap.hardware || trap.has_address))
        text += trap.has_address ? "\n  " + wrong_address(function, trap, place)
                                 : "\n  at an address outside of any address space";
    return text;
}

std::string describe_deadlock(const Function& function, const jit::CompiledKernel& kernel,
                              const BlockScheduler& block) {
    struct Group {
        unsigned count = 0;
        std::uint32_t first = 0;
        std::string why;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t>, Group> groups;
    unsigned exited = 0;
    for (const ThreadContext& t : block.threads()) {
        if (t.wait == Wait::done) {
            ++exited;
            continue;
        }
        Group& g = groups[{t.site, static_cast<std::uint32_t>(t.wait)}];
        if (g.count++ > 0) continue;
        g.first = t.linear;
        g.why = waiting_for(t);
        if (t.wait == Wait::barrier) g.why += fmt::format(" {}", t.mask & 15);
        if (t.wait == Wait::warp) g.why += fmt::format(" (mask 0x{:08x})", t.mask);
    }
    const BlockContext& b = block.block();
    std::string text = fmt::format("deadlock in kernel '{}': in block ({},{},{}) every thread waits",
                                   function.ptx().name, b.ctaid[0], b.ctaid[1], b.ctaid[2]);
    for (const auto& [key, g] : groups) {
        text += fmt::format("\n  {} thread{}, first {}, {} at {}", g.count, g.count == 1 ? "" : "s",
                            tuple(thread_index(*b.launch, g.first)), g.why,
                            describe_site(function.module.ptx, kernel.site(std::get<0>(key))));
    }
    if (exited) text += fmt::format("\n  {} thread{} exited", exited, exited == 1 ? " has" : "s have");
    return text;
}

std::array<std::uint32_t, 3> thread_index(const LaunchContext& launch, std::uint32_t linear) {
    return {linear % launch.ntid[0], linear / launch.ntid[0] % launch.ntid[1],
            linear / launch.ntid[0] / launch.ntid[1]};
}

} // namespace warplight::software
