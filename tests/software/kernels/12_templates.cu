// SPDX-License-Identifier: Apache-2.0
struct Shape{int k;__device__ virtual float area()const=0;__device__ virtual ~Shape(){}};
struct Sq:Shape{float s;__device__ Sq(float x):s(x){}__device__ float area()const override{return s*s;}};
struct Ci:Shape{float r;__device__ Ci(float x):r(x){}__device__ float area()const override{return r*r*3.14f;}};
typedef float(*Fn)(float,float);
__device__ __noinline__ float fadd_(float a,float b){return a+b;}
__device__ __noinline__ float fmul_(float a,float b){return a*b;}
__device__ Fn table[2]={fadd_,fmul_};
extern "C" __global__ void virt(float*o,int n){Shape*s=threadIdx.x&1?(Shape*)new Sq(2.f):(Shape*)new Ci(3.f);o[threadIdx.x]=s->area();delete s;}
extern "C" __global__ void fptr(float*o,int k){o[threadIdx.x]=table[k](o[0],o[1]);}
__device__ __noinline__ int fib(int n){return n<2?n:fib(n-1)+fib(n-2);}
extern "C" __global__ void rec(int*o){o[threadIdx.x]=fib(threadIdx.x);}
template<class T,class Op> __global__ void transformK(const T*a,T*b,int n,Op op){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i<n)b[i]=op(a[i]);}
struct O1{int k;__device__ int operator()(int x)const{switch(k){case 0:return x+1;case 1:return x*3;case 2:return x/7;case 3:return x^5;case 4:return x<<3;case 5:return x%11;case 6:return x>>2;case 7: return ~x;case 8:return -x;default:return 0;}}};
template __global__ void transformK<int,O1>(const int*,int*,int,O1);
extern "C" __global__ void bigsw(int*o,const int*p,int n){int v=threadIdx.x;switch(p[v]){case 0:v=__brev(v);break;case 1:v*=n;break;case 2:v/=n+1;break;case 3:v^=n;break;case 4:v=__popc(v);break;case 5:v=__clz(v);break;case 6:v-=n;break;case 7:v=__ffs(v);o[7]=3;break;case 8:v=abs(v);break;case 9:v=min(v,n);break;case 10:v=o[3];break;case 11:v=o[4]*2;break;}o[threadIdx.x]=v;}
struct Big{float m[64];};
extern "C" __global__ void byval(Big b,float*o,int i){o[threadIdx.x]=b.m[(i+threadIdx.x)&63];}
extern "C" __global__ void locals(float*o,int n){float a[64];for(int i=0;i<64;i++)a[i]=o[i];for(int i=0;i<n;i++)a[(i*7+threadIdx.x)&63]+=a[i&63];o[threadIdx.x]=a[threadIdx.x&63];}
