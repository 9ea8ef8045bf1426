// An application that knows nothing of Noctune, for scripts/gpu/capture_check.sh: its kernels are to be
// recorded by noctune_inject.cpp. It prints what it passes, one buffer a line, as it is before the launch:
//
//   expect KERNEL GRID POSITION NAME BYTES CHECKSUM
//
// saxpy is extern "C" (a symbol without types) and launched three times with two sizes; spmv is a template in
// a stream of its own; pooled reads memory of a pool; hidden runs only inside a graph. Called with
// --sum FILE BYTES it prints the checksum of a file's first bytes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

template <class T>
__global__ void spmv(int rows, const int* row_ptr, const int* columns, const T* values, const T* x, T* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

__global__ void pooled(long n, double* data) {
  const long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i < n) data[i] += 1;
}

__global__ void hidden(double* data) {
  data[threadIdx.x] *= 2;
}

static void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(result));
  std::exit(1);
}

// FNV-1a, 64 bits.
static std::uint64_t checksum(const void* data, std::size_t bytes) {
  std::uint64_t out = 14695981039346656037ULL;
  for (std::size_t i = 0; i < bytes; ++i)
    out = (out ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ULL;
  return out;
}

template <class T>
static T* on_device(const std::vector<T>& host) {
  T* out = nullptr;
  check(cudaMalloc(&out, sizeof(T) * host.size()), "cudaMalloc");
  check(cudaMemcpy(out, host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return out;
}

template <class T>
static void expect(const char* kernel, unsigned grid, int position, const char* name, const std::vector<T>& host) {
  const std::size_t bytes = sizeof(T) * host.size();
  std::printf("expect %s %u,1,1 %d %s %zu %016llx\n", kernel, grid, position, name, bytes,
              static_cast<unsigned long long>(checksum(host.data(), bytes)));
}

static double pseudo(std::uint64_t i) {
  i = (i + 1) * 0x9E3779B97F4A7C15ULL;
  return static_cast<double>((i ^ (i >> 29)) >> 11) * 0x1p-53 - 0.5;
}

// The second launch of a size is to be counted only, so it may find other contents.
static void run_saxpy(int n, bool first) {
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(pseudo(i)), y[i] = static_cast<float>(pseudo(i + n));
  float *device_x = on_device(x), *device_y = on_device(y);
  const unsigned grid = (n + 255) / 256;
  if (first) expect("saxpy", grid, 2, "x", x), expect("saxpy", grid, 3, "y", y);
  // An error that the application has not looked at yet stays as it is.
  void* far_too_much = nullptr;
  if (first) cudaMalloc(&far_too_much, std::size_t(1) << 60);
  saxpy<<<grid, 256>>>(n, 0.5f, device_x, device_y);
  std::printf("last error after saxpy: %s\n", cudaGetErrorName(cudaGetLastError()));
  check(cudaMemcpy(y.data(), device_y, 4 * y.size(), cudaMemcpyDeviceToHost), "saxpy");
  std::printf("result saxpy %016llx\n", static_cast<unsigned long long>(checksum(y.data(), 4 * y.size())));
  cudaFree(device_x);
  cudaFree(device_y);
}

// Launched while the stream has not written its inputs yet: a recorder that does not wait finds zeros.
static void run_spmv(int rows) {
  std::vector<int> row_ptr = {0}, columns;
  std::vector<double> values, x(rows), y(rows, 0.0);
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k <= row % 5; ++k) {
      columns.push_back((row * 7 + k * 13) % rows);
      values.push_back(pseudo(columns.size()));
    }
    row_ptr.push_back(static_cast<int>(columns.size()));
    x[row] = pseudo(row + 77);
  }
  int *device_rows = on_device(row_ptr), *device_columns = on_device(columns);
  double *device_values = on_device(values), *device_x = on_device(x), *device_y = on_device(y);
  const unsigned grid = (rows + 127) / 128;
  expect("spmv", grid, 1, "row_ptr", row_ptr), expect("spmv", grid, 2, "columns", columns);
  expect("spmv", grid, 3, "values", values), expect("spmv", grid, 4, "x", x), expect("spmv", grid, 5, "y", y);
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaMemset(device_x, 0, 8 * x.size()), "cudaMemset");
  double* pinned = nullptr;
  check(cudaMallocHost(&pinned, 8 * x.size()), "cudaMallocHost");
  std::memcpy(pinned, x.data(), 8 * x.size());
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check(cudaMemcpyAsync(device_x, pinned, 8 * x.size(), cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(128);
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, spmv<double>, rows, static_cast<const int*>(device_rows),
                           static_cast<const int*>(device_columns), static_cast<const double*>(device_values),
                           static_cast<const double*>(device_x), device_y),
        "cudaLaunchKernelEx");
  check(cudaStreamSynchronize(stream), "spmv");
  check(cudaMemcpy(y.data(), device_y, 8 * y.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("result spmv %016llx\n", static_cast<unsigned long long>(checksum(y.data(), 8 * y.size())));
}

static void run_pooled(long n) {
  std::vector<double> data(n);
  for (long i = 0; i < n; ++i) data[i] = pseudo(i);
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  double* device = nullptr;
  check(cudaMallocAsync(&device, 8 * data.size(), stream), "cudaMallocAsync");
  check(cudaMemcpyAsync(device, data.data(), 8 * data.size(), cudaMemcpyHostToDevice, stream), "cudaMemcpy");
  const unsigned grid = static_cast<unsigned>((n + 63) / 64);
  expect("pooled", grid, 1, "data", data);
  pooled<<<grid, 64, 0, stream>>>(n, device);
  check(cudaStreamSynchronize(stream), "pooled");
}

// The graph must be whole: a recorder that waits or copies here would break it.
static void run_graph() {
  double* device = on_device(std::vector<double>(32, 1.0));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  hidden<<<1, 32, 0, stream>>>(device);
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(ready, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "graph");
  double first = 0;
  check(cudaMemcpy(&first, device, 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("result graph %g\n", first);
}

static int sum_of(const char* path, std::size_t bytes) {
  std::vector<char> data(bytes);
  std::FILE* file = std::fopen(path, "rb");
  const bool read = file && std::fread(data.data(), 1, bytes, file) == bytes;
  if (file) std::fclose(file);
  if (read) std::printf("%016llx\n", static_cast<unsigned long long>(checksum(data.data(), bytes)));
  return read ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--sum") == 0) return sum_of(argv[2], std::strtoull(argv[3], nullptr, 10));
  run_saxpy(1000, true);
  run_saxpy(4099, true);
  run_saxpy(1000, false);
  run_spmv(777);
  run_pooled(500);
  run_graph();
  std::printf("done\n");
  return 0;
}
