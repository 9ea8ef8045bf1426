#include "report/t4.hpp"

#include <charconv>
#include <cmath>
#include <ctime>
#include <map>
#include <unordered_map>

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "report/lineage.hpp"

namespace noctune {
namespace {

constexpr const char* t4_version = "1.0.0";
constexpr double ms = 1e3;

// The schema's words; what was refused before it was built broke a rule.
const char* invalidity_of(const std::string& verdict) {
  static const std::map<std::string, const char*> words = {
      {"ok", "correct"},           {"duplicate", "correct"},    {"unstable", "correct"},
      {"rejected", "constraints"}, {"build_failed", "compile"}, {"build_timeout", "timeout"},
      {"run_failed", "runtime"},   {"run_timeout", "timeout"},  {"wrong_result", "correctness"},
      {"lost", "runtime"}};
  const auto found = words.find(verdict);
  return found == words.end() ? "runtime" : found->second;
}

std::string iso_time(double seconds) {
  if (!(seconds > 0 && seconds < 1e11)) return {};
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm utc{};
  gmtime_r(&whole, &utc);
  char out[32];
  std::strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return out;
}

// A number where the text is one, so that other tools can plot it.
Json value_of(const std::string& text) {
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec == std::errc() && end.ptr == text.data() + text.size() && std::isfinite(number)) {
    if (number == std::floor(number) && std::abs(number) < 1e15) return static_cast<long long>(number);
    return number;
  }
  return repaired_utf8(text);
}

using Parameters = std::unordered_map<long long, std::map<std::string, Json>>;

Result<Parameters> read_parameters(const ResultsFile& results) {
  const Result<Hdf5Columns> rows = results.columns("params", {"candidate", "name", "value"});
  if (!rows) return Failure(rows.error());
  Parameters out;
  for (std::size_t i = 0; i < rows->rows(); ++i)
    if (const long long candidate = rows->integers("candidate")[i]; candidate > 0)
      out[candidate][repaired_utf8(rows->texts("name")[i])] = value_of(rows->texts("value")[i]);
  return out;
}

using Means = std::unordered_map<long long, std::vector<double>>;

// Trimmed means of an evaluation's timed cases, in the order of its rows, in milliseconds.
Result<Means> read_means(const ResultsFile& results) {
  const Result<Hdf5Columns> rows = results.columns("evaluations", {"group", "trimmed_mean"});
  if (!rows) return Failure(rows.error());
  Means out;
  for (std::size_t i = 0; i < rows->rows(); ++i)
    if (const double seconds = rows->numbers("trimmed_mean")[i]; std::isfinite(seconds))
      out[rows->integers("group")[i]].push_back(ms * seconds);
  return out;
}

void measure(Json& measurements, const char* name, double value, const char* unit) {
  if (std::isfinite(value)) measurements.push_back({{"name", name}, {"value", value}, {"unit", unit}});
}

Json times_of(const ReportEvaluation& one, const std::vector<double>* means) {
  return {{"compilation_time", ms * one.build},
          {"runtimes", means ? Json(*means) : Json::array()},
          {"framework", 0.0},
          {"search_algorithm", 0.0},
          {"validation", ms * one.check}};
}

Json configuration_of(const ReportCandidate& candidate, const std::string& hotspot,
                      const Parameters& parameters) {
  Json out = Json::object();
  const auto found = parameters.find(candidate.id);
  if (found != parameters.end())
    for (const auto& [name, value] : found->second) out[name] = value;
  out["noctune_hotspot"] = hotspot;
  out["noctune_candidate"] = candidate.id;
  out["noctune_change"] = repaired_utf8(change_text(candidate));
  return out;
}

// What entries are made from beside their evaluation.
struct Lookup {
  const Parameters& parameters;
  const Means& means;
  std::unordered_map<long long, std::string> hotspots;
  std::unordered_map<long long, double> confirmed;  // by the winner
};

Json measurements_of(const ReportEvaluation& one, const std::vector<double>* times, const Lookup& lookup) {
  Json out = Json::array();
  if (times && !times->empty()) measure(out, "time", times->front(), "ms");
  if (one.purpose == "screen") measure(out, "speedup_over_reference", one.speedup, "");
  const auto won = lookup.confirmed.find(one.candidate);
  if (one.purpose == "confirm" && won != lookup.confirmed.end())
    measure(out, "confirmed_speedup", won->second, "");
  return out;
}

Json entry_of(const ReportEvaluation& one, const ReportCandidate& candidate, const Lookup& lookup) {
  const auto found = lookup.means.find(one.id);
  const std::vector<double>* times = found == lookup.means.end() ? nullptr : &found->second;
  const auto hotspot = lookup.hotspots.find(one.hotspot);
  const std::string name = hotspot == lookup.hotspots.end() ? "" : hotspot->second;
  const std::string invalidity = invalidity_of(one.verdict);
  Json out{{"configuration", configuration_of(candidate, name, lookup.parameters)},
           {"objectives", Json::array({"time"})},
           {"times", times_of(one, times)},
           {"invalidity", invalidity},
           {"correctness", invalidity == "correct" ? 1 : 0},
           {"measurements", measurements_of(one, times, lookup)}};
  if (const std::string when = iso_time(one.started); !when.empty()) out["timestamp"] = when;
  return out;
}

}  // namespace

Result<std::string> t4_text(const ResultsFile& results, const ReportData& data) {
  const Result<Parameters> parameters = read_parameters(results);
  if (!parameters) return Failure(parameters.error());
  const Result<Means> means = read_means(results);
  if (!means) return Failure(means.error());
  Lookup lookup{*parameters, *means, {}, {}};
  for (const ReportHotspot& one : data.hotspots) {
    lookup.hotspots[one.id] = repaired_utf8(one.name);
    if (one.verdict == "faster") lookup.confirmed[one.best_candidate] = one.speedup;
  }
  // Entry by entry: one tree of all of them would take ten times the memory of the text.
  std::string out = "{\"schema_version\": \"" + std::string(t4_version) + "\", \"results\": [";
  const char* before = "\n";
  for (const ReportEvaluation& one : data.evaluations) {
    const ReportCandidate* candidate = find_candidate(data, one.candidate);
    if (!candidate || (one.purpose != "screen" && one.purpose != "check" && one.purpose != "confirm"))
      continue;
    out += before + entry_of(one, *candidate, lookup).dump(-1, ' ', false, Json::error_handler_t::replace);
    before = ",\n";
  }
  return out + "\n]}\n";
}

}  // namespace noctune
