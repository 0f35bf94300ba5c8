// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#if __CUDA_ARCH__>=800
#define RA __reduce_add_sync
#define RM(m,p) (__reduce_max_sync(m,p)+__reduce_or_sync(m,(unsigned)p)+__reduce_min_sync(m,(unsigned)p)+__reduce_xor_sync(m,(unsigned)p)+__reduce_and_sync(m,(unsigned)p))
#else
__device__ int RA(unsigned m,int v){return v;}
#define RM(m,p) 0
#endif
template<class T,int B> __device__ T blockReduce(T v){ __shared__ T s[32]; int lane=threadIdx.x&31,w=threadIdx.x>>5;
 for(int o=16;o;o>>=1) v+=__shfl_down_sync(~0u,v,o); if(lane==0) s[w]=v; __syncthreads(); v = threadIdx.x<B/32? s[lane]:T(0); if(w==0) for(int o=16;o;o>>=1) v+=__shfl_xor_sync(~0u,v,o); return v;}
extern "C" __global__ void reduceF(const float*__restrict__ in,float*out,int n){float s=0;for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x)s+=in[i]; s=blockReduce<float,256>(s); if(!threadIdx.x) atomicAdd(out,s);}
extern "C" __global__ void reduceD(const double*__restrict__ in,double*out,int n){double s=0;for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x)s+=in[i]; s=blockReduce<double,256>(s); if(!threadIdx.x) atomicAdd(out,s);}
extern "C" __global__ void reduceI(const int*in,int*out,int n){extern __shared__ int sm[]; int t=threadIdx.x; sm[t]=t<n?in[t]:0; __syncthreads(); for(int s=blockDim.x/2;s>32;s>>=1){if(t<s)sm[t]+=sm[t+s];__syncthreads();} if(t<32){int v=sm[t]+sm[t+32]; v=RA(~0u,v); if(!t)*out=v;}}
extern "C" __global__ void votes(const int*in,unsigned*out){int p=in[threadIdx.x]; unsigned m=__activemask(); unsigned b=__ballot_sync(m,p>3); int a=__all_sync(m,p>0),an=__any_sync(m,p<0); unsigned mm=__match_any_sync(m,p); int pr; unsigned ma=__match_all_sync(m,p,&pr); out[threadIdx.x]=b+a+an+mm+ma+pr+__popc(b)+__ffs(b)+RM(m,p); int c=__syncthreads_count(p),d=__syncthreads_and(p),e=__syncthreads_or(p); out[threadIdx.x+1024]=c+d+e; __syncwarp();}
