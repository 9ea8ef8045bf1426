#include "model/task_json.hpp"

#include "model/evaluation_json.hpp"
#include "model/mep_spec_json.hpp"
#include "model/settings_json.hpp"

namespace noctune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ceiling, name, value, unit, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuFacts, uuid, pci, architecture, driver, memory_bytes, multiprocessors,
                                   index, minor, mig, shared)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceFacts, rank, pid, host, name, backend, gpu, measured_cpus,
                                   build_cpus, shares_token, compiler, sandbox_level, sandbox_missing,
                                   l1_bytes, l2_bytes, last_level_cache_bytes, vector_bytes, ceilings,
                                   problem)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutputTolerance, case_name, param, tolerance, band, base_error, reason)

NLOHMANN_JSON_SERIALIZE_ENUM(CaseUse, {{CaseUse::time, "time"},
                                       {CaseUse::check, "check"},
                                       {CaseUse::report, "report"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SizedCase, name, use, weight, sizes, batch, data_bytes, flops, bytes)

void to_json(Json& json, const Purpose& purpose) {
  json = to_text(purpose);
}
void from_json(const Json& json, Purpose& purpose) {
  purpose = purpose_from(json.get<std::string>());
}
void to_json(Json& json, const Verdict& verdict) {
  json = to_text(verdict);
}
void from_json(const Json& json, Verdict& verdict) {
  verdict = verdict_from(json.get<std::string>());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MepReport, usable, failure, message, diagnostics, cases, tolerances, seeds,
                                   deterministic, t_ker, t_overall, s_data, s_data_computed, data_spread,
                                   batched, build_seconds, call_seconds, spread, baseline_seconds,
                                   undefined_symbols, double_reference, leaves_threads, changes_arithmetic,
                                   sanitizers, notes)

void to_json(Json& json, const MepSource& mep) {
  json = {{"hotspot", mep.hotspot}, {"spec", to_json(mep.spec).dump()},
          {"context", mep.context}, {"original", mep.original},
          {"check", mep.check},     {"inputs", mep.inputs},
          {"flags", mep.flags},     {"libraries", mep.libraries}};
}
void from_json(const Json& json, MepSource& mep) {
  json.at("hotspot").get_to(mep.hotspot);
  mep.spec = read_mep_spec(value_or_throw(parse_json(json.at("spec").get<std::string>(), mep.hotspot)));
  json.at("context").get_to(mep.context);
  json.at("original").get_to(mep.original);
  json.at("check").get_to(mep.check);
  json.at("inputs").get_to(mep.inputs);
  json.at("flags").get_to(mep.flags);
  json.at("libraries").get_to(mep.libraries);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PrepareTask, mep, mep_limits, search, platform, limits)

Json to_json(const DeviceFacts& value) {
  return Json(value);
}
Json to_json(const PrepareTask& value) {
  return Json(value);
}
Json to_json(const MepReport& value) {
  return Json(value);
}
Json to_json(const EvaluationTask& task) {
  return {{"setup", task.setup},
          {"report", task.report},
          {"candidate", to_json(task.candidate)},
          {"reference", to_json(task.reference)},
          {"purpose", task.purpose},
          {"process", task.process},
          {"known_binaries", task.known_binaries}};
}

Json to_json(const Baselined& value) {
  return {{"report", to_json(value.report)},
          {"baseline", to_json(value.baseline)},
          {"null_probe", to_json(value.null_probe)}};
}

DeviceFacts device_facts_from(const Json& json) {
  return json.get<DeviceFacts>();
}
PrepareTask prepare_task_from(const Json& json) {
  return json.get<PrepareTask>();
}
MepReport mep_report_from(const Json& json) {
  return json.get<MepReport>();
}
EvaluationTask evaluation_task_from(const Json& json) {
  EvaluationTask task;
  json.at("setup").get_to(task.setup);
  json.at("report").get_to(task.report);
  task.candidate = value_or_throw(candidate_from_json(json.at("candidate")));
  task.reference = value_or_throw(candidate_from_json(json.at("reference")));
  json.at("purpose").get_to(task.purpose);
  json.at("process").get_to(task.process);
  json.at("known_binaries").get_to(task.known_binaries);
  return task;
}

Baselined baselined_from(const Json& json) {
  return {mep_report_from(json.at("report")), value_or_throw(evaluation_from_json(json.at("baseline"))),
          value_or_throw(evaluation_from_json(json.at("null_probe")))};
}

}  // namespace noctune
