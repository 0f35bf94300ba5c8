// SPDX-License-Identifier: Apache-2.0
#include "remote/lender.hpp"

#include "worker/compiler_messages.hpp"
#include "worker/lent_compiler.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warplight::remote {
namespace {

using worker::CompilerTask;
using worker::json;

/// More at once would only share the processors; a worker asks for one or two.
constexpr std::size_t most_tasks = 16;

json binary(std::span<const std::byte> bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary(std::vector<std::uint8_t>(data, data + bytes.size()));
}

std::span<const std::byte> bytes_of(const json& value) {
    const auto& data = value.get_binary();
    return std::as_bytes(std::span(data.data(), data.size()));
}

} // namespace

struct Lender::State {
    /// What the folders of a compilation are called on the other machine.
    class FarNames {
    public:
        /// The same text with a path of this machine, and with its path there.
        void note(const std::string& near, const std::string& far) {
            const auto begins = near.find_first_of("/\\");
            const auto far_begins = far.find('/');
            if (near == far || begins == std::string::npos || far_begins == std::string::npos) return;
            names_.emplace_back(near.substr(begins), far.substr(far_begins));
            // A folder within another one has the longer name.
            std::ranges::sort(names_,
                              [](const auto& one, const auto& other) { return one.first.size() > other.first.size(); });
        }
        [[nodiscard]] std::string there(const std::string& text) const {
            std::string result;
            for (std::size_t at = 0; at < text.size();) {
                const auto found = std::ranges::find_if(
                    names_, [&](const auto& each) { return text.compare(at, each.first.size(), each.first) == 0; });
                if (found == names_.end()) {
                    result += text[at++];
                    continue;
                }
                result += found->second;
                at += found->first.size();
            }
            return result;
        }

    private:
        std::vector<std::pair<std::string, std::string>> names_;
    };

    std::unique_ptr<worker::CompilerProcesses> processes;
    std::function<std::string(std::string)> here;
    Send send;
    std::mutex mutex;
    std::map<std::int64_t, std::shared_ptr<std::atomic<bool>>> open;

    void answer(std::int64_t id, const char* key, json value) const {
        send({{"jsonrpc", "2.0"}, {"id", id}, {key, std::move(value)}});
    }
    void refuse(std::int64_t id, const std::string& why) const { answer(id, "error", {{"code", 0}, {"message", why}}); }

    [[nodiscard]] std::vector<std::byte> compiled(std::span<const std::byte> request,
                                                  const std::atomic<bool>& cancelled, bool& was_cancelled) const {
        auto task = worker::decode_compile_task(request);
        if (task.request.backend != compiler::Backend::nvrtc) throw std::runtime_error("lends NVRTC only");
        FarNames names;
        const auto to_here = [&](const std::string& far) {
            std::string near = here(far);
            names.note(near, far);
            return near;
        };
        task.request.folder = std::filesystem::path(to_here(task.request.folder.string()));
        for (std::string& option : task.request.options)
            option = to_here(option);
        const compiler::Job job{task.request, task.arch, here(task.file), task.request.source};
        const auto done =
            processes->ask(CompilerTask::compile, worker::encode(job), [&cancelled] { return cancelled.load(); });
        was_cancelled = done.cancelled;
        if (was_cancelled) return {};
        auto products = worker::decode_products(done.bytes);
        for (std::string* text : {&products.log, &products.ptx, &products.command})
            *text = names.there(*text);
        return worker::encode(products);
    }

    void work(std::int64_t id, CompilerTask task, const std::vector<std::byte>& request,
              const std::atomic<bool>& cancelled) {
        try {
            std::vector<std::byte> bytes;
            bool was_cancelled = false;
            if (task == CompilerTask::compile)
                bytes = compiled(request, cancelled, was_cancelled);
            else
                bytes = processes->ask(task, {}, {}).bytes;
            forget(id);
            answer(id, "result", was_cancelled ? json{{"cancelled", true}} : json{{"bytes", binary(bytes)}});
        } catch (const std::exception& error) {
            forget(id);
            refuse(id, error.what());
        }
    }
    void forget(std::int64_t id) {
        const std::lock_guard lock(mutex);
        open.erase(id);
    }
};

Lender::Lender(const worker::Access& access) : state_(std::make_shared<State>()) {
    // The wall for files decides what a source can make the compiler read.
    if (!worker::can_confine_files()) return;
    worker::CompilerRules rules;
    rules.confined = true;
    rules.readable = access.read;
    rules.readable.insert(rules.readable.end(), access.write.begin(), access.write.end());
    state_->processes = worker::start_compiler_broker(rules, worker::platform::own_program());
}

Lender::~Lender() = default;

void Lender::begin(std::function<std::string(std::string)> here, Send send) {
    state_->here = std::move(here);
    state_->send = std::move(send);
}

bool Lender::receive(const json& message) {
    const auto method = message.find("method");
    if (method == message.end()) return false;
    const bool cancels = *method == "compiler.cancel";
    if (!cancels && *method != "compiler") return false;
    const auto params = message.find("params");
    const auto* from = cancels && params != message.end() && params->is_object() ? &*params : &message;
    const auto id_field = from->find("id");
    if (id_field == from->end() || !id_field->is_number_integer()) return true;
    const auto id = id_field->get<std::int64_t>();
    State& s = *state_;
    if (cancels) {
        const std::lock_guard lock(s.mutex);
        if (const auto found = s.open.find(id); found != s.open.end()) *found->second = true;
        return true;
    }
    const auto field = [&](const char* name) -> const json& {
        static const json nothing;
        if (params == message.end() || !params->is_object()) return nothing;
        const auto found = params->find(name);
        return found == params->end() ? nothing : *found;
    };
    const json &task = field("task"), &request = field("request");
    const auto wanted =
        task.is_number_integer() ? static_cast<CompilerTask>(task.get<std::int64_t>() & 0xff) : CompilerTask::ptxas;
    if (!request.is_binary() || !worker::is_lent(wanted)) {
        s.refuse(id, "lends NVRTC only");
        return true;
    }
    if (!s.processes) {
        s.refuse(id, "is not lent: without Landlock, a source from another machine could read every file here");
        return true;
    }
    auto cancelled = std::make_shared<std::atomic<bool>>(false);
    {
        const std::lock_guard lock(s.mutex);
        if (s.open.size() >= most_tasks || !s.open.emplace(id, cancelled).second) {
            s.refuse(id, "has too much to do");
            return true;
        }
    }
    const auto bytes = bytes_of(request);
    try {
        worker::start_thread([state = state_, id, wanted, cancelled,
                              copy = std::vector<std::byte>(bytes.begin(), bytes.end())] {
            state->work(id, wanted, copy, *cancelled);
        }).detach();
    } catch (const std::runtime_error& error) {
        s.forget(id);
        s.refuse(id, error.what());
    }
    return true;
}

} // namespace warplight::remote
