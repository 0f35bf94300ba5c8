// SPDX-License-Identifier: Apache-2.0
// Functions of the mathematical library, against the host's in double precision.
#include "program.hpp"

#define FUNCTIONS(F)                                                                                                   \
    F(sin, 2)                                                                                                          \
    F(cos, 2)                                                                                                          \
    F(tan, 4) F(asin, 4) F(acos, 4) F(atan, 3) F(sinh, 4) F(cosh, 4) F(tanh, 4) F(asinh, 4) F(exp, 3) F(exp2, 3)       \
        F(expm1, 3) F(log1p, 3) F(cbrt, 3) F(erf, 4) F(erfc, 6) F(tgamma, 12) F(lgamma, 12) F(floor, 0) F(ceil, 0)     \
            F(rint, 0) F(trunc, 0) F(fabs, 0) F(logb, 0)
#define COUNT(name, ulps) +1
constexpr int kFunctions = FUNCTIONS(COUNT);

__global__ void singles(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int f = 0;
#define CALL(name, ulps) out[n * f++ + i] = name(in[i]);
    FUNCTIONS(CALL)
}
__global__ void doubles(const double* in, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int f = 0;
    FUNCTIONS(CALL)
}
__global__ void special(double* out) {
    out[0] = norm3d(1, 2, 2);
    out[1] = normcdf(0.0);
    out[2] = erfinv(0.5);
    out[3] = rhypot(3.0, 4.0);
    out[4] = sinpi(0.5);
    out[5] = fma(2.0, 3.0, 4.0);
    out[6] = double(__fdividef(8.0f, 2.0f));
    out[7] = double(__saturatef(1.5f));
    out[8] = ldexp(0.75, 4);
    out[9] = j0(0.0);
    out[10] = double(__popc(255) + __clz(1) + __ffs(8) + int(__brev(1) >> 31));
    out[11] = pow(2.0, 0.5);
    out[12] = remainder(7.0, 4.0);
    out[13] = double(__mulhi(1 << 30, 8)) + double(__dp4a(0x01020304, 0x01010101, 5));
}

template <class T>
bool accurate(const std::vector<T>& in, const std::vector<T>& out, const std::vector<double>& at, double unit) {
    const int n = int(in.size());
    int f = 0;
    bool good = true;
#define COMPARE(name, ulps)                                                                                            \
    for (int i = 0; i < n; ++i) {                                                                                      \
        const double expected = std::name(at[i]), got = double(out[n * f + i]);                                        \
        if (std::isnan(expected) && std::isnan(got)) continue;                                                         \
        if (!(std::fabs(got - expected) <= (ulps + 1) * unit * std::fmax(std::fabs(expected), 0.25))) {                \
            std::fprintf(stderr, #name "(%g) is %.9g, not %.9g\n", at[i], got, expected);                              \
            good = false;                                                                                              \
            break;                                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    ++f;
    FUNCTIONS(COMPARE)
    return good;
}

int main() {
    const int n = 400;
    const auto floats = random_floats(n, -2.5f, 2.5f);
    const std::vector<double> in(floats.begin(), floats.end());
    float *df = to_device(floats), *of = nullptr;
    double *dd = to_device(in), *od = nullptr;
    CHECK(cudaMalloc(&of, n * kFunctions * sizeof(float)));
    CHECK(cudaMalloc(&od, n * kFunctions * sizeof(double)));
    singles<<<4, 100>>>(df, of, n);
    doubles<<<4, 100>>>(dd, od, n);
    bool good = accurate(floats, to_host(of, n * kFunctions), in, 1.2e-7);
    good &= accurate(in, to_host(od, n * kFunctions), in, 2.3e-16);
    special<<<1, 1>>>(od);
    const auto values = to_host(od, 14);
    const double expected[] = {
        3, 0.5, 0.4769362762044699, 0.2, 1, 10, 4, 1, 12, 1, 8 + 31 + 4 + 1, 1.4142135623730951, -1, 2 + 15};
    for (int i = 0; i < 14; ++i)
        if (!near(values[i], expected[i], 1e-14)) {
            std::fprintf(stderr, "special %d: %.17g, not %.17g\n", i, values[i], expected[i]);
            good = false;
        }
    for (void* each : {(void*)df, (void*)of, (void*)dd, (void*)od})
        CHECK(cudaFree(each));
    return verdict(good);
}
