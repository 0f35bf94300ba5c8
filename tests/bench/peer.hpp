// SPDX-License-Identifier: Apache-2.0
// Who runs benchmarks: a CUDA driver (the software device), PoCL, OpenMP.
#pragma once

#include "benchmark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warplight::driver {
class Driver;
}

namespace warplight::bench {

/// A benchmark that is compiled, with its arrays copied.
class Prepared {
public:
    virtual ~Prepared() = default;
    /// Sets the arrays that a run writes to what they hold at its beginning.
    virtual void restore() = 0;
    /// All of it: when it comes back, the results are there.
    virtual void run() = 0;
    virtual std::vector<std::byte> result(unsigned array) = 0;

    Prepared() = default;
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;
};

class Peer {
public:
    virtual ~Peer() = default;
    virtual std::string description() const = 0;
    /// The benchmark must live as long as what is returned. Throws std::exception, whose text says why not.
    virtual std::unique_ptr<Prepared> prepare(const Benchmark& benchmark) = 0;

    Peer() = default;
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
};

/// Gets a peer's threads ready before a run that is timed. A thread that slept for long begins on the processor that
/// woke it, and shares it for longer than most runs take: busy ones are moved apart.
class WarmUp {
public:
    explicit WarmUp(Peer& peer);
    void run();

private:
    Benchmark benchmark_;
    std::unique_ptr<Prepared> prepared_;
};

/// NAME.cu, to PTX by NVRTC, loaded by this driver.
std::unique_ptr<Peer> driver_peer(const driver::Driver& driver);
/// NAME.cl. Null, and why, when there is no PoCL.
std::unique_ptr<Peer> pocl_peer(std::string& problem);
/// The loop.
std::unique_ptr<Peer> openmp_peer();

/// A file of the folder kernels.
std::string kernel_source(const std::string& file);

} // namespace warplight::bench
