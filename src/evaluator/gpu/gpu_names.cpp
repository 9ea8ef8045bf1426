#include "evaluator/gpu/gpu_names.hpp"

#include <algorithm>
#include <cctype>

namespace noctune {
namespace {

constexpr std::string_view memory =
    "handles memory: scratch comes from the MEP (define <entry>_scratch_bytes), and a call leaves none "
    "behind";
constexpr std::string_view streams = "leaves the stream that the entry was given, and so the measurement";
constexpr std::string_view waiting =
    "makes the host wait, or uses the default stream: timing queues a call behind a gate, where waiting "
    "never "
    "ends; use the Async form on `stream`";
constexpr std::string_view events = "uses events: timing is the driver's affair, order is the stream's";
constexpr std::string_view settings = "changes settings of the device or the process, which outlive the call";
constexpr std::string_view cached = "keeps data in the L2 cache from one call to the next";
constexpr std::string_view errors =
    "takes the launch's error away from the driver, which asks for it after every call";
constexpr std::string_view graphs = "builds a graph, which outlives the call";
constexpr std::string_view loading = "loads or builds other code than the kernel that was checked";
constexpr std::string_view driver_api = "uses the driver's interface; launch with <<<...>>>";
constexpr std::string_view tools = "talks to a profiler or to the machine's management";
constexpr std::string_view clocks = "reads a clock: a kernel has no business with the time";
constexpr std::string_view textures =
    "makes texture objects, which outlive the call; use __ldg or plain loads";
constexpr std::string_view others = "is no call that kernels and their launches need";

struct Family {
  std::string_view reason;
  std::string_view names;  // separated by blanks; a star stands for any end
};

// Behind "cuda" or "hip".
constexpr Family runtime[] = {
    {memory,
     "Malloc* Free* HostAlloc HostMalloc HostFree HostRegister HostUnregister HostGetDevicePointer "
     "ExtMalloc* "
     "Mem* MemPool* MemAdvise* MemPrefetch* MemRangeGet* Array* ImportExternal* ExternalMemory* Ipc* "
     "DeviceGetDefaultMemPool DeviceGetMemPool DeviceSetMemPool StreamAttachMemAsync"},
    {cached,
     "CtxResetPersistingL2Cache StreamSetAttribute StreamCopyAttributes AccessPolicyWindow "
     "LimitPersistingL2CacheSize StreamAttributeAccessPolicyWindow LaunchAttributeAccessPolicyWindow "
     "KernelNodeAttributeAccessPolicyWindow"},
    {streams,
     "StreamCreate* StreamDestroy* StreamWait* StreamWrite* StreamBatch* StreamAddCallback LaunchHostFunc* "
     "StreamPerThread StreamLegacy ExtStream* ExtLaunch* ExtModuleLaunch* HccModuleLaunch*"},
    {graphs, "Graph* StreamBeginCapture* StreamEndCapture* StreamUpdateCapture* UserObject*"},
    {waiting,
     "DeviceSynchronize ThreadSynchronize StreamSynchronize StreamQuery CtxSynchronize Memcpy Memset "
     "Memcpy2D "
     "Memcpy3D Memset2D Memset3D MemcpyToSymbol MemcpyFromSymbol MemcpyPeer Memcpy3DPeer MemcpyDtoH "
     "MemcpyHtoD MemcpyDtoD MemcpyWithStream MemsetD8 MemsetD16 MemsetD32 Memcpy2DToArray "
     "Memcpy2DFromArray MemcpyToArray MemcpyFromArray"},
    {events, "EventCreate* EventRecord* EventDestroy* EventQuery EventSynchronize EventElapsedTime*"},
    {settings,
     "DeviceSet* DeviceReset DeviceEnablePeerAccess DeviceDisablePeerAccess DeviceGraphMem* ThreadExit "
     "ThreadSet* "
     "ThreadExchange* Ctx* "
     "DevicePrimaryCtx* SetDevice* SetValidDevices InitDevice ChooseDevice"},
    {tools, "Profiler*"},
    {errors, "GetLastError ExtGetLastError"},
    {loading,
     "Module* Library* LinkCreate* LinkAdd* GetDriverEntryPoint* GetProcAddress GetExportTable "
     "GetFuncBySymbol "
     "GetKernel"},
    {textures,
     "CreateTextureObject* DestroyTextureObject CreateSurfaceObject DestroySurfaceObject BindTexture* "
     "UnbindTexture* TexObject* TexRef*"},
};

// Runtime calls, and what the compilers make of launches, that any candidate may need.
constexpr std::string_view allowed_calls =
    "LaunchKernel LaunchKernelEx* LaunchByPtr LaunchCooperativeKernel FuncSetAttribute FuncGetAttributes "
    "FuncSetCacheConfig FuncSetSharedMemConfig FuncGetName Occupancy* GetDevice DeviceGetAttribute "
    "GetDeviceProperties* MemcpyAsync Memcpy2DAsync Memcpy3DAsync MemsetAsync Memset2DAsync Memset3DAsync "
    "MemcpyToSymbolAsync MemcpyFromSymbolAsync MemsetD8Async MemsetD16Async MemsetD32Async MemcpyDtoDAsync "
    "GetSymbolAddress GetSymbolSize PeekAtLastError GetErrorString GetErrorName CreateChannelDesc "
    "StreamGetCaptureInfo StreamIsCapturing";

// Behind "cu" of the driver's interface; cuComplex.h has other names.
constexpr std::string_view driver_names =
    "Init DeviceGet* DevicePrimaryCtx* DriverGetVersion Ctx* Mem* Module* Library* Kernel* Link* Launch* "
    "Stream* Event* Func* Get* Graph* TexRef* TexObject* SurfObject* Array* Occupancy* Pointer* Ipc* "
    "Profiler* GreenCtx* Multicast* TensorMap* Coredump*";

constexpr Family plain[] = {
    {loading, "nvrtc* hiprtc* nvJitLink* nvPTXCompiler* amd_comgr_* hsa_* hsakmt*"},
    {tools, "nvml* cupti* rsmi_* amdsmi_* roctracer_* rocprofiler_* roctx* nvtx*"},
    {clocks,
     "clock64 __clock __clock64 wall_clock64 globaltimer __globaltimer __nvvm_read_ptx_sreg_clock* "
     "__nvvm_read_ptx_sreg_globaltimer* __builtin_readcyclecounter __builtin_amdgcn_s_memtime "
     "__builtin_amdgcn_s_memrealtime"},
    {memory, "__managed__"},
};

bool listed(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t stop = std::min(names.find(' '), names.size());
    const std::string_view one = names.substr(0, stop);
    if (one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)))) return true;
    names.remove_prefix(std::min(stop + 1, names.size()));
  }
  return false;
}

