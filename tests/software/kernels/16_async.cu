// SPDX-License-Identifier: Apache-2.0
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg=cooperative_groups;
#if __CUDACC_VER_MAJOR__ < 12 // atomic_ref<float> had neither then
#define ADD_AND_MAX(f) atomicAdd_block(f,1.f);*f=fmaxf(*f,2.f)
#else
#define ADD_AND_MAX(f) cuda::atomic_ref<float,cuda::thread_scope_block>af(*f);af.fetch_add(1.f,cuda::memory_order_relaxed);af.fetch_max(2.f)
#endif
#if __CUDA_ARCH__>=800
extern "C" __global__ void pipe(const float4*in,float4*out,int n){__shared__ float4 s[2][128];int t=threadIdx.x;__pipeline_memcpy_async(&s[0][t],in+t,16);__pipeline_commit();for(int i=0;i<n;i++){if(i+1<n){__pipeline_memcpy_async(&s[(i+1)&1][t],in+(i+1)*128+t,16);}__pipeline_commit();__pipeline_wait_prior(1);__syncthreads();out[i*128+t]=s[i&1][127-t];__syncthreads();}}
#endif
extern "C" __global__ void bar(const int*in,int*out){__shared__ cuda::barrier<cuda::thread_scope_block> b;if(!threadIdx.x)init(&b,blockDim.x);__syncthreads();__shared__ int s[256];s[threadIdx.x]=in[threadIdx.x];auto tok=b.arrive();b.wait(std::move(tok));out[threadIdx.x]=s[255-threadIdx.x];b.arrive_and_wait();}
extern "C" __global__ void atomref(int*p,int*o,float*f){cuda::atomic_ref<int,cuda::thread_scope_device>a(*p);o[0]=a.fetch_add(1,cuda::memory_order_relaxed);a.store(3,cuda::memory_order_release);o[1]=a.load(cuda::memory_order_acquire);int e=3;o[2]=a.compare_exchange_strong(e,4,cuda::memory_order_acq_rel);ADD_AND_MAX(f);cuda::atomic_thread_fence(cuda::memory_order_seq_cst,cuda::thread_scope_device);cuda::atomic_ref<int,cuda::thread_scope_system>as(*p);as.fetch_or(3);as.exchange(9);as.load();}
