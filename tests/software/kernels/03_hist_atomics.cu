// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void hist(const unsigned char*d,unsigned*h,int n){__shared__ unsigned s[256];s[threadIdx.x]=0;__syncthreads();for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=blockDim.x*gridDim.x)atomicAdd(&s[d[i]],1u);__syncthreads();atomicAdd(&h[threadIdx.x],s[threadIdx.x]);}
extern "C" __global__ void allAtom(int*i,unsigned*u,unsigned long long*l,float*f,double*d,long long*sl,unsigned short*us,__half2*h2,__half*h,__nv_bfloat16*bf){int t=threadIdx.x;i[0]=atomicAdd(i,t);i[1]=atomicSub(i,t);i[2]=atomicExch(i,t);i[3]=atomicMin(i,t);i[4]=atomicMax(i,t);u[0]=atomicMin(u,t);u[1]=atomicMax(u,t);u[2]=atomicInc(u,7);u[3]=atomicDec(u,7);i[5]=atomicCAS(i,1,2);i[6]=atomicAnd(i,t);i[7]=atomicOr(i,t);i[8]=atomicXor(i,t);l[0]=atomicAdd(l,3);l[1]=atomicCAS(l,1,2);l[2]=atomicExch(l,4);l[3]=atomicMax(l,4);l[4]=atomicMin(l,4);l[5]=atomicAnd(l,4);l[6]=atomicOr(l,4);l[7]=atomicXor(l,1);f[0]=atomicAdd(f,1.f);f[1]=atomicExch(f,2.f);d[0]=atomicAdd(d,1.);sl[0]=atomicMin(sl,(long long)t);sl[1]=atomicMax(sl,(long long)t);us[1]=atomicCAS(us,(unsigned short)1,(unsigned short)2);h2[0]=atomicAdd(h2,__half2{});h[0]=atomicAdd(h,__half(1.f));bf[0]=atomicAdd(bf,__nv_bfloat16(1.f));
atomicAdd_block(i,1);atomicAdd_system(i,1);atomicAdd(i+20,1);atomicMax(i+21,t);atomicAdd(f+4,1.f);atomicAdd(d+4,1.);}
extern "C" __global__ void lock(int*m,int*c){while(atomicCAS(m,0,1)!=0);__threadfence();*c+=1;__threadfence();atomicExch(m,0);__threadfence_block();__threadfence_system();}
extern "C" __global__ void floatMax(float*a,const float*b){int*ai=(int*)a;int old=*ai,as;do{as=old;old=atomicCAS(ai,as,__float_as_int(fmaxf(b[threadIdx.x],__int_as_float(as))));}while(as!=old);}
