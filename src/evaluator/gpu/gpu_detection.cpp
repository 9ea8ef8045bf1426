#include "evaluator/gpu/gpu_detection.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <sstream>

namespace noctune {
namespace {

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) out.push_back(trimmed(line));
  return out;
}

// "key: value", both trimmed; without a colon the key is empty.
std::pair<std::string, std::string> pair_of(const std::string& line) {
  const auto colon = line.find(':');
  if (colon == std::string::npos) return {};
  return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
}

unsigned number(const std::string& text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// rocminfo's BDFID: bus, device and function in one number.
std::string pci_of(unsigned bdf) {
  if (bdf == 0 || bdf > 0xffff) return {};
  char out[32];
  std::snprintf(out, sizeof out, "0000:%02x:%02x.%x", bdf >> 8, (bdf >> 3) & 31, bdf & 7);
  return out;
}

bool is_capability(const std::string& text) {
  return text.size() >= 3 && text.size() <= 4 && text[text.size() - 2] == '.' &&
         std::count_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }) ==
             static_cast<long>(text.size()) - 1;
}

void rocminfo_fact(GpuDevice& device, bool& is_gpu, const std::string& key, const std::string& value) {
  if (key == "Name" && device.arch.empty()) device.arch = value;
  if (key == "Uuid" && value != "GPU-XX") device.uuid = value;
  if (key == "Marketing Name") device.name = value;
  if (key == "Device Type") is_gpu = value == "GPU";
  if (key == "BDFID") device.pci = pci_of(number(value));
}

}  // namespace

std::string plain_pci(const std::string& address) {
  std::string text = trimmed(address);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto last = text.rfind(':'), first = text.find(':');
  if (last == std::string::npos || text.find_first_not_of("0123456789abcdef:.") != std::string::npos)
    return {};
  if (first == last) text = "0000:" + text;
  const auto domain = text.find(':');
  if (domain > 4) text = text.substr(domain - 4);
  return text.size() == 12 ? text : std::string();
}

std::vector<GpuDevice> read_nvidia_smi(const std::string& text) {
  std::vector<GpuDevice> out;
  for (const std::string& line : lines_of(text)) {
    const auto first = line.find(','), second = line.find(',', first + 1), last = line.rfind(',');
    if (first == std::string::npos || second == std::string::npos || last <= second) continue;
    GpuDevice device;
    device.arch = trimmed(line.substr(0, first));
    if (!is_capability(device.arch)) continue;
    device.index = static_cast<int>(out.size());
    device.uuid = trimmed(line.substr(first + 1, second - first - 1));
    device.name = trimmed(line.substr(second + 1, last - second - 1));
    device.pci = plain_pci(line.substr(last + 1));
    out.push_back(std::move(device));
  }
  return out;
}

std::vector<GpuDevice> read_rocminfo(const std::string& text) {
  std::vector<GpuDevice> out;
  GpuDevice device;
  bool is_gpu = false, inside = false;
  const auto close = [&] {
    if (inside && is_gpu && device.arch.starts_with("gfx")) {
      device.index = static_cast<int>(out.size());
      out.push_back(device);
    }
    device = {};
    is_gpu = false;
  };
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("Agent ")) {
      close();
      inside = true;
    }
    const auto [key, value] = pair_of(line);
    if (inside) rocminfo_fact(device, is_gpu, key, value);
  }
  close();
  return out;
}

std::vector<GpuDevice> read_hy_smi(const std::string& text) {
  std::vector<GpuDevice> out;
  for (const std::string& line : lines_of(text)) {
    const auto [device, fact] = pair_of(line);
    const auto open = device.find('[');
    if (open == std::string::npos || open == 0 || device.back() != ']') continue;
    const int index = static_cast<int>(std::min(number(device.substr(open + 1)), 1023U));
    auto at = std::find_if(out.begin(), out.end(), [&](const GpuDevice& one) { return one.index == index; });
    if (at == out.end()) {
      at = out.insert(out.end(), GpuDevice());
      at->index = index;
    }
    const auto [key, value] = pair_of(fact);
    if (key == "PCI Bus") at->pci = plain_pci(value);
    if (key == "Unique ID" || key == "Uuid") at->uuid = value;
    if (key == "Card series" || key == "Card Series") at->name = value;
  }
  return out;
}

std::vector<std::string> architectures_of(const std::vector<GpuDevice>& devices) {
  std::vector<std::string> out;
  for (const GpuDevice& one : devices)
    if (!one.arch.empty() && std::find(out.begin(), out.end(), one.arch) == out.end())
      out.push_back(one.arch);
  return out;
}

}  // namespace noctune
