// Records the kernel launches of a CUDA application that nobody has to change or build again: CUDA loads this
// library where CUDA_INJECTION64_PATH names it. Build it where CUDA is (12.4 or newer), with its headers
// beside it:
//
//   g++ -std=c++17 -O2 -shared -fPIC -o libnoctune_inject.so noctune_inject.cpp -I$CUDA_HOME/include
//       -I$CUDA_HOME/extras/CUPTI/include -L$CUDA_HOME/extras/CUPTI/lib64 -L$CUDA_HOME/lib64
//       -Wl,-rpath,$CUDA_HOME/extras/CUPTI/lib64:$CUDA_HOME/lib64 -lcupti -ldl
//
//   CUDA_INJECTION64_PATH=$PWD/libnoctune_inject.so NOCTUNE_CAPTURE_DIR=caught ./application
//
// The variables of noctune_capture.hpp hold, and some more (docs/capture.md). CUPTI calls launched() before a
// launch, in the thread that launches. Copies go into the launch's own stream, so they wait for what the
// kernel would wait for. Only the driver is called, never the runtime, whose last error is the application's.
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>

#include <cstring>

#include "noctune_inject_record.hpp"

namespace {

using noctune_inject::Bytes;
using noctune_inject::Launch;
using noctune_inject::Recorder;

// ---- the driver, as the application has loaded it

template <class Function>
void find(Function& function, const char* name) {
  static void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void* found = library ? ::dlsym(library, name) : nullptr;
  if (!found) found = ::dlsym(RTLD_DEFAULT, name);
  static_assert(sizeof found == sizeof function, "a function's address");
  std::memcpy(&function, &found, sizeof found);
}

struct Driver {
  decltype(&cuFuncGetParamInfo) function_parameter = nullptr;
  decltype(&cuKernelGetParamInfo) kernel_parameter = nullptr;
  decltype(&cuFuncGetName) function_name = nullptr;
  decltype(&cuKernelGetName) kernel_name = nullptr;
  decltype(&cuPointerGetAttribute) pointer = nullptr;
  decltype(&cuMemGetAddressRange) range = nullptr;
  decltype(&cuMemcpyDtoHAsync) copy = nullptr;
  decltype(&cuStreamSynchronize) synchronise = nullptr;
  decltype(&cuStreamIsCapturing) is_capturing = nullptr;
  decltype(&cuThreadExchangeStreamCaptureMode) capture_mode = nullptr;
  decltype(&cuGetErrorName) error_name = nullptr;

