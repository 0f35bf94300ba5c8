// SPDX-License-Identifier: Apache-2.0
// Kernels with one mistake in what textures and surfaces read and write, and the same without it: values that nothing
// wrote, and races.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace image_value_kernels {

/// A kernel `k`, launched with one block of 64 threads; i is the thread, x = i % 16 and y = i / 16. All memory holds
/// 256 floats, all arrays 16 x 16. `out` and the array of `surface` are copied to the host afterwards.
struct Kernel {
    const char* name;
    const char* check;
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake
    const char* access;
    std::uint64_t count; ///< threads; 0: it depends
    const char* says = "";
    const char* mend = "";
};

/// fresh and pitched show memory that nothing wrote, written shows ones. Of half the first eight rows were copied
/// there, smooth shows the same array and filters, bytes an array of bytes like it. Of each four floats that four shows
/// the first one is written. surface shows an array that nothing wrote, drawn is the texture of it. shown is the
/// texture of memory. Out of an array that nothing wrote none was copied, out of one like half some.
inline constexpr const char* kParameters =
    "float* out, float* memory, float* none, float* some, cudaTextureObject_t fresh, cudaTextureObject_t written, "
    "cudaTextureObject_t pitched, cudaTextureObject_t half, cudaTextureObject_t smooth, cudaTextureObject_t bytes, "
    "cudaTextureObject_t four, cudaTextureObject_t drawn, cudaTextureObject_t shown, cudaSurfaceObject_t surface";

inline constexpr const char* kInstructions = R"(
__device__ void add(cudaSurfaceObject_t surface, int x, int y, unsigned v) {
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" :: "l"(surface), "r"(x), "r"(y), "r"(v) : "memory");
}
__device__ void format(cudaSurfaceObject_t surface, int x, int y, float v) {
    asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" :: "l"(surface), "r"(x), "r"(y), "f"(v) : "memory");
}
)";

inline std::vector<Kernel> init() {
    const std::string i = "int i = threadIdx.x, x = i % 16, y = i / 16;\n";
    return {
        {"linear memory", "init", i + "out[i] = tex1Dfetch<float>(WRONG(fresh, written), i); // HERE\n", "write", 64,
         "of a texture"},
        {"a decision", "init", i + "if (tex1Dfetch<float>(WRONG(fresh, written), i) > 5) // HERE\n    out[i] = 2;\n",
         "read", 64, "decides"},
        {"some threads", "init",
         i + "float v = 0;\nif (i % 2 == 1) v = tex1Dfetch<float>(WRONG(fresh, written), i);\nout[i] = v; // HERE\n",
         "write", 32},
        {"pitched memory", "init",
         i + "float v = WRONG(tex2D<float>(pitched, x, y), tex1Dfetch<float>(written, i));\nout[i] = v; // HERE\n",
         "write", 64},
        {"beyond the rows that were copied", "init", i + "out[i] = tex2D<float>(half, x, y + WRONG(6, 4)); // HERE\n",
         "write", 32},
        {"an edge that goes on", "init", i + "out[i] = tex2D<float>(half, x, y - WRONG(-100, 100)); // HERE\n", "write",
         64},
        {"a filter between two rows", "init",
         i + "if (y == 0) out[i] = tex2D<float>(smooth, x + 0.5f, WRONG(8.f, 7.5f)); // HERE\n", "write", 16},
        {"four texels at once", "init",
         i + "float4 v = tex2Dgather<float4>(half, x + 0.5f, WRONG(8.f, 7.f) - y, 0);\n"
             "out[i] = v.x + v.y + v.z + v.w; // HERE\n",
         "write", 16},
        {"one of two rows that are gathered", "init",
         i + "float4 v = tex2Dgather<float4>(half, x + 0.5f, 8.f, 0);\nif (y == 0) out[i] = WRONG(v.x, v.w); // HERE\n",
         "write", 16},
        {"texels that are there", "init",
         i + "bool is_there = false;\nfloat v = tex2D<float>(half, x, y + WRONG(6, 4), &is_there);\n"
             "if (is_there) out[i] = v; // HERE\n",
         "write", 32},
        {"halves", "init",
         i + "unsigned a = 0, b = 0;\nasm volatile(\"tex.2d.v2.f16x2.f32 {%0, %1}, [%2, {%3, %4}];\" : \"=r\"(a), "
             "\"=r\"(b) : \"l\"(half), \"f\"(x + 0.5f), \"f\"(y + WRONG(6.5f, 4.5f)));\n"
             "out[i] = float(a & 0xffff); // HERE\n",
         "write", 32},
        {"converted bytes", "init", i + "out[i] = tex2D<float>(bytes, x, y + WRONG(6, 4)); // HERE\n", "write", 32},
        {"another channel", "init", i + "float4 v = tex1Dfetch<float4>(four, i);\nout[i] = WRONG(v.y, v.x); // HERE\n",
         "write", 64},
        {"an index for a texture", "init",
         i + "float v = tex1Dfetch<float>(written, int(WRONG(none, some)[i]) & 63); // HERE\nout[i] = v;\n", "read", 64,
         "is part of an address"},
        {"an index from a texture", "init",
         i + "int at = int(tex1Dfetch<float>(WRONG(fresh, written), i)) & 63;\nout[i] = memory[at]; // HERE\n", "read",
         64, "is part of an address"},
        {"sums of texels", "init",
         i + "float sum = 0;\nfor (int k = 0; k < WRONG(9, 8); ++k) sum += tex2D<float>(half, x, k);\n"
             "out[i] = sum; // HERE\n",
         "write", 64},
        {"a copy out of an array", "init", i + "out[i] = WRONG(none, some)[i]; // HERE\n", "write", 64},
        // Surfaces
        {"a surface that nothing wrote", "init",
         i + "float v = 1;\nif (WRONG(true, false)) v = surf2Dread<float>(surface, 4 * x, y);\n"
             "if (v > 5) out[i] = 1; // HERE\n",
         "read", 64, "of a surface"},
        {"a surface that some wrote", "init",
         i + "if (i < WRONG(32, 64)) surf2Dwrite(1.f, surface, 4 * x, y);\n__syncthreads();\n"
             "out[i] = surf2Dread<float>(surface, 4 * x, y); // HERE\n",
         "write", 32},
        {"what a surface is given", "init",
         i + "float v = tex1Dfetch<float>(WRONG(fresh, written), i);\nsurf2Dwrite(v, surface, 4 * x, y); // HERE\n",
         "write", 64, "in memory that the host reads"},
        {"what a surface converts", "init",
         i + "float v = tex1Dfetch<float>(WRONG(fresh, written), i);\nformat(surface, x, y, v); // HERE\n", "write",
         64},
        {"through a surface", "init",
         i + "surf2Dwrite(WRONG(none, some)[i], surface, 4 * x, y);\n__syncthreads();\n"
             "if (surf2Dread<float>(surface, 4 * x, y) > 5) // HERE\n    out[i] = 1;\n"
             "surf2Dwrite(1.f, surface, 4 * x, y);\n",
         "read", 64},
        {"two floats at once", "init",
         i + "float2 v = make_float2(1, WRONG(none, some)[i]);\n"
             "if (x % 2 == 0) surf2Dwrite(v, surface, 4 * x, y); // HERE\n",
         "write", 32},
        {"a sum that begins nowhere", "init",
         i + "WRONG((void)0, surf2Dwrite(0u, surface, 4 * x, y));\nadd(surface, 4 * x, y, 1); // HERE\n", "atomic", 64},
    };
}

