// The words of CUDA that the corpus' sources use, so that clang++ can check their syntax without a toolkit:
//   clang++ -x cuda --cuda-host-only -nocudainc -nocudalib -fsyntax-only -Xclang
//   -fcuda-allow-variadic-functions
//     -include cuda_words.hpp source.cu
// The sources' own #include lines are blanked before. Declarations only: nothing here runs.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

// The standard library's functions are callable from both sides, as under nvcc.
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#pragma clang force_cuda_host_device end

#pragma clang force_cuda_host_device begin
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define CORPUS_VECTORS(word, T, bytes)                                       \
  struct word##1 {                                                           \
    T x;                                                                     \
  };                                                                         \
  struct __attribute__((aligned(2 * bytes))) word##2 {                       \
    T x, y;                                                                  \
  };                                                                         \
  struct word##3 {                                                           \
    T x, y, z;                                                               \
  };                                                                         \
  struct __attribute__((aligned(4 * bytes < 16 ? 4 * bytes : 16))) word##4 { \
    T x, y, z, w;                                                            \
  };                                                                         \
  inline word##1 make_##word##1(T x) {                                       \
    return {x};                                                              \
  }                                                                          \
  inline word##2 make_##word##2(T x, T y) {                                  \
    return {x, y};                                                           \
  }                                                                          \
  inline word##3 make_##word##3(T x, T y, T z) {                             \
    return {x, y, z};                                                        \
  }                                                                          \
  inline word##4 make_##word##4(T x, T y, T z, T w) {                        \
    return {x, y, z, w};                                                     \
  }
CORPUS_VECTORS(char, signed char, 1)
CORPUS_VECTORS(uchar, unsigned char, 1)
CORPUS_VECTORS(short, short, 2)
CORPUS_VECTORS(ushort, unsigned short, 2)
CORPUS_VECTORS(int, int, 4)
CORPUS_VECTORS(uint, unsigned int, 4)
CORPUS_VECTORS(long, long, 8)
CORPUS_VECTORS(ulong, unsigned long, 8)
CORPUS_VECTORS(longlong, long long, 8)
CORPUS_VECTORS(ulonglong, unsigned long long, 8)
CORPUS_VECTORS(float, float, 4)
CORPUS_VECTORS(double, double, 8)

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
};

