// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <cstdlib>
#include <stdexcept>

namespace warplight::jit {

namespace {

/// Sets an option that LLVM offers on its command line alone.
template <class T>
void set_option(const char* name, T value) {
    auto& options = llvm::cl::getRegisteredOptions();
    if (const auto found = options.find(name); found != options.end())
        static_cast<llvm::cl::opt<T>*>(found->second)->setValue(value);
}

void choose_settings() {
    // InstCombine moves a computation to the only block that uses its result, across a suspension too: then all of its
    // operands are kept in the coroutine's frame instead of the one result.
    set_option("instcombine-code-sinking", false);
    // On Zen 4 some kernels' speed depends on where their blocks of code begin (docs/measurements.md). These begin
    // at a multiple of 2^5 bytes. The padding before them never runs.
    set_option("align-all-nofallthru-blocks", 5U);
    // What costs time to compile and finds nothing: an allocation of registers for tiles of AMX alone, and variables of
    // debug information, of which the code has lines only.
    set_option("x86-tile-ra", false);
    set_option("live-debug-variables", false);
}

/// Objects of Windows' own format cannot be linked in memory (JITLink lacks __ImageBase). Those of ELF can, with
/// Windows' calling convention.
llvm::Triple native_triple() {
#ifdef _WIN32
    return llvm::Triple{"x86_64-pc-windows-gnu-elf"};
#else
    return llvm::Triple{llvm::sys::getProcessTriple()};
#endif
}

/// WARPLIGHT_JIT_CPU in the environment names a processor to generate code for, as `clang -march` does. A processor
/// with fewer features than this one lets its code be tested here.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> find_host() {
    const char* wanted = std::getenv("WARPLIGHT_JIT_CPU");
    if (!wanted || !*wanted) {
        auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
        if (host) host->getTargetTriple() = native_triple();
        return host;
    }
    llvm::orc::JITTargetMachineBuilder builder{native_triple()};
    builder.setCPU(wanted);
    return builder;
}

} // namespace

const llvm::orc::JITTargetMachineBuilder& host_builder() {
    static const auto* const builder = [] { // never destroyed: threads may run until the process ends
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        choose_settings();
        auto host = find_host();
        if (!host) throw std::runtime_error("no code generator for this machine: " + llvm::toString(host.takeError()));
        host->setRelocationModel(llvm::Reloc::PIC_);
        host->setCodeModel(llvm::CodeModel::Small);
        llvm::TargetOptions& options = host->getOptions();
        options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // PTX is contracted already
        options.TrapUnreachable = true;
        return new llvm::orc::JITTargetMachineBuilder(std::move(*host));
    }();
    return *builder;
}

const std::string& host_description() {
    static const auto* const text = [] {
        const llvm::orc::JITTargetMachineBuilder& builder = host_builder();
        return new std::string(builder.getTargetTriple().str() + " " + builder.getCPU() + " " +
                               builder.getFeatures().getString());
    }();
    return *text;
}

unsigned host_width() {
    static const bool wide = host_description().find("+avx512f") != std::string::npos;
    return wide ? 16 : 8;
}

bool host_masks_anything() { return host_width() >= 16; }

bool host_multiplies_bytes() {
    static const bool does =
        host_description().find(host_masks_anything() ? "+avx512vnni" : "+avxvnni") != std::string::npos;
    return does;
}

bool host_has_halves() {
    static const bool has = host_description().find("+avx512fp16") != std::string::npos;
    return has;
}

} // namespace warplight::jit
