// A ROCm SMI without a GPU: one MI210-like device and one whose unique id is not known, as on many DCUs.
// NOCTUNE_FAKE_ROCM=newer gives clocks in the form of ROCm 6.
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" {

int rsmi_init(std::uint64_t) {
  return 0;
}
int rsmi_shut_down() {
  return 0;
}
int rsmi_status_string(int, const char** text) {
  *text = "an error";
  return 0;
}
int rsmi_num_monitor_devices(std::uint32_t* count) {
  *count = 2;
  return 0;
}
int rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* id) {
  *id = index == 0 ? 0x100006500ULL : 0xc108ULL;
  return 0;
}
int rsmi_dev_name_get(std::uint32_t index, char* text, std::size_t) {
  std::strcpy(text, index == 0 ? "Instinct MI210" : "DCU");
  return 0;
}
int rsmi_dev_memory_total_get(std::uint32_t, int, std::uint64_t* bytes) {
  *bytes = 68702699520ULL;
  return 0;
}
int rsmi_dev_unique_id_get(std::uint32_t index, std::uint64_t* id) {
  *id = 0xabcd1234ULL;
  return index == 0 ? 0 : 2;
}
int rsmi_dev_drm_render_minor_get(std::uint32_t index, std::uint32_t* minor) {
  *minor = 128 + index;
  return 0;
}
int rsmi_version_str_get(int, char* text, std::uint32_t) {
  std::strcpy(text, "6.3.6");
  return 0;
}
int rsmi_dev_gpu_clk_freq_get(std::uint32_t index, int, void* out) {
  const char* form = std::getenv("NOCTUNE_FAKE_ROCM");
  const std::uint64_t clocks[2] = {500000000, 1700000000};
  const bool newer = form && std::strcmp(form, "newer") == 0;
  std::uint32_t head[4] = {2, 1, 0, 0};  // number, current
  if (newer) {
    head[0] = index;  // deep sleep: no, yes
    head[1] = 2;
    head[2] = 1;
  }
  char* to = static_cast<char*>(out);
  std::memcpy(to, head, newer ? 16 : 8);
  std::memcpy(to + (newer ? 16 : 8), clocks, sizeof clocks);
  return 0;
}
int rsmi_dev_temp_metric_get(std::uint32_t, std::uint32_t, int, std::int64_t* millidegrees) {
  *millidegrees = 37000;
  return 0;
}
int rsmi_dev_power_ave_get(std::uint32_t, std::uint32_t, std::uint64_t* microwatt) {
  *microwatt = 42000000;
  return 0;
}
int rsmi_dev_energy_count_get(std::uint32_t index, std::uint64_t* ticks, float* microjoules,
                              std::uint64_t* time) {
  *ticks = 1000000;
  *microjoules = 15.25F;
  *time = 0;
  return index == 0 ? 0 : 2;
}
int rsmi_compute_process_gpus_get(std::uint32_t pid, std::uint32_t* indices, std::uint32_t* count) {
  *count = pid == 4711 ? 1 : 0;
  if (pid == 4711) indices[0] = 0;
  return 0;
}
}