// Half precision, bfloat16 and cuComplex.
struct __half {
  unsigned short bits;
  __half() = default;
  __half(float);
  operator float() const;
};
struct __half2 {
  __half x, y;
};
struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __nv_bfloat16(float);
  operator float() const;
};
typedef __half half;
typedef __half2 half2;
float __half2float(__half);
__half __float2half(float);
__half __float2half_rn(float);
float2 __half22float2(__half2);
__half2 __floats2half2_rn(float, float);
__half2 __float22half2_rn(float2);
__half __hadd(__half, __half);
__half __hmul(__half, __half);
__half __hfma(__half, __half, __half);
__half2 __hadd2(__half2, __half2);
__half2 __hmul2(__half2, __half2);
__half2 __hfma2(__half2, __half2, __half2);
float __bfloat162float(__nv_bfloat16);
__nv_bfloat16 __float2bfloat16(float);

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
cuFloatComplex make_cuFloatComplex(float, float);
cuDoubleComplex make_cuDoubleComplex(double, double);
float cuCrealf(cuFloatComplex), cuCimagf(cuFloatComplex), cuCabsf(cuFloatComplex);
double cuCreal(cuDoubleComplex), cuCimag(cuDoubleComplex), cuCabs(cuDoubleComplex);
cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex), cuCsubf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex), cuCdivf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuConjf(cuFloatComplex);
cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex), cuCsub(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex), cuCdiv(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuConj(cuDoubleComplex);

// Functions of device code beyond the C library's.
float rsqrtf(float), __fdividef(float, float), __expf(float), __logf(float), __log2f(float);
float __sinf(float), __cosf(float), __powf(float, float), __fsqrt_rn(float), __frcp_rn(float);
float __saturatef(float), __fmaf_rn(float, float, float), exp10f(float), rcbrtf(float);
float normcdff(float), sinpif(float), cospif(float);
double rsqrt(double), __fma_rn(double, double, double), exp10(double), normcdf(double);
void sincosf(float, float*, float*) noexcept;
void sincos(double, double*, double*) noexcept;
int __float2int_rn(float), __float2int_rd(float), __float2int_rz(float), __float_as_int(float);
unsigned int __float_as_uint(float), __umulhi(unsigned int, unsigned int);
float __int_as_float(int), __uint_as_float(unsigned int), __int2float_rn(int);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __mul24(int, int), __umul24(unsigned int, unsigned int), __mulhi(int, int);
int __popc(unsigned int), __popcll(unsigned long long), __clz(int), __ffs(int), __ffsll(long long);
unsigned int __brev(unsigned int);
long long clock64();
template <class A, class B>
auto min(A a, B b) -> decltype(a + b);
template <class A, class B>
auto max(A a, B b) -> decltype(a + b);
template <class T>
T __ldg(const T*);

void __syncwarp(unsigned int mask = 0xffffffffu), __threadfence(), __threadfence_block();
int __syncthreads_count(int), __syncthreads_or(int), __syncthreads_and(int);
unsigned int __activemask(), __ballot_sync(unsigned int, int);
int __any_sync(unsigned int, int), __all_sync(unsigned int, int);
template <class T>
T __shfl_sync(unsigned int, T, int, int width = 32);
template <class T>
T __shfl_up_sync(unsigned int, T, unsigned int, int width = 32);
template <class T>
T __shfl_down_sync(unsigned int, T, unsigned int, int width = 32);
template <class T>
T __shfl_xor_sync(unsigned int, T, int, int width = 32);

#define CORPUS_ATOMIC(name)                       \
  int name(int*, int);                            \
  unsigned int name(unsigned int*, unsigned int); \
  unsigned long long name(unsigned long long*, unsigned long long);
CORPUS_ATOMIC(atomicAdd)
CORPUS_ATOMIC(atomicExch)
CORPUS_ATOMIC(atomicMin)
CORPUS_ATOMIC(atomicMax)
CORPUS_ATOMIC(atomicAnd)
CORPUS_ATOMIC(atomicOr)
CORPUS_ATOMIC(atomicXor)
float atomicAdd(float*, float), atomicExch(float*, float);
double atomicAdd(double*, double);
int atomicSub(int*, int), atomicCAS(int*, int, int);
unsigned int atomicSub(unsigned int*, unsigned int), atomicCAS(unsigned int*, unsigned int, unsigned int);
unsigned int atomicInc(unsigned int*, unsigned int), atomicDec(unsigned int*, unsigned int);
unsigned long long atomicCAS(unsigned long long*, unsigned long long, unsigned long long);

namespace cooperative_groups {
struct thread_block {
  void sync() const;
  unsigned int thread_rank() const, size() const;
  dim3 group_index() const, thread_index() const;
};
struct grid_group {
  void sync() const;
  unsigned long long thread_rank() const, size() const;
};
template <unsigned int Size>
struct thread_block_tile {
  void sync() const;
  unsigned int thread_rank() const, size() const, meta_group_rank() const, meta_group_size() const;
  template <class T>
  T shfl(T, int) const;
  template <class T>
  T shfl_down(T, unsigned int) const;
  template <class T>
  T shfl_xor(T, unsigned int) const;
};
thread_block this_thread_block();
grid_group this_grid();
template <unsigned int Size>
thread_block_tile<Size> tiled_partition(thread_block);
template <class Group>
void sync(const Group&);
}  // namespace cooperative_groups
#pragma clang force_cuda_host_device end

__device__ void __syncthreads();  // clang knows it as a builtin for devices alone
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

// What host snippets beside kernels call.
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum cudaError_t { cudaSuccess = 0 };
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
template <class T>
cudaError_t cudaMalloc(T**, size_t);
template <class T>
cudaError_t cudaMallocManaged(T**, size_t);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaFree(void*), cudaMemset(void*, int, size_t),
    cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize(), cudaThreadSynchronize(), cudaGetLastError(), cudaPeekAtLastError();
cudaError_t cudaStreamSynchronize(cudaStream_t), cudaStreamCreate(cudaStream_t*);
const char* cudaGetErrorString(cudaError_t);

// What clang calls for <<<...>>>, depending on the toolkit it believes in.
extern "C" unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaSetupArgument(const void*, size_t, size_t);
cudaError_t cudaLaunch(const void*);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
