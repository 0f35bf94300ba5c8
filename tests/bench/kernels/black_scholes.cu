// SPDX-License-Identifier: Apache-2.0
// Prices of European options; the normal distribution as the polynomial of Abramowitz and Stegun, 26.2.17.
__device__ float distribution(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
    return d > 0.0f ? 1.0f - tail : tail;
}
extern "C" __global__ void black_scholes(int n, float rate, float volatility, const float* price, const float* strike,
                                         const float* years, float* call, float* put) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float s = price[i], x = strike[i], t = years[i];
    const float root = volatility * sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
    const float d2 = d1 - root;
    const float n1 = distribution(d1), n2 = distribution(d2);
    const float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
