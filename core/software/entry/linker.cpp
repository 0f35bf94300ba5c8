// SPDX-License-Identifier: Apache-2.0
#include "linker.hpp"

#include "../ptx/link.hpp"
#include "../ptx/parser.hpp"
#include "../runtime/failure.hpp"
#include "entry.hpp"
#include "grid_groups.hpp"
#include "software/jit/abi/device_runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace warplight::software {
namespace {

bool has_fat_binary(const std::string& bytes) {
    constexpr char magic[] = {'\x50', '\xED', '\x55', '\xBA'};
    return bytes.find(std::string_view(magic, sizeof magic)) != std::string::npos;
}

/// Whether it has functions that the device has itself.
bool is_device_runtime(const ptx::Module& module) {
    return std::any_of(module.functions.begin(), module.functions.end(), [&](const ptx::Function& function) {
        return jit::is_offered(function.name) && ptx::defines(module, function.name);
    });
}

} // namespace

void Linker::add(CUjitInputType type, std::string bytes, const std::string& name) {
    if (failed_ != CUDA_SUCCESS) fail(failed_);
    require(!completed_);
    switch (type) {
    case CU_JIT_INPUT_PTX: {
        bytes.resize(std::strlen(bytes.c_str()));
        const std::size_t first = bytes.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || (bytes[first] != '.' && bytes[first] != '/'))
            fail_with(CUDA_ERROR_INVALID_IMAGE, name + ": error: this is no PTX");
        take(parse(std::move(bytes), name));
        return;
    }
    case CU_JIT_INPUT_CUBIN: {
        std::vector<std::string> texts;
        try {
            texts = texts_of_linked_image(bytes);
        } catch (const Failure& failure) {
            fail_with(failure.code, name + ": error: " + failure.message);
        }
        if (texts.empty())
            fail_for_good(CUDA_ERROR_NO_BINARY_FOR_GPU,
                          name + ": error: machine code of a GPU (CUBIN); the software device links PTX");
        for (std::string& text : texts)
            take(parse(std::move(text), name));
        return;
    }
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_OBJECT: {
        LoadLog damage;
        auto texts = ptx_of_object(bytes, damage);
        if (texts.empty() && !has_fat_binary(bytes))
            fail_with(type == CU_JIT_INPUT_OBJECT ? CUDA_ERROR_UNKNOWN : CUDA_ERROR_INVALID_IMAGE,
                      name + ": error: no fat binary in it");
        if (texts.empty() && !damage.error.empty())
            fail_with(CUDA_ERROR_INVALID_IMAGE, name + ": error: " + damage.error);
        if (texts.empty()) fail_with(CUDA_ERROR_NO_BINARY_FOR_GPU, name + ": error: no PTX in it");
        for (std::string& text : texts) {
            Input input = parse(std::move(text), name);
            // Who has the device runtime library's objects already passes them without their library.
            if (is_device_runtime(input.parsed))
                members_.push_back(std::move(input));
            else
                take(std::move(input));
        }
        return;
    }
    case CU_JIT_INPUT_LIBRARY: {
        if (!bytes.starts_with("!<arch>\n")) fail_with(CUDA_ERROR_UNKNOWN, name + ": error: no library");
        // Members count once something needs them. Members that this device cannot read are never needed.
        LoadLog ignored;
        for (std::string& text : ptx_of_object(bytes, ignored)) {
            auto parsed = ptx::parse(text);
            if (auto* module = std::get_if<ptx::Module>(&parsed))
                members_.push_back({std::move(text), name, std::move(*module)});
        }
        return;
    }
    default: break;
    }
    if (static_cast<int>(type) < 0 || static_cast<int>(type) > 6) fail_with(CUDA_ERROR_INVALID_VALUE, "");
    fail_for_good(CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                  name + ": error: the software device has no compiler for LTO code");
}

const std::string& Linker::complete() {
    if (failed_ != CUDA_SUCCESS) fail(failed_);
    if (completed_) fail(CUDA_ERROR_INVALID_HANDLE, "this is linked already");
    completed_ = true;
    const auto start = std::chrono::steady_clock::now();
    if (inputs_.empty()) inputs_.push_back(parse(".version 6.5\n.target sm_30\n.address_size 64\n", "nothing"));
    for (;;) {
        const auto missing = undefined_symbols(linked());
        if (missing.empty() || !pull(missing)) {
            check(missing);
            break;
        }
    }
    std::vector<std::string> texts;
    texts.reserve(inputs_.size());
    for (const Input& input : inputs_)
        texts.push_back(input.text);
    image_ = linked_image(texts);
    log_.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    log_.info += "linked " + std::to_string(texts.size()) + " inputs\n";
    options_.write(log_);
    return image_;
}

Linker::Input Linker::parse(std::string text, const std::string& name) {
    auto parsed = ptx::parse(text);
    if (const auto* error = std::get_if<ptx::ParseError>(&parsed))
        fail_with(error->unsupported_version ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX,
                  name + ": " + error->message);
    return {std::move(text), name, std::move(std::get<ptx::Module>(parsed))};
}

ptx::Module Linker::linked() {
    std::vector<ptx::LinkInput> inputs;
    inputs.reserve(inputs_.size());
    for (const Input& input : inputs_)
        inputs.push_back({input.parsed, input.name});
    auto result = ptx::link(std::move(inputs));
    if (const auto* error = std::get_if<ptx::LinkError>(&result))
        fail_for_good(CUDA_ERROR_INVALID_SOURCE, error->message);
    return std::move(std::get<ptx::Module>(result));
}

void Linker::take(Input input) {
    inputs_.push_back(std::move(input));
    (void)linked();
}

bool Linker::pull(const std::vector<std::string>& missing) {
    if (!has_grid_groups_) { // before a library's, which ask the driver for more than there is
        Input own = parse(kGridGroups, "the software device");
        const auto offers = [&](const std::string& name) { return defines(own.parsed, name); };
        has_grid_groups_ = std::any_of(missing.begin(), missing.end(), offers);
        if (has_grid_groups_) {
            inputs_.push_back(std::move(own));
            return true;
        }
    }
    const auto wanted = std::stable_partition(members_.begin(), members_.end(), [&](const Input& member) {
        // Functions that the device offers are taken from no library.
        return std::none_of(missing.begin(), missing.end(), [&](const std::string& name) {
            return !jit::is_offered(name) && defines(member.parsed, name);
        });
    });
    if (wanted == members_.end()) return false;
    std::move(wanted, members_.end(), std::back_inserter(inputs_));
    members_.erase(wanted, members_.end());
    return true;
}

void Linker::check(const std::vector<std::string>& missing) {
    std::string message;
    for (const std::string& name : missing)
        if (!jit::is_offered(name)) message += "error: undefined reference to '" + name + "'\n";
    if (!message.empty()) fail_for_good(CUDA_ERROR_INVALID_SOURCE, message);
}

void Linker::fail_for_good(CUresult code, std::string message) {
    failed_ = code;
    fail_with(code, std::move(message));
}

void Linker::fail_with(CUresult code, std::string message) {
    if (!message.empty() && message.back() != '\n') message += '\n';
    log_.error += message;
    options_.write(log_);
    fail(code, message);
}

} // namespace warplight::software
