// SPDX-License-Identifier: Apache-2.0
#define T 16
extern "C" __global__ void matmul(const float*A,const float*B,float*C,int N){__shared__ float As[T][T],Bs[T][T];int x=threadIdx.x,y=threadIdx.y,r=blockIdx.y*T+y,c=blockIdx.x*T+x;float acc=0;for(int k=0;k<N;k+=T){As[y][x]=A[r*N+k+x];Bs[y][x]=B[(k+y)*N+c];__syncthreads();
#pragma unroll
for(int i=0;i<T;i++)acc+=As[y][i]*Bs[i][x];__syncthreads();}C[r*N+c]=acc;}
extern "C" __global__ void sgemv4(const float4*__restrict__ A,const float4*x,float*y,int n){int r=blockIdx.x*blockDim.x+threadIdx.x;float s=0;for(int i=0;i<n/4;i++){float4 a=A[r*(n/4)+i],b=x[i];s+=a.x*b.x+a.y*b.y+a.z*b.z+a.w*b.w;}y[r]=s;}
extern "C" __global__ void transpose(const double2*in,double2*out,int n){__shared__ double2 t[16][17];int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y;t[threadIdx.y][threadIdx.x]=in[y*n+x];__syncthreads();x=blockIdx.y*16+threadIdx.x;y=blockIdx.x*16+threadIdx.y;out[y*n+x]=t[threadIdx.x][threadIdx.y];}
