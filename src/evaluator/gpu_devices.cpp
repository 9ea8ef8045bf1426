#include "evaluator/gpu_devices.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

namespace noctune {
namespace {

std::vector<std::string> entries(const std::string& mask) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= mask.size();) {
    const std::size_t end = std::min(mask.find(',', at), mask.size());
    const std::size_t first = std::min(mask.find_first_not_of(" \t", at), end);
    const std::size_t last = mask.find_last_not_of(" \t", end == 0 ? 0 : end - 1);
    out.push_back(first < end ? mask.substr(first, last + 1 - first) : "");
    at = end + 1;
  }
  return out;
}

std::optional<int> number(const std::string& entry) {
  int value = 0;
  const auto [end, bad] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
  if (bad != std::errc() || end != entry.data() + entry.size() || value < 0) return std::nullopt;
  return value;
}

// By UUID, of which CUDA takes a prefix if it fits one device alone.
const GpuInfo* by_uuid(const std::vector<GpuInfo>& from, const std::string& entry) {
  if (!entry.starts_with("GPU-") && !entry.starts_with("MIG-")) return nullptr;
  const GpuInfo* found = nullptr;
  for (const GpuInfo& device : from) {
    if (device.uuid == entry) return &device;
    if (device.vendor != GpuVendor::nvidia || !device.uuid.starts_with(entry)) continue;
    if (found) return nullptr;
    found = &device;
  }
  return found;
}

enum class Counting { library_numbers, places };

// A number means the library's number of a GPU (the first instance of one that is divided), or a place in
// what an earlier mask has left.
const GpuInfo* named(const std::vector<GpuInfo>& from, const std::string& entry, Counting counting) {
  const std::optional<int> index = number(entry);
  if (!index) return by_uuid(from, entry);
  if (counting == Counting::places)
    return static_cast<std::size_t>(*index) < from.size() ? &from[static_cast<std::size_t>(*index)] : nullptr;
  const auto found =
      std::find_if(from.begin(), from.end(), [&](const GpuInfo& device) { return device.index == *index; });
  return found == from.end() ? nullptr : &*found;
}

void apply(const char* variable, const std::optional<std::string>& mask, Counting counting,
           VisibleGpus& visible) {
  if (!mask) return;
  const std::string set = std::string(variable) + "=" + *mask;
  std::vector<GpuInfo> left;
  std::string wrong;
  std::set<std::string> taken;
  for (const std::string& entry : entries(*mask)) {
    const GpuInfo* device = named(visible.devices, entry, counting);
    if (!device) wrong = "names no device";
    if (device && !taken.insert(gpu_key(*device)).second) wrong = "names a device again";
    if (!wrong.empty()) {
      wrong = mask->empty() ? set + " hides all devices"
                            : set + ": '" + entry + "' " + wrong + " and hides all that follow";
      break;
    }
    left.push_back(*device);
  }
  if (!wrong.empty()) {
    visible.notes.push_back(wrong);
  } else if (left.size() < visible.devices.size()) {
    visible.notes.push_back(set + " leaves " + std::to_string(left.size()) + " of " +
                            std::to_string(visible.devices.size()) + " devices");
  }
  visible.devices = std::move(left);
}

// CUDA's own order is by speed where nothing else is asked for; between equal devices it makes no difference.
void doubt_order(const GpuMasks& masks, VisibleGpus& visible) {
  const bool by_number = masks.cuda && !masks.cuda->empty() && number(entries(*masks.cuda).front());
  const bool differ = std::any_of(visible.devices.begin(), visible.devices.end(), [&](const GpuInfo& one) {
    return one.name != visible.devices.front().name;
  });
  if (by_number && differ && masks.cuda_order.value_or("") != "PCI_BUS_ID")
    visible.notes.emplace_back(
        "GPUs of several kinds: numbers in CUDA_VISIBLE_DEVICES are taken in the order of PCI addresses; "
        "CUDA_DEVICE_ORDER=PCI_BUS_ID makes CUDA count so too");
}

