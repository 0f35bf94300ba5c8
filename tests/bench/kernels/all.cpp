// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {

#define BENCHMARK(name) Benchmark name();
#include "all.def"
#undef BENCHMARK

const std::vector<Entry>& all_benchmarks() {
    static const std::vector<Entry> entries = {
#define BENCHMARK(name) {#name, &name},
#include "all.def"
#undef BENCHMARK
    };
    return entries;
}

#define BENCHMARK(name) Benchmark name();
#include "more/all.def"
#undef BENCHMARK

const std::vector<Entry>& more_benchmarks() {
    static const std::vector<Entry> entries = {
#define BENCHMARK(name)                                                                                                \
    {#name, [] {                                                                                                       \
         Benchmark made = name();                                                                                      \
         made.folder = "more/";                                                                                        \
         return made;                                                                                                  \
     }},
#include "more/all.def"
#undef BENCHMARK
    };
    return entries;
}

} // namespace warplight::bench