inline std::vector<Kernel> race() {
    const std::string i = "int i = threadIdx.x, x = i % 16, y = i / 16;\n";
    return {
        {"two warps write a texel", "race", i + "surf2Dwrite(float(i), surface, 4 * x, WRONG(0, y)); // HERE\n",
         "write", 0, "a race"},
        {"lanes write a texel", "race", i + "if (i < 16) surf2Dwrite(float(i), surface, WRONG(0, 4 * x), 0); // HERE\n",
         "write", 0, "", "syncwarp"},
        {"two warps write what others wrote", "race",
         i + "surf2Dwrite(1.f, surface, 4 * x, y);\nWRONG((void)0, __syncthreads());\n"
             "surf2Dwrite(2.f, surface, 60 - 4 * x, 3 - y); // HERE\n",
         "write", 0, "", "barrier"},
        {"a formatted write", "race",
         i + "surf2Dwrite(1.f, surface, 4 * x, y);\nWRONG((void)0, __syncthreads());\n"
             "format(surface, 15 - x, 3 - y, 2.f); // HERE\n",
         "write", 0, "", "barrier"},
        {"a sum, and a write", "race",
         i + "add(surface, 0, WRONG(0, 1), 1);\nif (i == 40) surf2Dwrite(0u, surface, 0, 0); // HERE\n", "write", 0, "",
         "atomic"},
        {"a surface read behind a barrier", "race",
         i + "surf2Dwrite(1.f, surface, 4 * x, y);\n__syncthreads();\n"
             "out[i] = surf2Dread<float>(surface, 4 * x, 3 - y + WRONG(0, 4)); // HERE\n",
         "read", 64, "by a texture or surface", "image"},
        {"one's own write", "race",
         i + "memory[i] = 2;\nout[i] = tex1Dfetch<float>(shown, i + WRONG(0, 64)); // HERE\n", "read", 64, "itself",
         "image"},
        {"some read their own writes", "race",
         i + "memory[i] = 2;\nfloat v = 0;\nif (i % 2) v = tex1Dfetch<float>(WRONG(shown, written), i); // HERE\n"
             "out[i] = v;\n",
         "read", 32, "itself", "image"},
        {"a texture of what a surface wrote", "race",
         i + "surf2Dwrite(1.f, surface, 4 * x, y);\nout[i] = tex2D<float>(WRONG(drawn, half), x, y); // HERE\n", "read",
         64, "", "image"},
        {"written while others read", "race",
         i + "float v = tex1Dfetch<float>(shown, i);\nWRONG((void)0, __syncthreads());\nmemory[63 - i] = v; // HERE\n",
         "write", 0, "by a texture or surface", "image"},
        {"another's element", "race",
         i + "float v = tex1Dfetch<float>(shown, i);\nmemory[WRONG(i ^ 1, i)] = v + 1; // HERE\n", "write", 0, "",
         "image"},
        {"a gather", "race",
         i + "surf2Dwrite(1.f, surface, 4 * x, y);\n"
             "float4 v = tex2Dgather<float4>(WRONG(drawn, half), x + 1, y + 1, 0); // HERE\nout[i] = v.x;\n",
         "read", 0, "", "image"},
        {"memory that others write too", "race",
         i + "float v = 0;\nfor (int k = 0; k < 4; ++k) v += tex1Dfetch<float>(WRONG(shown, written), i + k);\n"
             "memory[i] = v; // HERE\n",
         "write", 0, "", "image"},
    };
}

} // namespace image_value_kernels