  Driver() {
    find(function_parameter, "cuFuncGetParamInfo");
    find(kernel_parameter, "cuKernelGetParamInfo");
    find(function_name, "cuFuncGetName");
    find(kernel_name, "cuKernelGetName");
    find(pointer, "cuPointerGetAttribute");
    find(range, "cuMemGetAddressRange_v2");
    find(copy, "cuMemcpyDtoHAsync_v2");
    find(synchronise, "cuStreamSynchronize");
    find(is_capturing, "cuStreamIsCapturing");
    find(capture_mode, "cuThreadExchangeStreamCaptureMode");
    find(error_name, "cuGetErrorName");
  }
  bool whole() const {
    return function_parameter && kernel_parameter && pointer && range && copy && synchronise &&
           is_capturing && capture_mode;
  }
  std::string text(CUresult result) const {
    const char* name = nullptr;
    if (error_name && error_name(result, &name) == CUDA_SUCCESS && name) return name;
    return "CUDA error " + std::to_string(static_cast<int>(result));
  }
};

const Driver& driver() {
  static const Driver one;
  return one;
}

// Never destroyed: threads may launch while the process ends.
Recorder& recorder() {
  static Recorder* const one = new Recorder(noctune_inject::settings_from_environment());
  return *one;
}

// ---- memory

// While another thread records a graph, our calls must neither fail nor break it.
class RelaxedCapture {
 public:
  RelaxedCapture() { driver().capture_mode(&mode_); }
  ~RelaxedCapture() { driver().capture_mode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

class DeviceMemory final : public noctune_inject::Memory {
 public:
  explicit DeviceMemory(CUstream stream) : stream_(stream) {}

  bool rest(Bytes address, Bytes& bytes) override {
    const CUdeviceptr pointer = static_cast<CUdeviceptr>(address);
    unsigned type = 0;
    if (driver().pointer(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer) != CUDA_SUCCESS) return false;
    CUdeviceptr start = 0;
    std::size_t size = 0;
    if (driver().pointer(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer) != CUDA_SUCCESS ||
        driver().pointer(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer) != CUDA_SUCCESS || size == 0)
      if (driver().range(&start, &size, pointer) != CUDA_SUCCESS) return false;
    if (pointer < start || pointer - start >= size) return false;
    bytes = size - (pointer - start);
    return true;
  }

  std::string fetch(char* to, Bytes from, std::size_t bytes) override {
    const RelaxedCapture relaxed;
    CUresult result = driver().copy(to, static_cast<CUdeviceptr>(from), bytes, stream_);
    const CUresult waited = driver().synchronise(stream_);
    if (result == CUDA_SUCCESS) result = waited;
    return result == CUDA_SUCCESS ? std::string()
                                  : "copying from the device failed, " + driver().text(result);
  }

 private:
  CUstream stream_;
};

// ---- launches

struct Call {
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  void** parameters = nullptr;
  void** extra = nullptr;
  bool cluster = false;
  Launch launch;
};

template <class Parameters>
void read_shape(const Parameters& from, Call& call) {
  const unsigned grid[] = {from.gridDimX, from.gridDimY, from.gridDimZ};
  const unsigned block[] = {from.blockDimX, from.blockDimY, from.blockDimZ};
  std::memcpy(call.launch.grid, grid, sizeof grid);
  std::memcpy(call.launch.block, block, sizeof block);
  call.launch.shared = from.sharedMemBytes;
  call.stream = from.hStream;
}

void read_extended(const cuLaunchKernelEx_params& from, Call& call) {
  read_shape(*from.config, call);
  call.function = from.f;
  call.parameters = from.kernelParams;
  call.extra = from.extra;
  for (unsigned i = 0; i < from.config->numAttrs; ++i)
    call.cluster = call.cluster || from.config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
}

bool per_thread(CUpti_CallbackId id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
}

// The structs of the _ptsz variants are the same. False for what is no single launch.
bool read_call(CUpti_CallbackId id, const void* from, Call& call) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
      const auto& all = *static_cast<const cuLaunchKernel_params*>(from);
      read_shape(all, call);
      call.function = all.f;
      call.parameters = all.kernelParams;
      call.extra = all.extra;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      read_extended(*static_cast<const cuLaunchKernelEx_params*>(from), call);
      break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
      const auto& all = *static_cast<const cuLaunchCooperativeKernel_params*>(from);
      read_shape(all, call);
      call.function = all.f;
      call.parameters = all.kernelParams;
      break;
    }
    default:
      return false;
  }
  if (!call.stream) call.stream = per_thread(id) ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  return true;
}

// Arguments that were passed packed, as cuLaunchKernel's `extra`.
const char* packed_arguments(void** extra, std::size_t& bytes) {
  const char* buffer = nullptr;
  bytes = 0;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<const char*>(extra[1]);
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(extra[1]);
  }
  return buffer;
}

// Offset and size of a launched function's parameters. What is launched as a CUfunction may really be a
// CUkernel; which of the two it is shows at the first parameter.
class Parameters {
 public:
  explicit Parameters(CUfunction function) : function_(function) {}
  CUresult info(std::size_t index, std::size_t& offset, std::size_t& size) {
    if (is_kernel_) return driver().kernel_parameter(kernel(), index, &offset, &size);
    const CUresult result = driver().function_parameter(function_, index, &offset, &size);
    if (index > 0 || result == CUDA_SUCCESS) return result;
    const CUresult other = driver().kernel_parameter(kernel(), index, &offset, &size);
    is_kernel_ = other == CUDA_SUCCESS;
    const bool is_kernel_of_none = result == CUDA_ERROR_INVALID_HANDLE && other == CUDA_ERROR_INVALID_VALUE;
    return is_kernel_ || is_kernel_of_none ? other : result;
  }

 private:
  CUkernel kernel() const { return reinterpret_cast<CUkernel>(function_); }
  CUfunction function_;
  bool is_kernel_ = false;
};