// What is behind the prefix of an interface, if a capital letter is: "Malloc" of cudaMalloc.
std::string_view behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  name.remove_prefix(prefix.size());
  return std::isupper(static_cast<unsigned char>(name.front())) ? name : std::string_view();
}

// Types and constants (cudaMemcpyKind, cudaGraph_t, hipMemcpyDeviceToDevice) do nothing by themselves.
bool is_harmless(std::string_view call) {
  static constexpr std::string_view constants =
      "MemcpyKind MemcpyHostToDevice MemcpyDeviceToHost MemcpyDeviceToDevice MemcpyHostToHost MemcpyDefault "
      "MemLocation MemoryType* MemoryTypeDevice";
  return call.ends_with("_t") || listed(constants, call);
}

std::string_view runtime_reason(std::string_view call) {
  if (listed(allowed_calls, call) || is_harmless(call)) return {};
  // Exact names first: "Mem*" would take Memcpy for memory.
  for (const Family& family : runtime)
    if (family.reason == waiting && listed(family.names, call)) return waiting;
  for (const Family& family : runtime)
    if (listed(family.names, call)) return family.reason;
  return {};
}

// "Malloc" of cudaMalloc, hipMalloc and their variants for other default streams; empty for other names.
std::string_view runtime_call(std::string_view name) {
  std::string_view call = behind(name, "cuda");
  if (call.empty()) call = behind(name, "hip");
  for (const std::string_view variant : {"_ptsz", "_ptds", "_spt", "_v2"})
    if (call.ends_with(variant)) call.remove_suffix(variant.size());
  return call;
}

}  // namespace

std::string_view gpu_name_reason(std::string_view name) {
  if (const std::string_view call = runtime_call(name); !call.empty()) return runtime_reason(call);
  if (const std::string_view call = behind(name, "cu"); !call.empty())
    return listed(driver_names, call) ? driver_api : std::string_view();
  for (const Family& family : plain)
    if (listed(family.names, name)) return family.reason;
  return {};
}

std::string_view gpu_symbol_reason(std::string_view symbol) {
  if (const std::string_view reason = gpu_name_reason(symbol); !reason.empty()) return reason;
  if (const std::string_view call = runtime_call(symbol); !call.empty())
    return listed(allowed_calls, call) ? std::string_view() : others;
  return behind(symbol, "cu").empty() ? std::string_view() : driver_api;
}

}  // namespace noctune
