// SPDX-License-Identifier: Apache-2.0
// Linked into tests of the software device: all their launches are stepped through, and each runs twice, from its
// inputs. The results must be those of other runs.
#include "software/stepping/stepper.hpp"

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" CUresult cuxWarplightStep(void* stepper);

namespace {

using namespace warplight::software;

class TwiceStepper final : public Stepper {
public:
    void begins(const SteppedLaunch& launch) override {
        launch_ = &launch;
        each_round = true;
        if (runs_++ == 0) first_ = 0;
        trace_ = 0;
    }
    Answer comes(const SteppedBlock& block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t site) override {
        for (const std::uint64_t each : {block.number, std::uint64_t{warp}, std::uint64_t{lanes}, std::uint64_t{site}})
            trace_ = (trace_ ^ each) * 0x9E3779B97F4A7C15u + 1;
        return Answer::go;
    }
    void writes(const SteppedBlock&, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t) override {}
    Answer fails(const SteppedBlock&, std::uint32_t, std::uint32_t, const std::string&) override { return Answer::go; }
    Answer ends() override {
        if (runs_ == 1 && launch_->why_not_again().empty()) {
            first_ = trace_;
            return Answer::again;
        }
        // A kernel that reads a clock may do something else each time.
        if (runs_ == 2 && first_ != trace_ && std::getenv("WARPLIGHT_TEST_SAME_ROUNDS")) {
            std::fprintf(stderr, "a launch has other rounds when it runs again\n");
            std::abort();
        }
        return Answer::go;
    }
    void leaves() override { runs_ = 0; }

private:
    const SteppedLaunch* launch_ = nullptr;
    int runs_ = 0;
    std::uint64_t first_ = 0, trace_ = 0;
};

struct Begin {
    Begin() { cuxWarplightStep(new TwiceStepper); } // launches may go on until the process ends
};
const Begin begin;

} // namespace
