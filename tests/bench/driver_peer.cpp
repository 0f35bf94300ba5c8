// SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"
#include "warplight/compiler.hpp"
#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/texture.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace warplight::bench {
namespace {

using namespace warplight::driver;

Module load(const Benchmark& benchmark) {
    compiler::CompileRequest request;
    request.source = kernel_source(benchmark.folder + benchmark.name + ".cu");
    request.name = benchmark.name + ".cu";
    request.options = {"-std=c++17"};
    const auto result = compiler::compile(request);
    if (!result.ok)
        throw std::runtime_error(result.diagnostics.empty() ? result.log : result.diagnostics.front().message);
    return module_from_buffer(result.ptx);
}

class Kernels final : public Prepared, Queue {
public:
    Kernels(const Benchmark& benchmark, const Context& context)
        : benchmark_(benchmark), context_(context), module_(load(benchmark)) {
        for (const Array& array : benchmark.arrays) {
            memory_.push_back(mem_alloc(array.bytes.size()));
            memcpy_htod(memory_.back(), ConstBuffer(array.bytes.data(), array.bytes.size()));
        }
        for (unsigned i = 0; i < memory_.size(); ++i) {
            const Array& array = benchmark.arrays[i];
            if (array.width == 0) continue;
            TextureDescriptor clamped;
            clamped.address_mode.fill(address_mode::CLAMP);
            textures_.emplace(i,
                              TextureObject(ResourceDescriptor::pitch2d(memory_[i], array_format::FLOAT, 1, array.width,
                                                                        array.height, array.width * sizeof(float)),
                                            clamped));
        }
    }
    void restore() override {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            const Array& array = benchmark_.arrays[i];
            if (array.written) memcpy_htod(memory_[i], ConstBuffer(array.bytes.data(), array.bytes.size()));
        }
    }
    void run() override {
        benchmark_.kernels(*this);
        finish();
    }
    std::vector<std::byte> result(unsigned array) override {
        std::vector<std::byte> bytes(benchmark_.arrays[array].bytes.size());
        memcpy_dtoh(MutableBuffer(bytes.data(), bytes.size()), memory_[array]);
        return bytes;
    }

private:
    void launch(const char* kernel, Dim blocks, Dim threads, std::initializer_list<Argument> arguments) override {
        auto found = functions_.find(kernel);
        if (found == functions_.end()) found = functions_.emplace(kernel, module_.get_function(kernel)).first;
        std::vector<driver::Argument> values;
        for (const Argument& argument : arguments) {
            if (const auto* memory = std::get_if<Memory>(&argument))
                values.emplace_back(memory_[memory->array]);
            else if (const auto* texture = std::get_if<Texture>(&argument))
                values.emplace_back(textures_.at(texture->array));
            else if (const auto* integer = std::get_if<std::int32_t>(&argument))
                values.emplace_back(*integer);
            else
                values.emplace_back(std::get<float>(argument));
        }
        LaunchConfig config;
        config.grid = {blocks.x, blocks.y, blocks.z};
        config.block = {threads.x, threads.y, threads.z};
        found->second.call(config, values);
    }
    void finish() override { context_.synchronize(); }
    std::int32_t read(unsigned array, std::size_t index) override {
        std::int32_t value = 0;
        memcpy_dtoh(MutableBuffer(&value, sizeof value), memory_[array] + index * sizeof value);
        return value;
    }

    const Benchmark& benchmark_;
    const Context& context_;
    Module module_;
    std::vector<DeviceAllocation> memory_;
    std::map<unsigned, TextureObject> textures_;
    std::map<std::string, Function, std::less<>> functions_;
};

class DriverPeer final : public Peer {
public:
    explicit DriverPeer(const Driver& driver) : context_(Device(0, driver).make_context()) {}
    std::string description() const override { return context_.get_device().name(); }
    std::unique_ptr<Prepared> prepare(const Benchmark& benchmark) override {
        return std::make_unique<Kernels>(benchmark, context_);
    }

private:
    Context context_;
};

} // namespace

std::unique_ptr<Peer> driver_peer(const Driver& driver) { return std::make_unique<DriverPeer>(driver); }

std::string kernel_source(const std::string& file) {
    std::ifstream in(WARPLIGHT_BENCH_KERNELS "/" + file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " WARPLIGHT_BENCH_KERNELS "/" + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace warplight::bench
