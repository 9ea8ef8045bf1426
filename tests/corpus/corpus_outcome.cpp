#include "corpus/corpus_outcome.hpp"

#include <chrono>
#include <filesystem>

#include "base/files.hpp"
#include "base/json.hpp"
#include "corpus/check_adaptor.hpp"
#include "mep/reading/read_source.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using What = CorpusOutcome::What;

const fs::path kept = NOCTUNE_BINARY_DIR "/corpus";
const What all[] = {What::agrees, What::refused, What::baseline_refused, What::disagrees};

// What the evaluator was given, for whoever looks into an outcome.
void keep_task(const PrepareTask& task) {
  const fs::path folder = kept / task.mep.hotspot;
  fs::create_directories(folder);
  value_or_throw(write_file(folder / "mep.json", to_json(task.mep.spec).dump(2)));
  value_or_throw(write_file(folder / "context.hpp", task.mep.context));
  value_or_throw(write_file(folder / "original.cpp", task.mep.original));
  value_or_throw(write_file(folder / "check.cpp", task.mep.check));
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

void judge_baseline(CorpusOutcome& out, const MepReport& report) {
  const bool broken = report.message.find("breaks its own invariants") != std::string::npos;
  out.what = report.usable ? What::agrees : broken ? What::disagrees : What::baseline_refused;
  if (report.usable) return;
  out.reason = one_line(report.message);
  if (!report.diagnostics.empty()) out.reason += " | " + one_line(report.diagnostics.substr(0, 1000));
}

}  // namespace

std::string to_text(What what) {
  switch (what) {
    case What::agrees:
      return "agrees";
    case What::refused:
      return "refused";
    case What::baseline_refused:
      return "baseline refused";
    case What::disagrees:
      return "disagrees";
  }
  return {};
}

PrepareTask corpus_task(const CorpusEntry& entry, const MepDraft& draft) {
  PrepareTask task = small_task(axpy_spec, {});
  task.mep.hotspot = entry.name;
  // By way of its text, as a user would keep it: what a spec must not say is refused here.
  task.mep.spec = spec_from(to_json(draft.spec).dump());
  task.mep_limits.t_max_s = 4;
  // Other tests compile and run beside this one.
  task.limits.build_s = 120;
  task.limits.run_s = 12;
  task.mep.context = draft.context;
  task.mep.inputs = draft.inputs;
  task.mep.original = draft.original;
  if (!entry.reference.empty()) {
    task.mep.spec.check.invariants = "check.cpp";
    task.mep.check =
        check_by_reference(task.mep.spec, entry.reference, read_source(entry.openmp, entry.defines));
  }
  return task;
}

CorpusOutcome judge_draft(RealEvaluator& real, const CorpusEntry& entry, const Result<MepDraft>& draft) {
  const auto start = std::chrono::steady_clock::now();
  CorpusOutcome out{entry.name, entry.expect, What::refused, {}, 0};
  if (!draft) {
    out.reason = one_line(draft.error().text());
  } else {
    try {
      PrepareTask task = corpus_task(entry, *draft);
      keep_task(task);
      judge_baseline(out, real.run(real.evaluator->prepare(std::move(task))).report);
    } catch (const UserError& error) {
      out.what = What::baseline_refused;
      out.reason = one_line(error.what());
    }
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

void keep_outcome(const CorpusOutcome& outcome) {
  fs::create_directories(kept);
  const Json text = {{"expect", outcome.expect},
                     {"outcome", to_text(outcome.what)},
                     {"reason", outcome.reason},
                     {"seconds", outcome.seconds}};
  value_or_throw(
      write_file(kept / (outcome.entry + ".json"), text.dump(2, ' ', false, Json::error_handler_t::replace)));
}

std::vector<CorpusOutcome> kept_outcomes() {
  std::vector<CorpusOutcome> out;
  for (const CorpusEntry& entry : corpus_entries()) {
    const fs::path path = kept / (entry.name + ".json");
    if (!fs::exists(path)) continue;
    const Json text = Json::parse(value_or_throw(read_file(path)));
    CorpusOutcome one{entry.name, entry.expect, What::refused, text.at("reason"), text.at("seconds")};
    for (const What what : all)
      if (to_text(what) == text.at("outcome")) one.what = what;
    out.push_back(one);
  }
  return out;
}

}  // namespace noctune
