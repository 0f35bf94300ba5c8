// SPDX-License-Identifier: Apache-2.0
#include "worker/compiler_processes.hpp"

#include <array>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace warplight::worker {
namespace {

class RemoteToolchain final : public compiler::Toolchain {
public:
    explicit RemoteToolchain(std::unique_ptr<CompilerProcesses> processes) : processes_(std::move(processes)) {}

    void prepare() override { processes_->prepare(); }

    compiler::CompilerIdentity identity(compiler::Backend backend, const std::string& /*nvcc*/) override {
        const bool nvcc = backend == compiler::Backend::nvcc;
        const std::scoped_lock lock(mutex_);
        compiler::CompilerIdentity& known = known_[nvcc ? 1 : 0];
        if (known.info.found) return known;
        try { // it may have been installed since the last call
            const auto task = nvcc ? CompilerTask::nvcc_identity : CompilerTask::nvrtc_identity;
            known = decode_identity(ask(task, {}, {}).bytes);
        } catch (const std::runtime_error& error) {
            known.info.backend = backend;
            known.info.problem = error.what();
        }
        return known;
    }

    compiler::Products compile(const compiler::Job& job) override {
        const CompilerProcesses::Answer answer = ask(CompilerTask::compile, encode(job), job.request.cancelled);
        if (!answer.cancelled) return decode_products(answer.bytes);
        compiler::Products products;
        products.cancelled = true;
        return products;
    }

    compiler::PtxasOutput ptxas(std::string_view ptx, const compiler::Architecture& arch,
                                const compiler::CancelQuery& cancelled) override {
        const CompilerProcesses::Answer answer =
            ask(CompilerTask::ptxas, encode(PtxasTask{std::string(ptx), arch}), cancelled);
        if (!answer.cancelled) return decode_ptxas_output(answer.bytes);
        compiler::PtxasOutput output;
        output.cancelled = true;
        return output;
    }

    compiler::DisassemblerOutput disassemble(const compiler::DisassemblyJob& job,
                                             const compiler::CancelQuery& cancelled) override {
        const CompilerProcesses::Answer answer = ask(CompilerTask::disassemble, encode(job), cancelled);
        if (!answer.cancelled) return decode_disassembler_output(answer.bytes);
        compiler::DisassemblerOutput output;
        output.cancelled = true;
        return output;
    }

private:
    CompilerProcesses::Answer ask(CompilerTask task, const std::vector<std::byte>& request,
                                  const compiler::CancelQuery& cancelled) {
        try {
            return processes_->ask(task, request, cancelled);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("the compiler ended unexpectedly (it " + std::string(error.what()) +
                                     "); the next compilation starts a new one");
        }
    }

    std::unique_ptr<CompilerProcesses> processes_;
    std::mutex mutex_;
    std::array<compiler::CompilerIdentity, 2> known_;
};

} // namespace

std::unique_ptr<compiler::Toolchain> remote_toolchain(std::unique_ptr<CompilerProcesses> processes) {
    return std::make_unique<RemoteToolchain>(std::move(processes));
}

} // namespace warplight::worker
