// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace warplight::bench {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif
typedef float Floats __attribute__((vector_size(vector_bytes)));
typedef std::uint32_t Integers __attribute__((vector_size(vector_bytes)));

constexpr int tries = 9, rounds = 1 << 18;
/// Enough that none waits for the last, and few enough for 16 registers.
constexpr int chains = 12;

/// Keeps the compiler from leaving out what nobody looks at.
template <class T>
void look_at(T& value) {
#if defined(__x86_64__)
    asm volatile("" : "+x"(value));
#else
    asm volatile("" : "+w"(value));
#endif
}

template <class Vector, class Step>
void calculate(Step step) {
    Vector chain[chains] = {};
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i) {
            chain[i] = step(chain[i]);
            look_at(chain[i]);
        }
    }
}

double least_time(const std::function<double()>& milliseconds, const std::function<void()>& work) {
    work();
    double least = 0;
    for (int i = 0; i < tries; ++i) {
        const double begin = milliseconds();
        work();
        const double time = milliseconds() - begin;
        least = i == 0 ? time : std::min(least, time);
    }
    return least;
}

struct Free {
    void operator()(std::byte* memory) const { operator delete(memory, std::align_val_t{64}); }
};
using Memory = std::unique_ptr<std::byte, Free>;

Memory allocate(std::size_t bytes) {
    return Memory(static_cast<std::byte*>(operator new(std::max<std::size_t>(bytes, 64), std::align_val_t{64})));
}

/// Past the caches, where the processor can.
void store_past(Integers* to, Integers value) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i&>(value));
#elif defined(__AVX__)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i&>(value));
#elif defined(__SSE2__)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i&>(value));
#else
    *to = value;
#endif
}

/// Goes through `parts` parts of them side by side: what is written needs `reads` vectors that are read. Counts are of
/// vectors.
template <int parts, int reads, bool past>
void write_all(Integers* out, const Integers* in, std::size_t count) {
    const std::size_t part = count / parts;
    for (std::size_t i = 0; i < part; ++i)
        for (std::size_t p = 0; p < parts; ++p) {
            Integers value = {};
            for (std::size_t r = 0; r < reads; ++r)
                value += in[r * count + p * part + i];
            if constexpr (past)
                store_past(out + p * part + i, value + 1U);
            else
                out[p * part + i] = value + 1U;
        }
}

template <int parts>
void read_all(const Integers* in, std::size_t count) {
    const std::size_t part = count / parts;
    Integers sums[parts] = {};
    for (std::size_t i = 0; i < part; ++i)
        for (std::size_t p = 0; p < parts; ++p)
            sums[p] += in[p * part + i];
    for (Integers& sum : sums)
        look_at(sum);
}

template <int parts, bool past>
void read_and_write(Integers* out, std::size_t written, const Integers* in, std::size_t read) {
    constexpr void (*writers[])(Integers*, const Integers*, std::size_t) = {
        write_all<parts, 0, past>, write_all<parts, 1, past>, write_all<parts, 2, past>, write_all<parts, 3, past>,
        write_all<parts, 4, past>};
    const std::size_t reads = written == 0 ? 0 : std::min<std::size_t>(read / written, 4);
    writers[reads](out, in, written);
    read_all<parts>(in + reads * written, read - reads * written);
    asm volatile("" : : "r"(out) : "memory");
}

/// The fastest of some ways to read and write as many bytes.
double memory_time(const std::function<double()>& milliseconds, const Work& work) {
    // Small sizes are gone through often enough for a time that can be measured.
    const int repeats = static_cast<int>(std::clamp(double(1 << 25) / (work.read + work.written), 1.0, 1000.0));
    const int threads = omp_get_max_threads();
    const auto share = [&](double bytes) { return static_cast<std::size_t>(bytes / threads) / vector_bytes; };
    const std::size_t read = share(work.read), written = share(work.written), apart = work.in_place ? 0 : written;
    std::vector<std::pair<Memory, Memory>> memory(static_cast<std::size_t>(threads));
#pragma omp parallel
    {
        auto& [in, out] = memory[static_cast<std::size_t>(omp_get_thread_num())];
        in = allocate(read * vector_bytes);
        out = allocate(apart * vector_bytes);
        std::memset(in.get(), 1, read * vector_bytes);
        std::memset(out.get(), 1, apart * vector_bytes);
    }
    double least = 0;
    for (const auto way :
         {read_and_write<1, false>, read_and_write<1, true>, read_and_write<4, false>, read_and_write<4, true>}) {
        const double time = least_time(milliseconds, [&] {
#pragma omp parallel
            {
                const auto& [in, out] = memory[static_cast<std::size_t>(omp_get_thread_num())];
                std::byte* const to = work.in_place ? in.get() : out.get();
                for (int i = 0; i < repeats; ++i)
                    way(reinterpret_cast<Integers*>(to), written, reinterpret_cast<const Integers*>(in.get()), read);
            }
        });
        least = least == 0 ? time : std::min(least, time);
    }
    return least / repeats * work.passes;
}

} // namespace

Limits::Limits(std::function<double()> milliseconds) : milliseconds_(std::move(milliseconds)) {
    const double steps = double(rounds) * chains * (vector_bytes / 4) * omp_get_max_threads();
    const double floats = least_time(milliseconds_, [] {
#pragma omp parallel
        calculate<Floats>([](Floats x) { return x * 0.5F + 1.0F; });
    });
    const double integers = least_time(milliseconds_, [] {
#pragma omp parallel
        calculate<Integers>([](Integers x) { return (x + 0x9e3779b9U) ^ 0x85ebca6bU; });
    });
    float_rate_ = steps / floats;
    integer_rate_ = 2 * steps / integers;
}

Limit Limits::of(const Work& work) const {
    Limit limit;
    limit.memory_ms = memory_time(milliseconds_, work);
    limit.arithmetic_ms = std::max(work.floats / float_rate_, work.integers / integer_rate_);
    return limit;
}

} // namespace warplight::bench
