#include "report/hotspot_details.hpp"

#include <cmath>
#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/lineage.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

bool is_proposed(const ReportCandidate& candidate, const ReportHotspot& hotspot) {
  return candidate.hotspot == hotspot.id && candidate.proposer != "original";
}

std::string count_line(const ReportData& data, const ReportHotspot& hotspot) {
  const auto found = data.outcomes.find(hotspot.id);
  const std::map<std::string, int> verdicts =
      found == data.outcomes.end() ? std::map<std::string, int>() : found->second;
  int all = 0;
  for (const auto& [verdict, count] : verdicts) all += count;
  if (all == 0) return "no candidates";
  std::string out = std::to_string(all) + (all == 1 ? " candidate: " : " candidates: ");
  const auto ok = verdicts.find("ok");
  std::string list = ok == verdicts.end() ? "" : std::to_string(ok->second) + " ok";
  for (const auto& [verdict, count] : verdicts)
    if (verdict != "ok") list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
  return out + list;
}

// Strategies accumulate along a lineage: what a step adds is what follows its base's list.
std::string added_text(const ReportCandidate& step, const ReportCandidate* base) {
  const std::string all = change_text(step);
  if (!base || base->strategies.empty() || all.size() <= base->strategies.size() + 3) return all;
  return all.starts_with(base->strategies + " + ") ? "+ " + all.substr(base->strategies.size() + 3) : all;
}

// Of the version nearest to the end that was profiled; empty without one.
std::string last_bottleneck(const std::vector<const ReportCandidate*>& steps) {
  for (auto at = steps.rbegin(); at != steps.rend(); ++at)
    if (!(*at)->bottleneck.empty()) return (*at)->bottleneck;
  return {};
}

std::string bottleneck_text(const std::vector<const ReportCandidate*>& steps) {
  const std::string before = steps.empty() ? "" : steps.front()->bottleneck, after = last_bottleneck(steps);
  if (before.empty() && after.empty()) return {};
  const std::string start = before.empty() ? "not profiled" : before;
  return steps.size() < 2 ? start : start + " in the original, " + after + " in the last version profiled";
}

