// SPDX-License-Identifier: Apache-2.0
#include "worker/lent_compiler.hpp"

#include <stdexcept>
#include <utility>

namespace warplight::worker {
namespace {

class LentProcesses final : public CompilerProcesses {
public:
    explicit LentProcesses(std::shared_ptr<LentCompiler> lent) : lent_(std::move(lent)) {}
    Answer ask(CompilerTask task, std::span<const std::byte> request, const compiler::CancelQuery& cancelled) override {
        return lent_->ask(task, request, cancelled);
    }

private:
    std::shared_ptr<LentCompiler> lent_;
};

class LendingToolchain final : public compiler::Toolchain {
public:
    LendingToolchain(std::unique_ptr<compiler::Toolchain> own, std::unique_ptr<compiler::Toolchain> lent)
        : own_(std::move(own)), lent_(std::move(lent)) {}

    void prepare() override { own_->prepare(); }

    compiler::CompilerIdentity identity(compiler::Backend backend, const std::string& nvcc) override {
        auto own = own_->identity(backend, nvcc);
        if (own.info.found || backend != compiler::Backend::nvrtc) return own;
        auto lent = lent_->identity(backend, nvcc);
        lent.info.lent = true;
        return lent.info.found ? lent : own;
    }
    compiler::Products compile(const compiler::Job& job) override {
        const compiler::CompileRequest& request = job.request;
        return identity(request.backend, request.nvcc).info.lent ? lent_->compile(job) : own_->compile(job);
    }
    compiler::PtxasOutput ptxas(std::string_view ptx, const compiler::Architecture& arch,
                                const compiler::CancelQuery& cancelled) override {
        return own_->ptxas(ptx, arch, cancelled);
    }
    compiler::DisassemblerOutput disassemble(const compiler::DisassemblyJob& job,
                                             const compiler::CancelQuery& cancelled) override {
        return own_->disassemble(job, cancelled);
    }

private:
    std::unique_ptr<compiler::Toolchain> own_, lent_;
};

} // namespace

void LentCompiler::set_send(std::function<void(const json&)> send) {
    const std::lock_guard lock(mutex_);
    send_ = std::move(send);
    changed_.notify_all();
}

void LentCompiler::receive(const json& message) {
    const auto id = message.find("id");
    if (id == message.end() || !id->is_number_integer()) return;
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(static_cast<int>(id->get<std::int64_t>()));
    if (found == open_.end() || found->second) return;
    found->second = message;
    changed_.notify_all();
}

CompilerProcesses::Answer LentCompiler::ask(CompilerTask task, std::span<const std::byte> request,
                                            const compiler::CancelQuery& cancelled) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return static_cast<bool>(send_); });
    const int id = next_++;
    open_[id];
    const auto send = send_;
    const auto* data = reinterpret_cast<const std::uint8_t*>(request.data());
    json params = {{"task", static_cast<int>(task)},
                   {"request", json::binary(std::vector<std::uint8_t>(data, data + request.size()))}};
    lock.unlock();
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "compiler"}, {"params", std::move(params)}});
    lock.lock();
    bool told = false;
    constexpr auto step = std::chrono::milliseconds(20);
    while (!open_[id]) {
        changed_.wait_for(lock, step);
        if (told || !cancelled || !cancelled()) continue;
        told = true;
        lock.unlock();
        send({{"jsonrpc", "2.0"}, {"method", "compiler.cancel"}, {"params", {{"id", id}}}});
        lock.lock();
    }
    const json message = std::move(*open_[id]);
    open_.erase(id);
    lock.unlock();
    if (const auto error = message.find("error"); error != message.end() && error->is_object()) {
        const auto text = error->find("message");
        throw std::runtime_error(text != error->end() && text->is_string() ? text->get<std::string>()
                                                                           : "was refused without a reason");
    }
    const auto result = message.find("result");
    if (result != message.end() && result->is_object()) {
        if (result->value("cancelled", json()) == json(true)) return {.cancelled = true, .bytes = {}};
        if (const auto bytes = result->find("bytes"); bytes != result->end() && bytes->is_binary()) {
            const auto& binary = bytes->get_binary();
            const auto* from = reinterpret_cast<const std::byte*>(binary.data());
            return {.cancelled = false, .bytes = {from, from + binary.size()}};
        }
    }
    throw std::runtime_error("sent no answer that can be read");
}

std::unique_ptr<compiler::Toolchain> with_lent_nvrtc(std::unique_ptr<compiler::Toolchain> own,
                                                     std::shared_ptr<LentCompiler> lent) {
    return std::make_unique<LendingToolchain>(std::move(own),
                                              remote_toolchain(std::make_unique<LentProcesses>(std::move(lent))));
}

bool is_lent(CompilerTask task) { return task == CompilerTask::nvrtc_identity || task == CompilerTask::compile; }

} // namespace warplight::worker
