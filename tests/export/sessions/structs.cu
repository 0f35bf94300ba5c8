// SPDX-License-Identifier: Apache-2.0
// Structs by value, in an array, and as a variable.
struct Spring {
    float k;
    double length;
};
union Number {
    int whole;
    float real;
};
struct Particle {
    char tag;
    float x;
    Spring springs[2];
    Number number;
    unsigned low : 3, high : 5;
};
struct Pair {
    short a;
    int b;
};
__constant__ Spring scale;
__device__ Pair last;

__global__ void step(char before, Pair pair, Particle p, const Particle* from, Particle* to, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle q = from[i];
    q.x += p.x * float(scale.length) + before;
    q.springs[1].length += p.springs[1].length + pair.b;
    q.number.real = p.number.real;
    q.high = p.low + pair.a;
    to[i] = q;
    sums[i] = q.x + float(q.springs[1].length);
    if (i == 0) last.b = last.a + pair.b;
}