std::string patterns_text(const ReportData& data, const std::vector<const ReportCandidate*>& steps) {
  std::set<std::string> names;
  for (const ReportCandidate* step : steps) {
    if (!step->patterns.empty()) names.insert(step->patterns);
    for (const ReportPatternUse& use : data.pattern_uses)
      if (use.candidate == step->id) names.insert(use.pattern);
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string facts(const ReportData& data, const ReportHotspot& hotspot, const ReportOptions& options) {
  const auto width = static_cast<std::size_t>(options.width);
  std::string out = emphasised("Hotspot " + hotspot.name, options) + " (" + hotspot.backend + ", entry " +
                    hotspot.entry + ")\n";
  const auto line = [&](const std::string& name, const std::string& text) {
    out += "  " + name + std::string(12 - name.size(), ' ') + wrapped(text, width - 14, 14) + "\n";
  };
  std::string verdict = hotspot.verdict;
  if (hotspot.verdict == "faster")
    verdict += ": " + factor(hotspot.speedup) + " (95 % interval " + interval(hotspot.low, hotspot.high) +
               "), " + duration_text(hotspot.baseline_time) + " -> " + duration_text(hotspot.best_time);
  line("verdict", verdict);
  if (!hotspot.reason.empty()) line("reason", hotspot.reason);
  if (std::isfinite(hotspot.direct)) line("direct", factor(hotspot.direct) + ", one unassisted answer");
  if (std::isfinite(hotspot.integrated))
    line("integrated", factor(hotspot.integrated) + " inside the application");
  if (std::isfinite(hotspot.t_ker) && std::isfinite(hotspot.s_data))
    line("program", "one call " + duration_text(hotspot.t_ker) + ", whole process " +
                        duration_text(hotspot.t_overall) + ", data " + bytes_text(hotspot.s_data) +
                        (hotspot.batched == 1 ? ", calls are timed in batches" : ""));
  for (const ReportCase& one : data.cases)
    if (one.hotspot == hotspot.id)
      line("case", one.name + " (" + one.use + ", weight " + fixed(one.weight, 2) + "): " + one.sizes);
  line("search",
       (hotspot.rounds >= 0 ? std::to_string(hotspot.rounds) + " rounds, " : "") + count_line(data, hotspot));
  const std::vector<const ReportCandidate*> steps = lineage(data, hotspot.best_candidate);
  if (const std::string text = bottleneck_text(steps); !text.empty()) line("bottleneck", text);
  if (const std::string text = patterns_text(data, steps); !text.empty()) line("patterns", text);
  return out;
}

std::string lineage_text(const ReportData& data, const ReportHotspot& hotspot, const ReportOptions& options) {
  const std::vector<const ReportCandidate*> steps = lineage(data, hotspot.best_candidate);
  if (steps.size() < 2) return "";
  TextTable table({Align::right, Align::right, Align::right, Align::left, Align::left});
  table.add({"candidate", "round", "gain", "95 % interval", "change"});
  const ReportCandidate* base = nullptr;
  for (const ReportCandidate* step : steps) {
    const bool timed = base && std::isfinite(step->speedup);
    std::string change = base ? added_text(*step, base) : "original";
    if (timed && step->reference != base->id && step->reference > 0)
      change += " (gain over candidate " + std::to_string(step->reference) + ")";
    table.add({std::to_string(step->id), base ? std::to_string(step->round) : "-",
               timed ? factor(step->speedup) : "-", timed ? interval(step->low, step->high) : "-", change});
    base = step;
  }
  return "\n" + emphasised("Lineage of the winner", options) +
         " (gain over the version before, at screening)\n" +
         table.text(2, static_cast<std::size_t>(options.width));
}

std::string confirmation_text(const ReportData& data, const ReportHotspot& hotspot,
                              const ReportOptions& options) {
  TextTable table({Align::right, Align::right, Align::right, Align::left, Align::left});
  table.add({"candidate", "process", "speed-up", "95 % interval", "verdict"});
  std::size_t rows = 0;
  for (const ReportConfirmation& one : data.confirmations) {
    const ReportCandidate* candidate = find_candidate(data, one.candidate);
    if (!candidate || candidate->hotspot != hotspot.id) continue;
    ++rows;
    table.add({std::to_string(one.candidate), std::to_string(one.process), factor(one.speedup),
               interval(one.low, one.high), one.verdict});
  }
  if (rows == 0) return "";
  return "\n" + emphasised("Final confirmation against the original", options) + " (fresh processes)\n" +
         table.text(2, static_cast<std::size_t>(options.width));
}

std::string attempts_text(const ReportData& data, const ReportHotspot& hotspot,
                          const ReportOptions& options) {
  TextTable table({Align::right, Align::right, Align::left, Align::right, Align::left});
  table.add({"candidate", "round", "verdict", "speed-up", "change, or what went wrong"});
  std::size_t rows = 0;
  for (const auto& [id, candidate] : data.candidates) {
    if (!is_proposed(candidate, hotspot)) continue;
    ++rows;
    const bool good = candidate.verdict == "ok" || candidate.message.empty();
    table.add({std::to_string(id), std::to_string(candidate.round),
               candidate.verdict.empty() ? "-" : candidate.verdict, factor(candidate.speedup),
               change_text(candidate) + (good ? "" : ": " + candidate.message)});
  }
  if (rows == 0) return "";
  return "\n" + emphasised("Candidates", options) + " (speed-up over the round's baseline, at screening)\n" +
         table.text(2, static_cast<std::size_t>(options.width));
}

}  // namespace

std::vector<std::string> hotspot_notes(const ReportData& data, const ReportHotspot& hotspot) {
  std::vector<std::string> notes;
  const ReportCandidate* best = find_candidate(data, hotspot.best_candidate);
  if (best && hotspot.verdict == "faster")
    notes.push_back("won: " + change_text(*best) + " (candidate " + std::to_string(best->id) + ", " +
                    best->proposer + ", round " + std::to_string(best->round) + ")");
  if (hotspot.verdict == "failed" && !hotspot.reason.empty()) notes.push_back("reason: " + hotspot.reason);
  notes.push_back(count_line(data, hotspot));
  return notes;
}

Result<std::string> render_hotspot(const ReportData& data, const ReportOptions& options) {
  std::string known;
  std::vector<std::string> names;
  for (const ReportHotspot& hotspot : data.hotspots) {
    if (hotspot.name == options.hotspot)
      return facts(data, hotspot, options) + lineage_text(data, hotspot, options) +
             confirmation_text(data, hotspot, options) + attempts_text(data, hotspot, options);
    known += (known.empty() ? "" : ", ") + hotspot.name;
    names.push_back(hotspot.name);
  }
  const std::string near = closest(options.hotspot, names);
  return fail("there is no hotspot \"" + options.hotspot + "\" in " + data.path,
              known.empty() ? "none has been recorded yet" : "it holds " + known,
              near.empty() ? "" : "did you mean \"" + near + "\"?");
}

}  // namespace noctune
