#include "evaluator/gpu/gpu_facts.hpp"

#include "base/process.hpp"
#include "evaluator/gpu/gpu_detection.hpp"
#include "evaluator/gpu/gpu_toolchain.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

Task<std::string> output_of(Bench& bench, std::vector<std::string> argv) {
  ChildRequest request;
  request.argv = std::move(argv);
  request.working_folder = "/";
  request.environment = compiler_environment({"LC_ALL=C"});
  request.deadline_s = 30;
  const ChildOutcome outcome = co_await bench.helper.run(std::move(request));
  co_return outcome.clean() ? outcome.output : std::string();
}

Task<std::vector<GpuDevice>> devices_here(Bench& bench, std::string backend) {
  std::vector<std::string> argv = {"nvidia-smi", "--query-gpu=compute_cap,uuid,name,pci.bus_id",
                                   "--format=csv,noheader"};
  if (backend == "hip") argv = {"rocminfo"};
  const std::string text = co_await output_of(bench, std::move(argv));
  co_return backend == "hip" ? read_rocminfo(text) : read_nvidia_smi(text);
}

}  // namespace

Task<std::string> learn_gpu(Bench& bench, PlatformSettings platform) {
  if (!runs_on_gpu(platform.backend)) co_return std::string();
  const std::vector<GpuDevice> devices = co_await devices_here(bench, platform.backend);
  if (devices.empty())
    co_return platform.backend == "hip" ? "no GPU is seen here: rocminfo lists none"
                                        : "no GPU is seen here: nvidia-smi lists none";
  const GpuDevice& device = devices.front();
  const auto architectures = architecture_list(platform.backend, {device.arch});
  if (!architectures || architectures->empty()) co_return "the architecture of " + device.name + " is not known";
  DeviceFacts& facts = bench.device;
  facts.name = device.name;
  facts.architecture = architectures->front();
  facts.environment = {"CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_VISIBLE_DEVICES=" + device.uuid,
                       "CUDA_CACHE_DISABLE=1", "CUDA_MODULE_LOADING=EAGER"};
  if (platform.backend == "hip") facts.environment = {"ROCR_VISIBLE_DEVICES=" + device.uuid};
  co_return std::string();
}

}  // namespace noctune
