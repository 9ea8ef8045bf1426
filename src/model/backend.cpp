#include "model/backend.hpp"

#include "model/campaign.hpp"

namespace noctune {

PlatformSettings default_platform(const std::string& backend) {
  PlatformSettings out;
  out.backend = backend;
  if (!runs_on_gpu(backend)) return out;
  out.compiler = backend == "cuda" ? "nvcc" : "hipcc";
  out.flags = {"-O3", "-std=c++17"};
  return out;
}

}  // namespace noctune
