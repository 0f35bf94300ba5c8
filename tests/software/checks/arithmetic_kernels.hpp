// SPDX-License-Identifier: Apache-2.0
// Kernels with arithmetic that means nothing, and the same without the mistake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace arithmetic_kernels {

/// A kernel `k`, launched with 2 blocks of 64 threads, of which t is the number in the block. in[k] is k, for 256 ints,
/// real[k] is k / 4 - 8. n is 256, one is 1, zero is 0.
struct Kernel {
    const char* name;
    std::string body;         ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of it
    std::uint64_t count;      ///< threads; 0: it depends
    const char* says;         ///< part of the message
    bool is_doubtful = false; ///< told only where the check is asked for by name
};

inline constexpr const char* kParameters = "int* out, const int* in, const float* real, float* results, double* wide, "
                                           "int n, int one, int zero";

inline std::vector<Kernel> all() {
    const std::string i = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n";
    const char *division = "divided by 0", *quotient = "divided by -1", *shift = "a shift by", *nan = "no number",
               *overflow = "overflows";
    return {
        {"a division by zero", i + "out[i] = n / WRONG(in[i], in[i] + 1); // HERE\n", 1, division},
        {"a remainder by zero", i + "out[i] = in[i] % WRONG(in[t], (in[t] | 1)); // HERE\n", 2, division},
        {"a division without a sign",
         i + "out[i] = int(unsigned(n) / unsigned(in[i] & WRONG(3, 3) | WRONG(0, 4))); // "
             "HERE\n",
         32, division},
        {"a division of 64 bits",
         i + "out[i] = int(((long long)n << 40) / (WRONG(in[i], in[i] + 1) * (1ll << 33))); // "
             "HERE\n",
         1, division},
        {"a remainder of 64 bits without a sign",
         i + "out[i] = int(((unsigned long long)n << 40) % ((unsigned long long)WRONG(in[i], in[i] + 1) << 33)); // "
             "HERE\n",
         1, division},
        {"a division in some lanes", i + "if (i % 3 == 0) out[i] = n / WRONG(in[i] - 9, (in[i] | 1)); // HERE\n", 1,
         division},
        {"a division by zero by all", i + "out[i] = in[i] / WRONG(zero, one); // HERE\n", 128, division},
        {"the least number by -1", i + "out[i] = (in[i] - WRONG(2147483647, 100) - 1) / -one; // HERE\n", 1, quotient},
        {"a shift by as many bits as there are", i + "out[i] = one << (in[t] & WRONG(63, 31)); // HERE\n", 64, shift,
         true},
        {"a shift by a negative number", i + "out[i] = n >> (in[t] - WRONG(1, 0) & WRONG(~0, 31)); // HERE\n", 0, shift,
         true},
        {"a shift of 64 bits", i + "wide[i] = double(1ull << in[t] + WRONG(one, zero)); // HERE\n", 2, shift, true},
        {"zero by zero", i + "results[i] = real[t] / (WRONG(real[t], fabsf(real[t]) + 1.f)); // HERE\n", 2, nan, true},
        {"the root of a negative number", i + "results[i] = sqrtf(WRONG(real[t], fabsf(real[t]))); // HERE\n", 64, nan,
         true},
        {"infinity minus infinity",
         i + "float huge = 3e38f * WRONG(1.f, 1e-9f) * (real[t] + 20.f);\nresults[i] = huge - huge * 2.f; // HERE\n",
         128, nan, true},
        {"the root of a negative double", i + "wide[i] = sqrt(WRONG(double(real[t]), 2.)); // HERE\n", 64, nan, true},
        {"zero by infinity",
         i + "float huge = 3e38f * (real[t] + 20.f);\nresults[i] = WRONG(huge, 1.f) * float(zero); // "
             "HERE\n",
         0, nan, true},
        {"an index that overflows",
         i + "int far = (i + 1) * WRONG(n << 22, one); // HERE\nout[i] = in[(long long)far * zero];\n", 0, overflow,
         true},
        {"an index of rows and columns",
         i + "int at = i * WRONG(n << 22, one) + t; // HERE\nif (unsigned(at) < 256u) out[i] = in[at];\n", 0, overflow,
         true},
    };
}

} // namespace arithmetic_kernels
