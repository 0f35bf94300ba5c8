// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg=cooperative_groups;
extern "C" __global__ void cgk(const int*in,int*out,int n){auto b=cg::this_thread_block();auto w=cg::tiled_partition<32>(b);auto q=cg::tiled_partition<8>(w);int v=in[b.thread_rank()];v=cg::reduce(w,v,cg::plus<int>());v+=q.shfl_down(v,2);v=cg::reduce(q,v,cg::greater<int>());v+=cg::exclusive_scan(w,v);auto co=cg::coalesced_threads();v+=co.thread_rank()+co.size();if(v>3){auto c2=cg::coalesced_threads();v+=c2.shfl(v,0);auto l=cg::labeled_partition(c2,v&3);v+=l.size();}b.sync();out[b.thread_rank()]=v+w.any(v)+w.ballot(v)+w.match_any(v);}
extern "C" __global__ void cgGrid(float*a,int n){auto g=cg::this_grid();for(int k=0;k<4;k++){for(int i=g.thread_rank();i<n;i+=g.size())a[i]=a[(i+1)%n]*.5f;g.sync();}}
extern "C" __global__ void cgAsync(const float*in,float*out){extern __shared__ float s[];auto b=cg::this_thread_block();cg::memcpy_async(b,s,in,sizeof(float)*256);cg::wait(b);out[b.thread_rank()]=s[255-b.thread_rank()];}
#if __CUDA_ARCH__>=900
extern "C" __global__ void __cluster_dims__(2,1,1) cgCluster(int*o){__shared__ int s;auto c=cg::this_cluster();if(threadIdx.x==0)s=c.block_rank();c.sync();int*r=c.map_shared_rank(&s,1-c.block_rank());if(threadIdx.x==0)o[blockIdx.x]=*r;c.sync();}
#endif
