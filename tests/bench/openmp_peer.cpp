// SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"

#include <omp.h>

#include <new>

namespace warplight::bench {
namespace {

constexpr std::align_val_t alignment{64};
struct Free {
    void operator()(std::byte* memory) const { operator delete(memory, alignment); }
};

class Loop final : public Prepared, Host {
public:
    explicit Loop(const Benchmark& benchmark) : benchmark_(benchmark) {
        for (const Array& array : benchmark.arrays) {
            const std::size_t size = array.bytes.size();
            memory_.emplace_back(static_cast<std::byte*>(operator new(size, alignment)));
            std::memcpy(memory_.back().get(), array.bytes.data(), size);
        }
    }
    void restore() override {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            const Array& array = benchmark_.arrays[i];
            if (array.written) std::memcpy(memory_[i].get(), array.bytes.data(), array.bytes.size());
        }
    }
    void run() override { benchmark_.loop(*this); }
    std::vector<std::byte> result(unsigned array) override {
        const std::byte* begin = memory_[array].get();
        return {begin, begin + benchmark_.arrays[array].bytes.size()};
    }

private:
    void* address(unsigned array) const override { return memory_[array].get(); }

    const Benchmark& benchmark_;
    std::vector<std::unique_ptr<std::byte, Free>> memory_;
};

class OpenMp final : public Peer {
public:
    std::string description() const override {
        return "plain loops, OpenMP, " + std::to_string(omp_get_max_threads()) + " threads";
    }
    std::unique_ptr<Prepared> prepare(const Benchmark& benchmark) override { return std::make_unique<Loop>(benchmark); }
};

} // namespace

std::unique_ptr<Peer> openmp_peer() { return std::make_unique<OpenMp>(); }

} // namespace warplight::bench
