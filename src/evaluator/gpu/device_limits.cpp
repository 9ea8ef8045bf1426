// Limits by architecture. NVIDIA: CUDA C++ Programming Guide, table of technical specifications per compute
// capability, and cuda_occupancy.h. AMD: LLVM's AMDGPU back end (waves, register files, granularity). Hygon
// publishes no figures: those of gfx906, from which its parts descend.
#include <algorithm>
#include <array>
#include <cctype>

#include "evaluator/gpu/occupancy.hpp"

namespace noctune {
namespace {

struct NvidiaRow {
  int capability;  // 90 for 9.0
  int max_waves, max_blocks;
  int shared_kb, shared_block_kb;
  int barriers_per_block_slot;  // 0: barriers are no limit of their own
};

constexpr std::array<NvidiaRow, 15> nvidia = {{
    {70, 64, 32, 96, 96, 0},
    {72, 64, 32, 96, 96, 0},
    {75, 32, 16, 64, 64, 0},
    {80, 64, 32, 164, 163, 0},
    {86, 48, 16, 100, 99, 0},
    {87, 48, 16, 164, 163, 0},
    {88, 48, 16, 100, 99, 0},
    {89, 48, 24, 100, 99, 0},
    {90, 64, 32, 228, 227, 2},
    {100, 64, 32, 228, 227, 2},
    {101, 48, 24, 228, 227, 1},
    {103, 64, 32, 228, 227, 2},
    {110, 48, 24, 228, 227, 1},
    {120, 48, 24, 100, 99, 1},
    {121, 48, 24, 100, 99, 1},
}};

struct AmdRow {
  const char* name;
  int waves_per_simd;
  int registers, granularity, most;  // vector registers a lane
  bool unified, assumed;
};

constexpr std::array<AmdRow, 13> amd = {{
    {"gfx900", 10, 256, 4, 256, false, false},
    {"gfx906", 10, 256, 4, 256, false, false},
    {"gfx908", 10, 256, 4, 256, false, false},
    {"gfx90a", 8, 512, 8, 512, true, false},
    {"gfx940", 8, 512, 8, 512, true, false},
    {"gfx941", 8, 512, 8, 512, true, false},
    {"gfx942", 8, 512, 8, 512, true, false},
    {"gfx926", 10, 256, 4, 256, false, true},
    {"gfx928", 10, 256, 4, 256, false, true},
    {"gfx92a", 10, 256, 4, 256, false, true},
    {"gfx936", 10, 256, 4, 256, false, true},
    {"gfx938", 10, 256, 4, 256, false, true},
    {"gfx946", 10, 256, 4, 256, false, true},
}};

DeviceLimits from(const NvidiaRow& row) {
  DeviceLimits out;
  out.arch = "sm_" + std::to_string(row.capability);
  out.max_waves = row.max_waves;
  out.max_blocks = row.max_blocks;
  out.max_barriers = row.max_blocks * row.barriers_per_block_slot;
  out.shared_bytes = 1024LL * row.shared_kb;
  out.shared_block_bytes = 1024LL * row.shared_block_kb;
  out.shared_plain_bytes = 48LL * 1024;
  out.shared_granularity = row.capability < 80 ? 256 : 128;
  out.shared_reserved_bytes = row.capability < 80 ? 0 : 1024;
  return out;
}

DeviceLimits from(const AmdRow& row) {
  DeviceLimits out;
  out.arch = row.name;
  out.amd = true;
  out.assumed = row.assumed;
  out.wave = 64;
  out.max_waves = row.waves_per_simd * out.partitions;
  out.max_blocks =
      16;  // of several waves each: a barrier is needed for each; single waves have no such limit
  out.registers = row.registers;
  out.register_granularity = row.granularity;
  out.max_thread_registers = row.most;
  out.unified_registers = row.unified;
  out.shared_bytes = out.shared_block_bytes = out.shared_plain_bytes = 64LL * 1024;
  out.shared_granularity = 512;
  return out;
}

// 90 for "sm_90", "sm_90a", "compute_90", "9.0"; 0 for what is none of these.
int capability_of(std::string text) {
  const bool dotted = text.find('.') != std::string::npos;
  for (const std::string start : {"sm_", "compute_"})
    if (text.starts_with(start)) text = text.substr(start.size());
  if (!text.empty() && !dotted && (text.back() == 'a' || text.back() == 'f')) text.pop_back();
  text.erase(std::remove(text.begin(), text.end(), '.'), text.end());
  const bool digits = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  return digits && text.size() >= 2 && text.size() <= 3 ? std::stoi(text) : 0;
}

}  // namespace

Result<DeviceLimits> device_limits(const std::string& architecture) {
  const std::string name = architecture.substr(0, architecture.find(':'));
  for (const AmdRow& row : amd)
    if (name == row.name) return from(row);
  const int capability = name.starts_with("gfx") ? 0 : capability_of(name);
  for (const NvidiaRow& row : nvidia)
    if (capability == row.capability) return from(row);
  return fail("the limits of the architecture \"" + architecture + "\" are not known",
              "it is not in the table", "occupancy is left out for it");
}

}  // namespace noctune
