// An application with a CUDA of its own making, linked with noctune_inject.cpp: the driver's and CUPTI's
// functions that the library calls, over host memory. It launches as the runtime would, through CUPTI's
// callback, and fails (exit 1) where the library disturbs it.
#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

extern "C" int InitializeInjection();

namespace {

CUpti_CallbackFunc callback = nullptr;
std::set<CUpti_CallbackId> enabled;
CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
std::vector<float> x(1000, 2.5F), y(1000, 1), spare(8, 1);
std::vector<int> rows = {0, 2, 3};
int copies_in_stream[8] = {};
bool launch_while_copying = false;

const auto plain = reinterpret_cast<CUfunction>(std::uintptr_t{16});   // saxpy(int, float, float*, float*)
const auto modern = reinterpret_cast<CUfunction>(std::uintptr_t{32});  // spmv(long, const int*), a CUkernel
const auto alien = reinterpret_cast<CUfunction>(std::uintptr_t{48});
const auto capturing = reinterpret_cast<CUstream>(std::uintptr_t{5});
const auto blocked = reinterpret_cast<CUstream>(std::uintptr_t{6});

template <class Parameters>
void call(CUpti_CallbackId id, const char* symbol, const Parameters& parameters) {
  CUpti_CallbackData data = {};
  data.symbolName = symbol;
  data.functionParams = &parameters;
  if (enabled.count(id) == 0) return;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    data.callbackSite = site;
    callback(nullptr, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  }
}

void saxpy(int n, CUstream stream = nullptr, CUpti_CallbackId id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) {
  float a = 2;
  const float* from = x.data();
  float* to = y.data();
  void* arguments[] = {&n, &a, &from, &to};
  const cuLaunchKernel_params parameters = {plain, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr};
  call(id, "saxpy", parameters);
}

void spmv(CUfunction function = modern, const char* symbol = "_Z4spmvlPKi") {
  struct {
    std::int64_t n = 2;
    const int* row_ptr = rows.data();
  } packed;
  std::size_t bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config = {1, 2, 1, 32, 1, 1, 64, nullptr, &attribute, 1};
  const cuLaunchKernelEx_params parameters = {&config, function, nullptr, extra};
  call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, symbol, parameters);
}

// The vector that an address lies in.
bool allocation(CUdeviceptr at, CUdeviceptr& begin, std::size_t& bytes) {
  for (const std::vector<float>* one : {&x, &y, &spare}) {
    begin = reinterpret_cast<CUdeviceptr>(one->data());
    bytes = 4 * one->size();
    if (at >= begin && at < begin + bytes) return true;
  }
  begin = reinterpret_cast<CUdeviceptr>(rows.data());
  bytes = 4 * rows.size();
  return at >= begin && at < begin + bytes;
}

CUresult parameter(const std::vector<std::size_t>& sizes, std::size_t index, std::size_t* offset,
                   std::size_t* size) {
  if (index >= sizes.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  for (std::size_t i = 0; i < index; ++i) *offset += sizes[i];
  *size = sizes[index];
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc function, void*) {
  callback = function;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId id) {
  enabled.insert(id);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char**) {
  return CUPTI_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  if (function != plain) return CUDA_ERROR_INVALID_HANDLE;
  return parameter({4, 4, 8, 8}, index, offset, size);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  if (reinterpret_cast<CUfunction>(kernel) != modern) return CUDA_ERROR_INVALID_HANDLE;
  return parameter({8, 8}, index, offset, size);
}
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr at) {
  CUdeviceptr begin = 0;
  size_t bytes = 0;
  if (!allocation(at, begin, bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) *static_cast<unsigned*>(data) = CU_MEMORYTYPE_DEVICE;
  if (attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) *static_cast<CUdeviceptr*>(data) = begin;
  if (attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
    if (begin == reinterpret_cast<CUdeviceptr>(y.data())) return CUDA_ERROR_NOT_SUPPORTED;
    *static_cast<size_t*>(data) = bytes;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, size_t* bytes, CUdeviceptr at) {
  return allocation(at, *begin, *bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  if (mode != CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  ++copies_in_stream[reinterpret_cast<std::uintptr_t>(stream)];
  if (launch_while_copying) saxpy(77);
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  *status = stream == capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return stream == blocked ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* with) {
  const CUstreamCaptureMode before = mode;
  mode = *with;
  *with = before;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char** name) {
  *name = "CUDA_ERROR_OF_THE_FAKE";
  return CUDA_SUCCESS;
}

}  // extern "C"

int main() {
  if (InitializeInjection() != 1) return 1;
  saxpy(1000);
  launch_while_copying = true;
  saxpy(12, nullptr, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
  launch_while_copying = false;
  y[0] = 5;
  saxpy(1000);
  saxpy(3, capturing);
  saxpy(3, blocked);
  spmv();
  spmv(alien, "alien");
  call(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, nullptr, 0);
  const bool own_streams = copies_in_stream[1] == 2 && copies_in_stream[2] == 3;  // legacy, per thread
  if (!own_streams) std::fputs("copied in other streams than the launches'\n", stderr);
  return own_streams && mode == CU_STREAM_CAPTURE_MODE_GLOBAL ? 0 : 1;
}
