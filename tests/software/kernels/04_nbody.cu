// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void nbody(float4*p,float4*v,int n,float dt){__shared__ float4 s[256];int i=blockIdx.x*blockDim.x+threadIdx.x;float4 me=p[i];float3 a={0,0,0};for(int t=0;t<n;t+=256){s[threadIdx.x]=p[t+threadIdx.x];__syncthreads();
#pragma unroll 8
for(int j=0;j<256;j++){float dx=s[j].x-me.x,dy=s[j].y-me.y,dz=s[j].z-me.z;float r2=dx*dx+dy*dy+dz*dz+1e-9f;float ir=rsqrtf(r2);float k=s[j].w*ir*ir*ir;a.x+=dx*k;a.y+=dy*k;a.z+=dz*k;}__syncthreads();}v[i].x+=a.x*dt;v[i].y+=a.y*dt;v[i].z+=a.z*dt;p[i].x+=v[i].x*dt;}
