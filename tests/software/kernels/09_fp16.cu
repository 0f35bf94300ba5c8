// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#if __CUDACC_VER_MAJOR__ < 12
#define h2tanh(x) __floats2half2_rn(tanhf(__low2float(x)), tanhf(__high2float(x)))
#endif
extern "C" __global__ void h2(const __half2*a,const __half2*b,__half2*c,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i<n){__half2 x=__hfma2(a[i],b[i],c[i]);x=__hadd2(x,__hmul2(a[i],b[i]));x=h2exp(x);x=__hmax2(x,b[i]);x=h2sqrt(x);x=__h2div(x,a[i]);x=h2rsqrt(x);x=h2tanh(x);x=__hsub2(x,__hneg2(x));x=__habs2(x);if(__hbgt2(x,a[i]))x=h2log(x);c[i]=x;}}
extern "C" __global__ void h1(const __half*a,__half*c,float*f,double*d,short*s,unsigned char*u){int i=threadIdx.x;__half x=a[i];x=x*x+x;x=hsin(x);x=hcos(x);x=hrcp(x);x=x/a[1];c[i]=x;f[i]=__half2float(x);c[i+1]=__float2half(f[3]);c[i+2]=__float2half_rz(f[2]);d[0]=(double)__half2float(x);s[0]=__half2short_rn(x);s[1]=__half2int_rz(x);c[5]=__ushort2half_rn(s[3]);c[6]=__int2half_rn(s[4]);c[7]=hfloor(x);c[8]=hrint(x);c[9]=htrunc(x);c[10]=__hmax(x,a[2]);c[11]=__hmin_nan(x,a[2]);c[12]=__hfma_sat(x,x,x);c[13]=__hfma_relu(x,x,x);c[14]=__double2half(d[2]);if(__hisnan(x)||x<a[3])c[15]=hceil(x);c[16]=hlog2(x);c[17]=hexp10(x);c[18]=__shfl_xor_sync(~0u,x,1);}
#if __CUDA_ARCH__>=800
extern "C" __global__ void bf(const __nv_bfloat162*a,__nv_bfloat162*c,float*f){int i=threadIdx.x;__nv_bfloat162 x=a[i];x=__hfma2(x,x,x);x=__hadd2(x,a[1]);x=__hmul2(x,a[2]);x=h2exp(x);x=__hmax2(x,a[3]);c[i]=x;f[i]=__bfloat162float(x.x);c[2]=__floats2bfloat162_rn(f[1],f[2]);__nv_bfloat16 y=__float2bfloat16(f[3]);f[5]=y>x.x?1.f:2.f;c[3].x=hsqrt(y);c[4].x=__float2bfloat16_rz(f[3]);}
#endif
extern "C" __global__ void f8(const float2*a,__nv_fp8x2_e4m3*o,__nv_fp8x2_e5m2*p,float2*q){o[0]=__nv_fp8x2_e4m3(a[0]);p[0]=__nv_fp8x2_e5m2(a[0]);q[0]=(float2)o[1];}
