#include "coordinator/prompts/prompts.hpp"

#include <algorithm>

#include "coordinator/prompts/base_text.hpp"
#include "coordinator/prompts/diagnostics.hpp"
#include "coordinator/prompts/hotspot_text.hpp"
#include "coordinator/prompts/ledger.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_reply = 24000, longest_idea = 1200;

// System message, stable part, then the named template; `values` are the volatile ones.
ChatRequest request(const PromptTemplates& templates, const PromptInput& input, const std::string& name,
                    const PromptValues& values) {
  PromptValues all = stable_values(input);
  const std::string backend = "backend_" + input.task.platform.backend;
  if (templates.has(backend)) all["backend_words"] = templates.at(backend).render(all);
  const std::string processor = runs_on_gpu(input.task.platform.backend) ? "gpu" : "cpu";
  for (const std::string part : {"allows", "example"})
    all["backend_" + part] = templates.at(part + "_" + processor).render(all);
  ChatRequest out;
  out.messages.push_back({ChatRole::system, templates.at("system").render(all)});
  std::string text = templates.at("hotspot").render(all) + "\n";
  out.stable_prefix = text.size();
  for (const auto& [key, value] : values) all[key] = without_numbers(value, input.report.seeds);
  text += templates.at(name).render(all);
  out.messages.push_back({ChatRole::user, std::move(text)});
  out.prompt_template = templates.at(name).id();
  return out;
}

std::string rounds_left(const PromptInput& input) {
  if (input.rounds_left <= 0) return {};
  if (input.rounds_left == 1) return "This is the last round.";
  return std::to_string(input.rounds_left) + " rounds are left, this one included.";
}

// What both planning and writing may know.
PromptValues assisted_values(const PromptInput& input, long long base) {
  return {{"base_words", base_words(input, base)},
          {"base_source", base_source(input, base)},
          {"guidance", without_fences(without_paths(clean_text(input.guidance)))},
          {"patterns", patterns_text(input)},
          {"ledger", ledger_text(input.history)},
          {"references", references_text(input, base)},
          {"rounds_left", rounds_left(input)}};
}

std::string hypothesis_text(const Hypothesis& hypothesis) {
  const auto line = [](const char* name, const std::string& value) {
    return value.empty() ? std::string() : std::string(name) + ": " + one_line(value, longest_idea) + "\n";
  };
  std::string patterns;
  for (const std::string& one : hypothesis.patterns) patterns += (patterns.empty() ? "" : ", ") + one;
  std::string out = line("Name", hypothesis.name) + line("Mechanism", hypothesis.mechanism) +
                    line("Change", hypothesis.what) + line("Should move", hypothesis.counter) +
                    line("Risk", hypothesis.risk) + line("Patterns", patterns);
  if (hypothesis.radical)
    out += "This is a new start from the original; keep nothing of later versions for its own sake.\n";
  if (hypothesis.combines) out += "It joins what made earlier versions faster.\n";
  return without_fences(out);
}

const char* repair_template(Verdict verdict) {
  if (verdict == Verdict::wrong_result) return "repair_result";
  return verdict == Verdict::run_failed || verdict == Verdict::run_timeout ? "repair_run" : "repair_build";
}

}  // namespace

ChatRequest plan_prompt(const PromptTemplates& templates, const PromptInput& input, int hypotheses) {
  PromptValues values = assisted_values(input, input.base);
  values["hypotheses"] = std::to_string(std::max(1, hypotheses));
  return request(templates, input, "plan", values);
}

ChatRequest write_prompt(const PromptTemplates& templates, const PromptInput& input,
                         const Hypothesis& hypothesis) {
  PromptValues values = assisted_values(input, hypothesis.radical ? 0 : input.base);
  values["hypothesis"] = hypothesis_text(hypothesis);
  if (hypothesis.patterns.empty()) values["patterns"].clear();
  return request(templates, input, "write", values);
}

ChatRequest direct_prompt(const PromptTemplates& templates, const PromptInput& input) {
  return request(templates, input, "direct", {});
}

ChatRequest sampling_prompt(const PromptTemplates& templates, const PromptInput& input) {
  return direct_prompt(templates, input);
}

ChatRequest repair_prompt(const PromptTemplates& templates, const PromptInput& input, const Candidate& failed,
                          const Evaluation& evaluation, const Hypothesis& hypothesis) {
  const PromptValues values = {{"hypothesis", hypothesis_text(hypothesis)},
                               {"failed_source", fenced("cpp", clean_text(failed.source))},
                               {"failure", failure_text(evaluation, input.report.seeds)},
                               {"diagnostics", diagnostics_text(evaluation, input.report.seeds)},
                               {"attempts_left", repairs_left_text(input.attempts_left, " of this version")}};
  return request(templates, input, repair_template(evaluation.verdict), values);
}

ChatRequest format_prompt(const PromptTemplates& templates, const PromptInput& input,
                          const std::string& reply, const Error& error) {
  const PromptValues values = {{"reply", fenced("text", capped(clean_text(reply), longest_reply))},
                               {"failure", without_paths(without_fences(error.text()))}};
  return request(templates, input, "format", values);
}

ChatRequest summarise_prompt(const PromptTemplates& templates, const PromptInput& input, int patterns) {
  std::string features;
  for (const auto& [name, value] : input.features)
    features += (features.empty() ? "" : ", ") + name + " = " + one_line(value, 60);
  const PromptValues values = {{"base_words", base_words(input, input.base)},
                               {"base_source", base_source(input, input.base)},
                               {"ledger", ledger_text(input.history)},
                               {"hypotheses", std::to_string(std::max(1, patterns))},
                               {"features", features.empty() ? "none are known" : features}};
  return request(templates, input, "summarise", values);
}

}  // namespace noctune
