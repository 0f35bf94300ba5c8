// SPDX-License-Identifier: Apache-2.0
#include <curand_kernel.h>
extern "C" __global__ void init(curandState*s,unsigned long long seed){int i=blockIdx.x*blockDim.x+threadIdx.x;curand_init(seed,i,0,&s[i]);}
extern "C" __global__ void pi(curandState*s,unsigned*c,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;curandState l=s[i];unsigned k=0;for(int j=0;j<n;j++){float x=curand_uniform(&l),y=curand_uniform(&l);k+=x*x+y*y<=1.f;}s[i]=l;atomicAdd(c,k);}
extern "C" __global__ void phil(float4*o,double*d,unsigned*u,unsigned long long seed){curandStatePhilox4_32_10_t st;curand_init(seed,threadIdx.x,0,&st);o[threadIdx.x]=curand_normal4(&st);d[threadIdx.x]=curand_uniform_double(&st);u[threadIdx.x]=curand_poisson(&st,5.0);}
