// SPDX-License-Identifier: Apache-2.0
// named barriers / producer-consumer as seen in CUTLASS-like code
extern "C" __global__ void named(int*o){__shared__ int s[64];if(threadIdx.x<32){s[threadIdx.x]=threadIdx.x;asm volatile("bar.arrive 1, 64;");}else{asm volatile("bar.sync 1, 64;");o[threadIdx.x]=s[threadIdx.x-32];}asm volatile("barrier.sync.aligned 2, 64;");if(threadIdx.x&1)asm volatile("barrier.sync 3;");else asm volatile("barrier.sync 3;");}
extern "C" __global__ void earlyexit(int*o,int n){if(threadIdx.x>=n)return;__syncthreads();o[threadIdx.x]=1;}
extern "C" __global__ void divbar(int*o,int n){if(threadIdx.x<n){o[0]=1;__syncthreads();o[1]=2;}else{o[2]=1;__syncthreads();o[3]=3;}}
extern "C" __global__ void warpbc(int*o){int v=o[threadIdx.x];if(v&1){v=__shfl_sync(__activemask(),v,0);v+=__popc(__ballot_sync(__activemask(),v>2));}o[threadIdx.x]=v;}
#if __CUDA_ARCH__>=900
extern "C" __global__ void elect(int*o){unsigned p;asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0,1,0,p;}":"=r"(p));if(p)o[0]=1;asm volatile("griddepcontrol.wait;");asm volatile("fence.proxy.async;");}
#endif
