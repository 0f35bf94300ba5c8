// SPDX-License-Identifier: Apache-2.0
// Kernels that access a texture or surface wrongly, and the same without the mistake.
#pragma once

#include <string>
#include <vector>

namespace image_kernels {

/// A kernel `k`, launched with one block of 64 threads. linear and pitched show memory of 256 floats (16 x 16), array
/// and surface a 16 x 16 array. Those of `gone` show memory or an array that was freed, `large` memory that is shorter.
struct Kernel {
    const char* name;
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake
    const char* access;
    unsigned thread; ///< the first that does it
    unsigned count;
    const char* says = ""; ///< part of the message
};

inline constexpr const char* kParameters =
    "float* out, cudaTextureObject_t linear, cudaTextureObject_t pitched, cudaTextureObject_t array, "
    "cudaSurfaceObject_t surface, cudaTextureObject_t gone_linear, cudaTextureObject_t gone_pitched, "
    "cudaTextureObject_t gone_array, cudaSurfaceObject_t gone_surface, cudaTextureObject_t large, "
    "cudaTextureObject_t none";

inline std::vector<Kernel> all() {
    const std::string i = "int i = threadIdx.x, x = i % 16, y = i / 16;\n";
    return {
        {"linear memory that was freed", i + "out[i] = tex1Dfetch<float>(WRONG(gone_linear, linear), i); // HERE\n",
         "read", 0, 64, "was freed"},
        {"pitched memory that was freed", i + "out[i] = tex2D<float>(WRONG(gone_pitched, pitched), x, y); // HERE\n",
         "read", 0, 64, "was freed"},
        {"some threads", i + "if (i % 2 == 1) out[i] = tex1Dfetch<float>(WRONG(gone_linear, linear), i); // HERE\n",
         "read", 1, 32, "was freed"},
        {"an array that was destroyed", i + "out[i] = tex2D<float>(WRONG(gone_array, array), x, y); // HERE\n", "read",
         0, 64, "array was destroyed"},
        {"a surface whose array was destroyed",
         i + "out[i] = surf2Dread<float>(WRONG(gone_surface, surface), 4 * x, y); // HERE\n", "read", 0, 64,
         "array was destroyed"},
        {"more than the memory", i + "out[i] = tex1Dfetch<float>(WRONG(large, linear), i); // HERE\n", "read", 0, 64,
         "has only"},
        {"no texture", i + "out[i] = tex1Dfetch<float>(WRONG(none, linear), i); // HERE\n", "read", 0, 64, "is none"},
        {"a read outside of a surface", i + "out[i] = surf2Dread<float>(surface, 4 * x + WRONG(4, 0), y); // HERE\n",
         "read", 15, 4, "outside of its 64 bytes by 16 rows"},
        {"a write outside of a surface",
         i + "surf2Dwrite(float(i), surface, 4 * x, y + WRONG(13, 0)); // HERE\nout[i] = 1;\n", "write", 48, 16,
         "outside of its"},
        {"columns in place of bytes", i + "out[i] = surf2Dread<float>(surface, WRONG(x, 4 * x), y); // HERE\n", "read",
         1, 48, "no multiple"},
        {"columns of a clamped surface",
         i + "out[i] = surf2Dread<float>(surface, WRONG(x, 4 * x), y + 100, cudaBoundaryModeClamp); // HERE\n", "read",
         1, 48, "no multiple"},
    };
}

} // namespace image_kernels