bool is_visibility(std::string_view entry) {
  const std::string_view name = entry.substr(0, entry.find('='));
  for (const std::string_view one : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ROCR_VISIBLE_DEVICES",
                                     "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "NVIDIA_VISIBLE_DEVICES"})
    if (name == one) return true;
  return false;
}

}  // namespace

VisibleGpus visible_gpus(const std::vector<GpuInfo>& all, const GpuMasks& masks, GpuVendor vendor) {
  VisibleGpus out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out.devices),
               [&](const GpuInfo& device) { return device.vendor == vendor; });
  if (vendor == GpuVendor::nvidia) {
    doubt_order(masks, out);
    apply("CUDA_VISIBLE_DEVICES", masks.cuda, Counting::library_numbers, out);
    return out;
  }
  apply("ROCR_VISIBLE_DEVICES", masks.rocr, Counting::library_numbers, out);
  apply("HIP_VISIBLE_DEVICES", masks.hip, Counting::places, out);
  if (!masks.rocr && !masks.hip) apply("CUDA_VISIBLE_DEVICES", masks.cuda, Counting::places, out);
  return out;
}

std::vector<GpuShare> share_gpus(const std::vector<GpuSeeker>& seekers) {
  using Key = std::pair<std::string, std::string>;  // host, GPU
  std::map<Key, std::vector<int>> ranks;
  std::vector<GpuShare> out(seekers.size());
  const auto key = [&](std::size_t seeker, int place) {
    return Key(seekers[seeker].host, seekers[seeker].visible[static_cast<std::size_t>(place)]);
  };
  for (std::size_t i = 0; i < seekers.size(); ++i) {
    for (int place = 0; place < static_cast<int>(seekers[i].visible.size()); ++place)
      if (out[i].chosen < 0 || ranks[key(i, place)].size() < ranks[key(i, out[i].chosen)].size())
        out[i].chosen = place;
    if (out[i].chosen >= 0) ranks[key(i, out[i].chosen)].push_back(seekers[i].rank);
  }
  for (std::size_t i = 0; i < seekers.size(); ++i) {
    if (out[i].chosen < 0) continue;
    out[i].partners = ranks[key(i, out[i].chosen)];
    std::erase(out[i].partners, seekers[i].rank);
  }
  return out;
}

std::string gpu_key(const GpuInfo& device) {
  if (!device.uuid.empty()) return device.uuid;
  return device.pci.empty() ? "number " + std::to_string(device.index) : device.pci;
}

std::vector<std::string> with_gpu(std::vector<std::string> environment, const GpuInfo& device) {
  std::erase_if(environment, [](const std::string& entry) { return is_visibility(entry); });
  const std::string number = std::to_string(device.index);
  if (device.vendor == GpuVendor::nvidia) {
    environment.push_back("CUDA_VISIBLE_DEVICES=" + (device.uuid.empty() ? number : device.uuid));
    environment.emplace_back("CUDA_DEVICE_ORDER=PCI_BUS_ID");
  } else if (device.uuid.empty()) {
    environment.push_back("HIP_VISIBLE_DEVICES=" + number);
  } else {
    environment.push_back("ROCR_VISIBLE_DEVICES=" + device.uuid);
  }
  return environment;
}

std::vector<std::string> gpu_device_files(const GpuInfo& device) {
  const std::string minor = std::to_string(device.minor);
  if (device.vendor == GpuVendor::amd) {
    if (device.minor < 0) return {"/dev/kfd", "/dev/dri"};
    return {"/dev/kfd", "/dev/dri/renderD" + minor};
  }
  std::vector<std::string> out = {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools"};
  if (device.minor >= 0) out.insert(out.begin(), "/dev/nvidia" + minor);
  if (device.mig) out.emplace_back("/dev/nvidia-caps");
  return out;
}

}  // namespace noctune
