#include "report/pattern_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/json.hpp"

namespace noctune {
namespace {

using Names = std::map<long long, std::string>;

std::string name_of(const Names& names, long long id) {
  const auto found = names.find(id);
  return found == names.end() ? std::string() : found->second;
}

// Empty where the text is no flat object of texts.
std::map<std::string, std::string> words_in(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  std::map<std::string, std::string> out;
  if (!json.is_object()) return out;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) out.emplace(key, value.get<std::string>());
  return out;
}

Result<Names> names_in(const ResultsFile& results, const std::string& table, const std::string& column) {
  const Result<Hdf5Columns> rows = results.columns(table, {"id", column});
  if (!rows) return Failure(rows.error());
  Names out;
  for (std::size_t i = 0; i < rows->rows(); ++i) out[rows->integers("id")[i]] = rows->texts(column)[i];
  return out;
}

Result<void> read_patterns_table(const ResultsFile& results, PatternTables& out) {
  const Result<Hdf5Columns> rows = results.columns(
      "patterns", {"name", "category", "when", "what", "pitfalls", "status", "drafted_on", "revision"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    Pattern one;
    one.name = rows->texts("name")[i];
    one.category = rows->texts("category")[i];
    one.when = words_in(rows->texts("when")[i]);
    one.what = rows->texts("what")[i];
    one.pitfalls = rows->texts("pitfalls")[i];
    one.drafted_on = rows->texts("drafted_on")[i];
    one.revision = static_cast<int>(std::max(0LL, rows->integers("revision")[i]));
    if (rows->texts("status")[i] != "none") one.status = pattern_status_from(rows->texts("status")[i]);
    out.patterns.push_back(std::move(one));
  }
  return {};
}

struct NameTables {
  Names patterns, hotspots, candidates;
};

Result<void> read_evidence(const ResultsFile& results, const NameTables& names, PatternTables& out) {
  const Result<Hdf5Columns> rows = results.columns(
      "pattern_evidence",
      {"pattern", "hotspot", "candidate", "base", "platform", "log_ratio", "verdict", "gain", "features"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    PatternEvidence one;
    one.pattern = name_of(names.patterns, rows->integers("pattern")[i]);
    one.hotspot = name_of(names.hotspots, rows->integers("hotspot")[i]);
    one.candidate = name_of(names.candidates, rows->integers("candidate")[i]);
    one.base = name_of(names.candidates, rows->integers("base")[i]);
    one.platform = rows->texts("platform")[i];
    const double log_ratio = rows->numbers("log_ratio")[i];
    one.log_ratio = std::isfinite(log_ratio) ? log_ratio : 0;
    one.verdict = rows->texts("verdict")[i];
    one.gain = rows->integers("gain")[i] == 1;
    one.features = words_in(rows->texts("features")[i]);
    if (!one.pattern.empty() && !one.hotspot.empty()) out.evidence.push_back(std::move(one));
  }
  return {};
}

Result<void> read_trials(const ResultsFile& results, const NameTables& names, PatternTables& out) {
  const Result<Hdf5Columns> rows =
      results.columns("pattern_trials", {"pattern", "hotspot", "call", "used", "outcome", "slot"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    PatternTrial one;
    one.pattern = name_of(names.patterns, rows->integers("pattern")[i]);
    one.hotspot = name_of(names.hotspots, rows->integers("hotspot")[i]);
    one.slot = rows->texts("slot")[i];
    if (one.slot.empty()) one.slot = "call " + std::to_string(rows->integers("call")[i]);
    one.used = rows->integers("used")[i] == 1;
    one.outcome = rows->texts("outcome")[i];
    if (!one.pattern.empty() && !one.hotspot.empty()) out.trials.push_back(std::move(one));
  }
  return {};
}

}  // namespace

Result<PatternTables> read_pattern_tables(const ResultsFile& results) {
  NameTables names;
  for (const auto& [table, column, into] :
       {std::tuple("patterns", "name", &names.patterns), std::tuple("hotspots", "name", &names.hotspots),
        std::tuple("candidates", "sha", &names.candidates)}) {
    Result<Names> read = names_in(results, table, column);
    if (!read) return Failure(read.error());
    *into = std::move(*read);
  }
  PatternTables out;
  if (const auto read = read_patterns_table(results, out); !read) return Failure(read.error());
  if (const auto read = read_evidence(results, names, out); !read) return Failure(read.error());
  if (const auto read = read_trials(results, names, out); !read) return Failure(read.error());
  return out;
}

}  // namespace noctune
