// The requests of one hotspot, ready to send. The order is from stable to volatile: the system message and
// the first `stable_prefix` bytes of the user message are equal for every request of a hotspot, so that
// providers can cache them. Seeds, ranks, hosts, paths and the harness never enter a prompt.
#pragma once

#include "coordinator/prompts/prompt_input.hpp"
#include "coordinator/prompts/template_set.hpp"
#include "model/chat.hpp"

namespace noctune {

// Asks for up to `hypotheses` ideas; read_plan() reads the answer.
ChatRequest plan_prompt(const PromptTemplates& templates, const PromptInput& input, int hypotheses);
// Asks for one version; a radical hypothesis starts from K(0), whatever input.base is. The answers to this
// and all the following but the last are for read_version().
ChatRequest write_prompt(const PromptTemplates& templates, const PromptInput& input,
                         const Hypothesis& hypothesis);
// One unassisted answer: no history, patterns or profile.
ChatRequest direct_prompt(const PromptTemplates& templates, const PromptInput& input);
// The same for the arm `sampling`, which asks often and never tells what came out.
ChatRequest sampling_prompt(const PromptTemplates& templates, const PromptInput& input);
// Only for evaluations that are repairable(); input.attempts_left counts this one.
ChatRequest repair_prompt(const PromptTemplates& templates, const PromptInput& input, const Candidate& failed,
                          const Evaluation& evaluation, const Hypothesis& hypothesis);
// The answer `reply` could not be read, for the reason `error` of read_version().
ChatRequest format_prompt(const PromptTemplates& templates, const PromptInput& input,
                          const std::string& reply, const Error& error);
// Asks what can be learnt, as up to `patterns` patterns in JSON; read_patterns() of the room patterns reads
// the answer.
ChatRequest summarise_prompt(const PromptTemplates& templates, const PromptInput& input, int patterns = 3);

}  // namespace noctune
