// SPDX-License-Identifier: Apache-2.0
#include "worker/compiler_processes.hpp"

#include "compiler/temporary_folder.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace warplight::worker {
namespace {

class SeparateCompilers final : public CompilerProcesses {
public:
    explicit SeparateCompilers(std::filesystem::path program) : program_(std::move(program)) {}

    Answer ask(CompilerTask task, std::span<const std::byte> request, const compiler::CancelQuery& cancelled) override {
        const compiler::TemporaryFolder folder; // here, because a killed process removes nothing
        platform::Child child(program_, {"compile-helper", folder.path.string()});
        std::atomic<bool> done = false, ended = false;
        std::thread watch([&] {
            while (!done && !ended) {
                if (cancelled && cancelled()) {
                    ended = true;
                    child.kill();
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        });
        std::thread errors([&] {
            std::byte nothing[4096];
            while (child.read_errors(nothing, sizeof nothing) != 0) {
            }
        });
        Answer answer;
        std::vector<std::byte> message{static_cast<std::byte>(task)};
        message.insert(message.end(), request.begin(), request.end());
        message = in_frame(message);
        FrameReader reader(
            [](void* stream, std::byte* to, std::size_t size) {
                return static_cast<platform::Child*>(stream)->read_output(to, size);
            },
            &child);
        const bool whole =
            child.write(message.data(), message.size()) && reader.next(answer.bytes) == FrameReader::Result::message;
        const platform::EndOfProcess end = child.wait();
        done = true;
        watch.join();
        errors.join();
        answer.cancelled = ended && !whole;
        if (!whole && !ended) throw std::runtime_error(end.text);
        return answer;
    }

private:
    std::filesystem::path program_;
};

} // namespace

std::unique_ptr<CompilerProcesses> separate_compilers(std::filesystem::path program) {
    return std::make_unique<SeparateCompilers>(std::move(program));
}

} // namespace warplight::worker
