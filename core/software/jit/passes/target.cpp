// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include "software/jit/host.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warplight::jit {

namespace {

constexpr std::size_t kLargeModule = 20'000; ///< instructions; beyond, code is generated with less effort
constexpr std::size_t kHugeModule = 100'000; ///< beyond, quickly

/// What no compilation has at the moment. Never destroyed: threads may compile until the process ends.
struct Kept {
    std::mutex mutex;
    std::vector<std::unique_ptr<llvm::TargetMachine>> machines;

    static Kept& instance() {
        static Kept* kept = new Kept;
        return *kept;
    }
    std::unique_ptr<llvm::TargetMachine> take(llvm::CodeGenOptLevel level) {
        const std::scoped_lock lock(mutex);
        const auto found = std::find_if(machines.begin(), machines.end(),
                                        [&](const auto& machine) { return machine->getOptLevel() == level; });
        if (found == machines.end()) return nullptr;
        auto machine = std::move(*found);
        machines.erase(found);
        return machine;
    }
    void keep(std::unique_ptr<llvm::TargetMachine> machine) {
        const std::scoped_lock lock(mutex);
        machines.push_back(std::move(machine));
    }
};

} // namespace

void KeepMachine::operator()(llvm::TargetMachine* machine) const {
    Kept::instance().keep(std::unique_ptr<llvm::TargetMachine>(machine));
}

TargetMachine take_target_machine(std::size_t instructions, Tier tier) {
    const bool quickly = tier == Tier::quick || instructions > kHugeModule;
    const llvm::CodeGenOptLevel level = quickly                       ? llvm::CodeGenOptLevel::None
                                        : instructions > kLargeModule ? llvm::CodeGenOptLevel::Less
                                                                      : llvm::CodeGenOptLevel::Default;
    if (auto kept = Kept::instance().take(level)) return TargetMachine(kept.release());
    llvm::orc::JITTargetMachineBuilder builder = host_builder();
    builder.setCodeGenOptLevel(level);
    auto machine = builder.createTargetMachine();
    if (!machine) throw std::runtime_error("no code generator: " + llvm::toString(machine.takeError()));
    return TargetMachine(machine->release());
}

bool is_optimised_less(std::size_t instructions) { return instructions > kLargeModule; }

void set_layout(llvm::Module& module, const llvm::TargetMachine& machine) {
    module.setTargetTriple(machine.getTargetTriple().str());
    module.setDataLayout(machine.createDataLayout());
}

void set_target_attributes(llvm::Module& module, const llvm::TargetMachine& machine) {
    if (machine.getTargetTriple().isOSWindows()) {
        // There LLVM takes all data to be near the code and has no table of addresses for what is not.
        for (llvm::GlobalVariable& variable : module.globals()) {
            if (!variable.isDeclaration()) continue;
            variable.setDSOLocal(true);
            variable.setCodeModel(llvm::CodeModel::Large);
        }
    }
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        f.addFnAttr("target-cpu", machine.getTargetCPU());
        f.addFnAttr("target-features", machine.getTargetFeatureString());
        // A large frame touches each of its pages, so that it cannot reach beyond the page behind the stack. On Windows
        // each function does, with ___chkstk_ms.
        if (!machine.getTargetTriple().isOSWindows()) f.addFnAttr("probe-stack", "inline-asm");
        // LLVM spills vectors to a stack that it has not aligned for them. Coroutines go without: each part of a thread
        // is a call, and aligning in each costs more than it gains.
        if (f.getName() == kBlockSymbol) f.addFnAttr("stackrealign");
    }
}

} // namespace warplight::jit
