#include "evaluator/profile/guidance.hpp"

#include "base/text.hpp"
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

std::string source_words(const ProfileFacts& facts) {
  switch (facts.source) {
    case ProfileSource::counters:
      return "counters of " + facts.tool;
    case ProfileSource::compiler:
      return "the compiler's report and the measured time (no counters here)";
    case ProfileSource::model:
      return "the task's bytes and operations over the measured time (no counters here)";
    case ProfileSource::none:
      return "";
  }
  return "";
}

std::string class_words(const Bottleneck& found) {
  switch (found.kind) {
    case BottleneckClass::unknown:
      return "What it is bound by is unknown";
    case BottleneckClass::memory:
      return "Bound by memory (" + found.resource + ")";
    case BottleneckClass::compute:
      return "Bound by computing (" + found.resource + ")";
    case BottleneckClass::latency:
      return "Bound by latency: nothing is near its ceiling, warps wait";
    case BottleneckClass::parallelism:
      return "Bound by parallelism: too little work in flight for the device";
    case BottleneckClass::launch:
      return "Bound by launching: the call is as short as a few empty kernels";
  }
  return "";
}

std::string first_line(const ProfileFacts& facts, const Bottleneck& found) {
  std::string out = class_words(found);
  if (found.second) out += "; nearly by " + std::string(to_text(*found.second));
  return out + ". Source: " + source_words(facts) + ".\n";
}

std::string rate_text(double rate) {
  return rate < 1e12 ? bytes_text(rate) + "/s" : fixed(rate * 1e-12, 2) + " TB/s";
}

void add(std::string& line, const std::string& text) {
  line += (line.empty() ? "" : "; ") + text;
}

void add_share(std::string& line, const char* name, const Fact& share) {
  if (share) add(line, std::string(name) + " " + whole_percent(*share));
}

void add_memory(std::string& line, const ProfileFacts& facts, const HintContext& context) {
  const ResourceUse& use = context.bottleneck.use;
  if (facts.dram_rate) {
    const bool counted = facts.dram_bytes.has_value();  // else the task's own bytes, moved once
    std::string text = (counted ? "DRAM " : "DRAM at least ") + rate_text(*facts.dram_rate);
    if (use.dram)
      text += ", " + whole_percent(*use.dram) +
              (context.ceilings.dram_rate ? " of the measured ceiling" : " of the nominal peak");
    add(line, text);
  }
  if (facts.l2_rate && use.l2)
    add(line, "L2 " + rate_text(*facts.l2_rate) + ", " + whole_percent(*use.l2) + " of the measured ceiling");
  add_share(line, "L2 hits", facts.l2_hit);
}

void add_compute(std::string& line, const ProfileFacts& facts, const ResourceUse& use) {
  if (use.pipe) add(line, use.pipe_name + " " + whole_percent(*use.pipe) + " busy");
  if (!use.pipe && use.flops) add(line, "arithmetic " + whole_percent(*use.flops) + " of the measured peak");
  add_share(line, "issue slots", use.issue);
  add_share(line, "warps active", facts.warps_active);
  if (!facts.warps_active) add_share(line, "warps that fit", facts.occupancy_limit);
  add_share(line, "multiprocessors active", facts.sm_active);
  if (facts.registers) add(line, plain(*facts.registers) + " registers a thread");
}

std::string hint_line(std::size_t number, const Hint& hint) {
  return std::to_string(number) + ". " + hint.evidence + ": " + hint.message + " (at most " +
         whole_percent(hint.gain_bound) + " of the time).\n";
}

}  // namespace

std::string guidance_text(const ProfileFacts& facts, const HintContext& context,
                          const std::vector<Hint>& hints) {
  if (facts.source == ProfileSource::none) return {};
  std::string out = first_line(facts, context.bottleneck), line;
  add_memory(line, facts, context);
  add_compute(line, facts, context.bottleneck.use);
  if (!line.empty()) out += "Use: " + line + ".\n";
  for (std::size_t i = 0; i < hints.size(); ++i) out += hint_line(i + 1, hints[i]);
  return out;
}

}  // namespace noctune
