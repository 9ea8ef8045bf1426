// Which GPUs this process may use, which evaluator gets which, and what a child needs to reach its own:
// decided from plain facts. What a batch system or a user has masked is never widened.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/gpu_library.hpp"

namespace noctune {

// The environment's say; nothing where a variable is not set.
struct GpuMasks {
  std::optional<std::string> cuda, rocr, hip;  // *_VISIBLE_DEVICES
  std::optional<std::string> cuda_order;       // CUDA_DEVICE_ORDER
};

struct VisibleGpus {
  std::vector<GpuInfo> devices;    // in the order in which a program started here would number them
  std::vector<std::string> notes;  // why some are hidden, and what is doubtful, for people
};

// Of one vendor's devices. An entry that names nothing, or something twice, hides itself and all later ones,
// as CUDA's and AMD's run times do. HIP_VISIBLE_DEVICES counts within what ROCR_VISIBLE_DEVICES leaves; HIP
// reads CUDA_VISIBLE_DEVICES too, but Slurm sets it beside ROCR's to the same numbers, so only where neither
// of the others is set.
VisibleGpus visible_gpus(const std::vector<GpuInfo>& all, const GpuMasks& masks, GpuVendor vendor);

// One evaluator as far as this matters.
struct GpuSeeker {
  int rank = 0;
  std::string host;
  std::vector<std::string> visible;  // gpu_key() of each, in its order
};

struct GpuShare {
  int chosen = -1;            // place in `visible`; -1 = it sees none
  std::vector<int> partners;  // other ranks on the same GPU: they take turns on it
};

// In the order of the ranks: the first visible GPU of the node that nobody has yet, so the n-th evaluator of
// a node takes the n-th where all see the same; else one with the fewest ranks on it.
std::vector<GpuShare> share_gpus(const std::vector<GpuSeeker>& seekers);

// What tells GPUs of a node apart: the UUID, else the PCI address, else the number.
std::string gpu_key(const GpuInfo& device);

// The environment of a child that is to see this GPU alone, made from what it would have got.
std::vector<std::string> with_gpu(std::vector<std::string> environment, const GpuInfo& device);

// Device files that a child must be able to read and write to use the GPU.
std::vector<std::string> gpu_device_files(const GpuInfo& device);

}  // namespace noctune