// The reason where they cannot be read, else empty.
std::string read_arguments(Call& call) {
  if (!call.parameters && !call.extra) return {};
  std::size_t packed_bytes = 0;
  const char* packed = call.parameters ? nullptr : packed_arguments(call.extra, packed_bytes);
  Parameters parameters(call.function);
  for (std::size_t index = 0; index < 4096; ++index) {
    std::size_t offset = 0, size = 0;
    const CUresult result = parameters.info(index, offset, size);
    if (result == CUDA_ERROR_INVALID_VALUE) return {};  // beyond the last
    if (result != CUDA_SUCCESS) return "its parameters are not known, " + driver().text(result);
    const char* from = nullptr;
    if (call.parameters) from = static_cast<const char*>(call.parameters[index]);
    if (packed && offset + size <= packed_bytes) from = packed + offset;
    if (!from) return "argument " + std::to_string(index + 1) + " was not passed";
    call.launch.arguments.push_back({offset, std::string(from, size)});
  }
  return "it has too many parameters";
}

// A kernel that is recorded into a graph runs later, on other contents.
std::string stream_problem(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult result = driver().is_capturing(stream, &status);
  if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) return "another stream is being recorded into a graph";
  if (result != CUDA_SUCCESS) return "its stream cannot be asked, " + driver().text(result);
  return status == CU_STREAM_CAPTURE_STATUS_NONE ? "" : "it is recorded into a graph, not run";
}

// CUPTI usually says it.
const char* symbol_of(const CUpti_CallbackData& data, CUfunction function) {
  if (data.symbolName) return data.symbolName;
  const char* name = nullptr;
  if (driver().function_name && driver().function_name(&name, function) == CUDA_SUCCESS) return name;
  const CUkernel kernel = reinterpret_cast<CUkernel>(function);
  if (driver().kernel_name && driver().kernel_name(&name, kernel) == CUDA_SUCCESS) return name;
  return nullptr;
}

void record(CUpti_CallbackId id, const CUpti_CallbackData& data) {
  if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz)
    return recorder().say("a CUDA graph is launched; the kernels in it are not captured");
  Call call;
  if (!driver().whole()) return recorder().say("nothing is captured: the driver is older than CUDA 12.4");
  if (!read_call(id, data.functionParams, call)) return;
  const char* symbol = symbol_of(data, call.function);
  if (!symbol) return recorder().say("a kernel without a name is not captured");
  if (!recorder().looks_at(symbol)) return;
  call.launch.symbol = symbol;
  std::string problem = stream_problem(call.stream);
  if (problem.empty()) problem = read_arguments(call);
  if (!problem.empty())
    return recorder().say("a launch of " + std::string(symbol) + " is not captured: " + problem);
  if (call.cluster)
    recorder().say(std::string(symbol) + " is launched in clusters, whose size is not captured");
  DeviceMemory memory(call.stream);
  recorder().launch(call.launch, memory);
}

thread_local bool inside = false;  // what we call ourselves is not looked at

void CUPTIAPI launched(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* from) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || inside) return;
  const CUpti_CallbackData& data = *static_cast<const CUpti_CallbackData*>(from);
  if (data.callbackSite != CUPTI_API_ENTER) return;
  inside = true;
  try {
    record(id, data);
  } catch (...) {
    std::fputs("noctune capture: a launch is not captured: no memory left on the host\n", stderr);
  }
  inside = false;
}

CUptiResult subscribe() {
  static CUpti_SubscriberHandle subscriber;
  CUptiResult result = cuptiSubscribe(&subscriber, launched, nullptr);
  for (const CUpti_CallbackId id :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
        CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz})
    if (result == CUPTI_SUCCESS) result = cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
  return result;
}

}  // namespace

// CUDA calls it once, before the application's first call has done anything. It always says that it is well.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (noctune_inject::settings_from_environment().folder.empty()) {
    std::fputs("noctune capture: nothing is captured: NOCTUNE_CAPTURE_DIR is not set\n", stderr);
    return 1;
  }
  const CUptiResult result = subscribe();
  if (result == CUPTI_SUCCESS) {
    recorder();
    std::atexit([] { recorder().finish(); });
    return 1;
  }
  const char* text = nullptr;
  cuptiGetResultString(result, &text);
  std::fprintf(stderr,
               "noctune capture: nothing is captured: CUPTI says %s (it serves one profiler at a time)\n",
               text ? text : "no more");
  return 1;
}
