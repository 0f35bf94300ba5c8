// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
#ifndef __CUDACC_RTC__
#include <cassert>
#endif
extern "C" __global__ void hello(int n,float f){printf("hello %d from %d %f %s\n",n,threadIdx.x,f,"x");assert(n>0);int*p=(int*)malloc(16);if(p){p[0]=n;printf("%p\n",p);free(p);}int*q=new int[n];delete[] q;if(n==77)__trap();if(n==78)asm volatile("brkpt;");}
extern "C" __global__ void clk(long long*o,unsigned*u){long long a=clock64();unsigned b=clock();o[0]=a;u[0]=b;unsigned long long g;asm volatile("mov.u64 %0,%%globaltimer;":"=l"(g));o[1]=g;unsigned s,l,w,lt,le,gt,ge,eq;asm("mov.u32 %0,%%smid;":"=r"(s));asm("mov.u32 %0,%%laneid;":"=r"(l));asm("mov.u32 %0,%%warpid;":"=r"(w));asm("mov.u32 %0,%%lanemask_lt;":"=r"(lt));asm("mov.u32 %0,%%lanemask_le;":"=r"(le));asm("mov.u32 %0,%%lanemask_gt;":"=r"(gt));asm("mov.u32 %0,%%lanemask_ge;":"=r"(ge));asm("mov.u32 %0,%%lanemask_eq;":"=r"(eq));u[1]=s+l+w+lt+le+gt+ge+eq;__nanosleep(100);}
