#include "coordinator/prompts/completion_prompts.hpp"

#include "base/text.hpp"
#include "coordinator/prompts/diagnostics.hpp"
#include "coordinator/prompts/facts_text.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_reply = 40000, longest_message = 1500;

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string defines_text(const std::map<std::string, std::string>& defines) {
  std::string out;
  for (const auto& [name, value] : defines) out += (out.empty() ? "" : ", ") + name + " = " + value;
  return out;
}

std::string limits_text(const CompletionPrompt& p) {
  return "One call of the entry should take at least " + fixed(p.limits.t_min_ms, 2) +
         " ms, one whole run at most " + fixed(p.limits.t_max_s, 0) +
         " s, and all buffers together at most " + fixed(p.limits.s_max_mb, 0) +
         " MB; scaling sizes are chosen so. Last-level cache: " +
         bytes_text(static_cast<double>(p.device.last_level_cache_bytes)) +
         ". Cores: " + std::to_string(p.device.measured_cpus.size()) + ".";
}

std::string compile_line(const CompletionPrompt& p) {
  std::string out = p.platform.compiler;
  for (const std::string& flag : p.flags) out += " " + flag;
  return without_paths(out + " -fPIC -shared -include context.hpp original.cpp");
}

std::string file_block(const std::string& name, const std::string& text) {
  return text.empty() ? std::string() : fenced("cpp", "// " + name + "\n" + clean_text(text)) + "\n";
}

std::string draft_text(const CompletionPrompt& p) {
  if (!p.draft) return {};
  const MepDraft& draft = *p.draft;
  std::string out;
  for (const std::string& one : draft.assumed) out += "assumed: " + one_line(one, 300) + "\n";
  return out + fenced("json", to_json(draft.spec).dump(2)) + "\n" + file_block("context.hpp", draft.context) +
         file_block("inputs.cpp", draft.inputs) + file_block("check.cpp", draft.check);
}

std::string refusal_text(const CompletionPrompt& p) {
  if (p.tried)
    return "It was built and run, and refused: " +
           without_paths(without_fences(one_line(p.tried->report.message, longest_message)));
  return p.refusal ? without_paths(without_fences(p.refusal->text())) : std::string();
}

Evaluation as_evaluation(const Baselined& tried) {
  Evaluation out = tried.baseline;
  out.diagnostics = tried.report.diagnostics;
  return out;
}

// What was taken out of a source leaves lines of blanks.
std::string without_blank_lines(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text))
    if (!trimmed(line).empty()) out += line + "\n";
  return out;
}

PromptValues stable_values(const CompletionPrompt& p) {
  return {{"hotspot", p.input.hotspot},
          {"backend", p.input.backend},
          {"kernels", listed(p.input.kernels)},
          {"source", fenced("cpp", clean_text(p.input.source))},
          {"original",
           p.original == p.input.source ? "" : fenced("cpp", without_blank_lines(clean_text(p.original)))},
          {"call_site", p.input.call_site.empty() ? "" : fenced("cpp", clean_text(p.input.call_site))},
          {"defines", defines_text(p.input.defines)},
          {"facts", facts_text(p.facts)},
          {"limits", limits_text(p)},
          {"compile_line", compile_line(p)}};
}

ChatRequest request(const PromptTemplates& templates, const CompletionPrompt& p, const std::string& name,
                    const PromptValues& values) {
  PromptValues all = stable_values(p);
  ChatRequest out;
  out.messages.push_back({ChatRole::system, templates.at("complete_system").render(all)});
  std::string text = templates.at("complete_hotspot").render(all) + "\n";
  out.stable_prefix = text.size();
  for (const auto& [key, value] : values) all[key] = value;
  text += templates.at(name).render(all);
  out.messages.push_back({ChatRole::user, std::move(text)});
  out.prompt_template = templates.at(name).id();
  return out;
}

}  // namespace

ChatRequest complete_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt) {
  PromptValues values = {{"draft", draft_text(prompt)}};
  values[prompt.draft ? "failure" : "refusal"] = refusal_text(prompt);
  if (prompt.tried)
    values["diagnostics"] = diagnostics_text(as_evaluation(*prompt.tried), prompt.tried->report.seeds);
  return request(templates, prompt, "complete", values);
}

ChatRequest complete_repair_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt,
                                   const FailedCompletion& failed) {
  const PromptValues values = {
      {"reply", fenced("text", capped(clean_text(failed.reply), longest_reply))},
      {"failure", without_paths(without_fences(one_line(failed.trouble.message, longest_message)))},
      {"diagnostics", diagnostics_text(failed.trouble, {})},
      {"attempts_left", repairs_left_text(failed.repairs_left, " of this kind")}};
  return request(templates, prompt, "complete_repair", values);
}

ChatRequest complete_format_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt,
                                   const std::string& reply, const Error& error) {
  const PromptValues values = {{"reply", fenced("text", capped(clean_text(reply), longest_reply))},
                               {"failure", without_paths(without_fences(error.text()))}};
  return request(templates, prompt, "complete_format", values);
}

}  // namespace noctune
