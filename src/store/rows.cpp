#include "store/rows.hpp"

#include <stdexcept>

#include "model/evaluation_json.hpp"
#include "store/rows_json.hpp"

namespace noctune {
namespace {

[[noreturn]] void unnamed() {
  throw std::logic_error("enumeration value without a name");
}

template <class Enum>
Enum enum_from(const Json& json, const char* key, std::initializer_list<Enum> values, Enum fallback) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return fallback;
  for (const Enum value : values)
    if (*found == to_text(value)) return value;
  return fallback;
}

void read(const Json& json, const char* key, std::string& out) {
  const auto found = json.find(key);
  if (found != json.end()) out = text_from_json(*found).value_or(out);
}
void read(const Json& json, const char* key, double& out) {
  const auto found = json.find(key);
  if (found != json.end()) out = number_from_json(*found).value_or(out);
}
void read(const Json& json, const char* key, long long& out) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_number_integer()) out = found->get<long long>();
}

}  // namespace

const char* to_text(MepStatus status) {
  switch (status) {
    case MepStatus::pending:
      return "pending";
    case MepStatus::complete:
      return "complete";
    case MepStatus::failed:
      return "failed";
    case MepStatus::user:
      return "user";
    case MepStatus::rules:
      return "rules";
    case MepStatus::model:
      return "model";
    case MepStatus::refused:
      return "refused";
  }
  unnamed();
}

const char* to_text(HotspotVerdict verdict) {
  switch (verdict) {
    case HotspotVerdict::pending:
      return "pending";
    case HotspotVerdict::faster:
      return "faster";
    case HotspotVerdict::indistinguishable:
      return "indistinguishable";
    case HotspotVerdict::slower:
      return "slower";
    case HotspotVerdict::failed:
      return "failed";
  }
  unnamed();
}

const char* to_text(EventLevel level) {
  switch (level) {
    case EventLevel::debug:
      return "debug";
    case EventLevel::info:
      return "info";
    case EventLevel::warning:
      return "warning";
    case EventLevel::error:
      return "error";
  }
  unnamed();
}

Json to_json(const HotspotRow& row) {
  const auto& [name, backend, entry, share, mep_status, t_ker, t_overall, s_data, batched, baseline_time,
               best_time, standalone_speedup, standalone_low, standalone_high, direct_speedup,
               integrated_speedup, verdict, best_candidate, rounds, reason] = row;
  return {{"name", text_to_json(name)},
          {"backend", text_to_json(backend)},
          {"entry", text_to_json(entry)},
          {"share", number_to_json(share)},
          {"mep_status", to_text(mep_status)},
          {"t_ker", number_to_json(t_ker)},
          {"t_overall", number_to_json(t_overall)},
          {"s_data", number_to_json(s_data)},
          {"batched", batched},
          {"baseline_time", number_to_json(baseline_time)},
          {"best_time", number_to_json(best_time)},
          {"standalone_speedup", number_to_json(standalone_speedup)},
          {"standalone_low", number_to_json(standalone_low)},
          {"standalone_high", number_to_json(standalone_high)},
          {"direct_speedup", number_to_json(direct_speedup)},
          {"integrated_speedup", number_to_json(integrated_speedup)},
          {"verdict", to_text(verdict)},
          {"best_candidate", best_candidate},
          {"rounds", rounds},
          {"reason", text_to_json(reason)}};
}

HotspotRow hotspot_from_json(const Json& json) {
  HotspotRow row;
  read(json, "name", row.name);
  read(json, "backend", row.backend);
  read(json, "entry", row.entry);
  read(json, "share", row.share);
  row.mep_status = enum_from(json, "mep_status",
                             {MepStatus::pending, MepStatus::complete, MepStatus::failed, MepStatus::user,
                              MepStatus::rules, MepStatus::model, MepStatus::refused},
                             MepStatus::pending);
  read(json, "t_ker", row.t_ker);
  read(json, "t_overall", row.t_overall);
  read(json, "s_data", row.s_data);
  read(json, "batched", row.batched);
  read(json, "baseline_time", row.baseline_time);
  read(json, "best_time", row.best_time);
  read(json, "standalone_speedup", row.standalone_speedup);
  read(json, "standalone_low", row.standalone_low);
  read(json, "standalone_high", row.standalone_high);
  read(json, "direct_speedup", row.direct_speedup);
  read(json, "integrated_speedup", row.integrated_speedup);
  row.verdict = enum_from(json, "verdict",
                          {HotspotVerdict::pending, HotspotVerdict::faster, HotspotVerdict::indistinguishable,
                           HotspotVerdict::slower, HotspotVerdict::failed},
                          HotspotVerdict::pending);
  read(json, "best_candidate", row.best_candidate);
  read(json, "rounds", row.rounds);
  read(json, "reason", row.reason);
  return row;
}

Json to_json(const CaseRow& row) {
  const auto& [hotspot, name, use, weight, sizes_json, bytes, flops] = row;
  return {{"hotspot", hotspot},
          {"name", text_to_json(name)},
          {"use", text_to_json(use)},
          {"weight", number_to_json(weight)},
          {"sizes", text_to_json(sizes_json)},
          {"bytes", number_to_json(bytes)},
          {"flops", number_to_json(flops)}};
}

Json to_json(const ArmRow& row) {
  const auto& [hotspot, arm, replicate, verdict, best_candidate, speedup, low, high, candidates, calls,
               tokens, cost, device_seconds] = row;
  return {{"hotspot", hotspot},
          {"arm", text_to_json(arm)},
          {"replicate", replicate},
          {"verdict", to_text(verdict)},
          {"best_candidate", best_candidate},
          {"speedup", number_to_json(speedup)},
          {"low", number_to_json(low)},
          {"high", number_to_json(high)},
          {"candidates", candidates},
          {"calls", calls},
          {"tokens", tokens},
          {"cost", number_to_json(cost)},
          {"device_seconds", number_to_json(device_seconds)}};
}

Json to_json(const DeviceRow& row) {
  const auto& [rank, host, backend, name, uuid, pci, measure_cpus, build_cpus, compiler, compiler_version,
               driver, sandbox] = row;
  return {{"rank", rank},
          {"host", text_to_json(host)},
          {"backend", text_to_json(backend)},
          {"name", text_to_json(name)},
          {"uuid", text_to_json(uuid)},
          {"pci", text_to_json(pci)},
          {"measure_cpus", text_to_json(measure_cpus)},
          {"build_cpus", text_to_json(build_cpus)},
          {"compiler", text_to_json(compiler)},
          {"compiler_version", text_to_json(compiler_version)},
          {"driver", text_to_json(driver)},
          {"sandbox", text_to_json(sandbox)}};
}

}  // namespace noctune
