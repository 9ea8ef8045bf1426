// An NVML without a GPU: what a node with one H200, one GPU of somebody else and one A100 with two MIG
// instances would answer. NOCTUNE_FAKE_NVML makes it fail: "no driver", "forbidden", "none".
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Fake {
  const char* uuid;
  const char* name;
  const char* pci;
  unsigned long long memory;
  int major, minor, file;
};
Fake devices[] = {
    {"GPU-11111111-aaaa-bbbb-cccc-000000000001", "NVIDIA H200", "00000000:3B:00.0", 150754820096ULL, 9, 0, 3},
    {"", "", "", 0, 0, 0, 0},  // withheld by a cgroup
    {"GPU-22222222-aaaa-bbbb-cccc-000000000002", "NVIDIA A100-SXM4-40GB", "00000001:AF:00.0", 42949672960ULL,
     8, 0, 1},
};
Fake instances[] = {
    {"MIG-33333333-aaaa-bbbb-cccc-000000000003", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "00000001:AF:00.0",
     5100273664ULL, 8, 0, 1},
    {"MIG-44444444-aaaa-bbbb-cccc-000000000004", "NVIDIA A100-SXM4-40GB MIG 3g.20gb", "00000001:AF:00.0",
     20937965568ULL, 8, 0, 1},
};

bool asked_for(const char* what) {
  const char* text = std::getenv("NOCTUNE_FAKE_NVML");
  return text && std::string(text) == what;
}

int copy(const char* from, char* to, unsigned size) {
  if (std::strlen(from) >= size) return 7;
  std::strcpy(to, from);
  return 0;
}

struct Pci {
  char legacy_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char id[32];
};
struct Memory {
  unsigned long long total, free, used;
};
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return asked_for("no driver") ? 9 : 0;
}
int nvmlShutdown() {
  return 0;
}
const char* nvmlErrorString(int code) {
  return code == 9 ? "Driver Not Loaded" : code == 4 ? "Insufficient Permissions" : "Unknown Error";
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = asked_for("none") ? 0 : 3;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Fake** out) {
  if (index == 1 || asked_for("forbidden")) return 4;
  *out = &devices[index];
  return 0;
}
int nvmlDeviceGetUUID(Fake* device, char* text, unsigned size) {
  return copy(device->uuid, text, size);
}
int nvmlDeviceGetName(Fake* device, char* text, unsigned size) {
  return copy(device->name, text, size);
}
int nvmlDeviceGetPciInfo_v3(Fake* device, Pci* out) {
  return copy(device->pci, out->id, sizeof out->id);
}
int nvmlDeviceGetMemoryInfo(Fake* device, Memory* out) {
  *out = {device->memory, device->memory, 0};
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return copy("580.65.06", text, size);
}
int nvmlDeviceGetCudaComputeCapability(Fake* device, int* major, int* minor) {
  *major = device->major;
  *minor = device->minor;
  return 0;
}
int nvmlDeviceGetMinorNumber(Fake* device, unsigned* out) {
  *out = static_cast<unsigned>(device->file);
  return 0;
}
int nvmlDeviceGetMigMode(Fake* device, unsigned* now, unsigned* pending) {
  *now = *pending = device == &devices[2];
  return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(Fake*, unsigned* count) {
  *count = 7;
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(Fake*, unsigned index, Fake** out) {
  if (index != 0 && index != 4) return 6;
  *out = &instances[index / 4];
  return 0;
}
int nvmlDeviceGetClockInfo(Fake*, int kind, unsigned* mhz) {
  *mhz = kind == 1 ? 1980 : 0;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Fake*, unsigned long long* bits) {
  *bits = 0x4;
  return 0;
}
int nvmlDeviceGetTemperature(Fake*, int, unsigned* degrees) {
  *degrees = 41;
  return 0;
}
int nvmlDeviceGetPowerUsage(Fake* device, unsigned* milliwatt) {
  if (device != &devices[0]) return 3;  // not of an instance
  *milliwatt = 77500;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(Fake*, unsigned long long* millijoule) {
  *millijoule = 123456789012ULL;
  return 0;
}
// More than fit into a first guess.
int nvmlDeviceGetComputeRunningProcesses_v2(Fake* device, unsigned* count, Process* out) {
  const unsigned here = device == &devices[0] ? 70 : 0;
  const bool fits = *count >= here;
  *count = here;
  if (!fits) return 7;
  for (unsigned i = 0; i < here; ++i) out[i] = {1000 + i, 0, 0, 0};
  return 0;
}
}
