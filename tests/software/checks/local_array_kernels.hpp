// SPDX-License-Identifier: Apache-2.0
// Kernels with several local arrays, of which one is left for another, and the same without the mistake; and random
// kernels without mistakes.
#pragma once

#include "memory_kernels.hpp"

#include <random>
#include <string>
#include <vector>

namespace local_array_kernels {

using memory_kernels::Kernel;

/// Launched as memory_kernels are. All of b is 0, n is 128.
inline std::vector<Kernel> all() {
    const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    const std::string two = i + "int x[8];\nint y[6];\nfor (int k = 0; k < 8; ++k) x[k] = b[k] + i;\n"
                                "for (int k = 0; k < 6; ++k) y[k] = b[k] - i;\n";
    const std::string use = "a[i] = x[b[i] + 1] + y[b[i] + 2];\n";
    return {
        {"a write past the end", "", two + "x[b[i] + WRONG(8, 7)] = 3; // HERE\n" + use, "write", 4, 0, 0, 128,
         "right behind the 32 bytes of the local variable 'x' (declared in line 4)", "x"},
        {"a write past the end of the other", "", two + "y[b[i] + WRONG(7, 5)] = 3; // HERE\n" + use, "write", 4, 0, 0,
         128, "4 bytes past the end of the 24 bytes of the local variable 'y' (declared in line 5)", "y"},
        {"a read before the start", "",
         two + "a[i] = y[b[i] - WRONG(1, 0)]; // HERE\nx[b[i]] = 1;\na[i] += x[b[i] + 1];\n", "read", 4, 0, 0, 128,
         "4 bytes before the 24 bytes of the local variable 'y'", "y"},
        {"some threads", "", two + "x[b[i] + i % 8 + WRONG(i % 8 / 7, 0)] = 3; // HERE\n" + use, "write", 4, 0, 7, 16,
         "right behind", "x"},
        {"an address that all lanes share", "", two + "x[n / 16 - WRONG(0, 1)] = 3; // HERE\n" + use, "write", 4, 0, 0,
         128, "right behind", "x"},
        {"a loop", "",
         two + "int sum = 0;\nfor (int k = 0; k < n / 16 + WRONG(1, 0); ++k)\n    sum += x[k]; // HERE\na[i] = sum + "
               "y[b[i]];\n",
         "read", 4, 0, 0, 128, "right behind the 32 bytes of the local variable 'x'", "x"},
        {"a function that is inlined",
         "__device__ __forceinline__ int mean(const int* from, int at) {\n    int own[5];\n"
         "    for (int k = 0; k < 5; ++k) own[k] = from[k] * at;\n    own[at + WRONG(5, 4)] = 1; // HERE\n"
         "    return own[at + 1];\n}\n",
         two + "x[b[i]] = mean(y, b[i]);\na[i] = x[b[i] + 1];\n", "write", 4, 0, 0, 128,
         "right behind the 20 bytes of the local variable 'own' (declared in line 3)", "own"},
        {"an array of the caller",
         "__device__ __forceinline__ void put(int* to, int at, int v) {\n    to[at] = v; // HERE\n}\n",
         two + "put(x, b[i] + WRONG(8, 7), n);\nput(y, b[i] + 2, n);\n" + use, "write", 4, 0, 0, 128, "right behind",
         "x"},
        {"a function that is called",
         "__device__ __noinline__ int mean(const int* from, int at) {\n    int own[5]; int more[7];\n"
         "    for (int k = 0; k < 5; ++k) own[k] = from[k] * at;\n    for (int k = 0; k < 7; ++k) more[k] = from[k % "
         "6];\n"
         "    own[at + WRONG(5, 4)] = 1; // HERE\n    return own[at + 1] + more[at];\n}\n",
         two + "x[b[i]] = mean(y, b[i]);\na[i] = x[b[i] + 1];\n", "write", 4, 0, 0, 128,
         "right behind the 20 bytes of the local variable 'own'", "own"},
        {"a member of a structure", "struct Track { int length; float at[7]; };\n",
         i + "Track t;\ndouble d[5];\nt.length = n;\nfor (int k = 0; k < 7; ++k) t.at[k] = b[k];\n"
             "for (int k = 0; k < 5; ++k) d[k] = b[k];\nt.at[b[i] + WRONG(7, 6)] = 2; // HERE\nd[b[i]] = 3;\n"
             "a[i] = t.at[b[i] + 1] + d[b[i] + 1] + t.length;\n",
         "write", 4, 0, 0, 128, "right behind the 32 bytes of the local variable 't' (declared in line 5)", "t"},
        {"objects with methods",
         "struct Stack {\n    int items[16]; int top;\n    __device__ void push(int v) { items[top++] = v; } // HERE\n"
         "    __device__ int pop() { return items[--top]; }\n};\n",
         i + "Stack one, two; one.top = 0; two.top = 0;\nfor (int k = 0; k < n / 8; ++k) one.push(k), two.push(b[k]);\n"
             "if (WRONG(1, 0)) one.top = n / 8 + 1 + b[i], one.push(n);\nint sum = 0;\none.top = 16;\n"
             "while (one.top > 0) sum += one.pop() * two.pop();\na[i] = sum;\n",
         "write", 4, 0, 0, 128, "right behind the 68 bytes of the local variable"},
        {"arrays of the same lines", "",
         i + "int x[8], y[8];\nfor (int k = 0; k < 8; ++k) x[k] = b[k], y[k] = i;\n"
             "x[b[i] + WRONG(8, 7)] = y[b[i]]; // HERE\na[i] = x[b[i] + 1] + y[b[i] + 2];\n",
         "write", 4, 0, 0, 128, "right behind the 32 bytes of the local variable 'x' or 'y'"},
        {"beside a sine that needs memory", "",
         i + "float x[6];\nfloat y[10];\nfor (int k = 0; k < 6; ++k) x[k] = sinf(b[k] + i);\n"
             "for (int k = 0; k < 10; ++k) y[k] = b[k] + i;\ny[b[i] + WRONG(10, 9)] = cosf(x[b[i] + 1]); // HERE\n"
             "x[b[i]] = 1;\na[i] = y[b[i] + 2] + x[b[i] + 3];\n",
         "write", 4, 0, 0, 128, "right behind the 40 bytes of the local variable 'y'", "y"},
    };
}

/// These leave an array, but nobody can tell of which: no false alarm is worth them.
inline std::vector<Kernel> silent() {
    const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    return {
        {"one array or the other", "",
         i + "int x[8];\nint y[6];\nfor (int k = 0; k < 8; ++k) x[k] = b[k] + i;\n"
             "for (int k = 0; k < 6; ++k) y[k] = b[k] - i;\nint* p = b[i] == i ? x : y;\np[b[i] + 7] = 3;\n"
             "a[i] = x[b[i] + 1] + y[b[i] + 2];\n",
         "", 0, 0, 0, 0},
        {"arrays of which either may lie there", "",
         i + "int x[8]; int y[5];\nauto put = [&](int k, int v) { x[k] = v; y[k / 2] = v; };\n"
             "for (int k = 0; k < 8; ++k) put(k, b[k]);\na[i] = x[b[i]] + y[b[i] + 6];\n",
         "", 0, 0, 0, 0},
    };
}

/// Many kernels `k0`, `k1` … without a mistake, whose parameters are those of the others.
inline std::string random_source(unsigned seed, int kernels) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::string source =
        "template <class T, int N> __device__ __forceinline__ int mix(const T* from, int at, int m) {\n"
        "    T own[N];\n"
        "    for (int k = 0; k < N; ++k) own[k] = from[(k + at) % m];\n"
        "    own[at % N] += 1;\n"
        "    return (int)own[(at + 1) % N];\n"
        "}\n"
        "template <class T> __device__ __noinline__ int called(T* from, int at, int m) {\n"
        "    int own[3]; double more[4];\n"
        "    for (int k = 0; k < 3; ++k) own[k] = (int)from[(k + at) % m];\n"
        "    for (int k = 0; k < 4; ++k) more[k] = (double)from[k % m];\n"
        "    from[at % m] = (T)own[at % 3];\n"
        "    return own[(at + 1) % 3] + (int)more[at % 4];\n"
        "}\n";
    static constexpr const char* kTypes[] = {"char", "short", "int", "float", "double", "long long", "unsigned char"};
    for (int kernel = 0; kernel < kernels; ++kernel) {
        struct Array {
            std::string type, name, elements;
            int size;
        };
        std::vector<Array> arrays;
        std::string body = "int i = blockIdx.x * blockDim.x + threadIdx.x; int s = 0;\n";
        for (int count = 1 + below(5); count > 0; --count) {
            Array a{kTypes[below(7)], "v" + std::to_string(arrays.size()), "", 1 + below(below(3) ? 12 : 40)};
            a.elements = a.name;
            if (below(5) == 0) {
                body += "struct { " + std::string(kTypes[below(7)]) + " head; " + a.type + " in[" +
                        std::to_string(a.size) + "]; } " + a.name + "; " + a.name + ".head = n;";
                a.elements = a.name + ".in";
            } else {
                body += a.type + ' ' + a.name + '[' + std::to_string(a.size) + "];";
            }
            body += below(2) ? "\n" : " ";
            arrays.push_back(std::move(a));
        }
        body += "\n";
        const auto any = [&]() -> const Array& {
            return arrays[static_cast<std::size_t>(below(static_cast<int>(arrays.size())))];
        };
        const auto element = [&](const Array& a, const std::string& extra) {
            return a.elements + "[(unsigned)(b[(i + " + std::to_string(below(60)) + ") % 64] + " + extra + ") % " +
                   std::to_string(a.size) + "]";
        };
        for (const Array& a : arrays)
            body += "for (int k = 0; k < " + std::to_string(a.size) + "; ++k) " + a.elements + "[k] = b[k] + i;" +
                    (below(3) ? "\n" : " ");
        for (int count = 2 + below(6); count > 0; --count) {
            const Array &x = any(), &y = any();
            const std::string size = std::to_string(x.size), at = std::to_string(below(9));
            switch (below(9)) {
            case 0: body += element(x, at) + " = s + " + at + ';'; break;
            case 1: body += element(x, at) + " = " + element(y, at) + ';'; break;
            case 2:
                body +=
                    "for (int k = 0; k < n; ++k) s += (int)" + element(x, "k") + " * (int)" + element(y, "2 * k") + ';';
                break;
            case 3:
                body += "for (int k = " + size + "; k < 2 * " + size + "; ++k) s += (int)" + x.elements + "[k - " +
                        size + "] * k;";
                break;
            case 4:
                body += "s += mix<" + x.type + ", " + std::to_string(2 + below(8)) + ">(" + x.elements +
                        ", b[i] + 3, " + size + ");";
                break;
            case 5: body += "s += called(" + x.elements + ", b[i] + 1, " + size + ");"; break;
            case 6: body += "s += (int)(sinf((float)" + element(x, at) + ") * 9);"; break;
            case 7:
                body += "{ float t[" + std::to_string(1 + below(9)) +
                        "]; for (auto& e : t) e = b[i]; t[b[i] % (sizeof t / 4)] = s; s += (int)t[(b[i] + 1) % (sizeof "
                        "t / 4)]; }";
                break;
            default:
                body += "if (b[i] + " + at + " < " + size + ") s += (int)" + x.elements + "[b[i] + " + at + "];";
                break;
            }
            body += below(4) ? "\n" : " ";
        }
        for (const Array& a : arrays)
            body += "s += (int)" + element(a, "n") + ";\n";
        source += "extern \"C\" __global__ void k" + std::to_string(kernel) + "(" + memory_kernels::kParameters +
                  ") {\n" + body + "a[i] = s;\n}\n";
    }
    return source;
}

} // namespace local_array_kernels
