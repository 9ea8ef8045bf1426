#include "integration/winners.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace noctune {
namespace {

// The geometric mean over the fresh process pairs of each candidate that passed them all.
Result<std::map<long long, double>> confirmed(const ResultsFile& results) {
  const Result<Hdf5Columns> rows =
      results.columns("evaluations", {"id", "group", "candidate", "purpose", "verdict", "total_speedup"});
  if (!rows) return Failure(rows.error());
  std::map<long long, std::vector<double>> logs;
  std::set<long long> refused;
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    if (rows->integers("id")[i] != rows->integers("group")[i] || rows->texts("purpose")[i] != "confirm")
      continue;
    const long long candidate = rows->integers("candidate")[i];
    const std::string& verdict = rows->texts("verdict")[i];
    const double speedup = rows->numbers("total_speedup")[i];
    if (verdict == "ok" && std::isfinite(speedup) && speedup > 0)
      logs[candidate].push_back(std::log(speedup));
    else if (verdict != "lost")
      refused.insert(candidate);
  }
  std::map<long long, double> out;
  for (const auto& [candidate, values] : logs) {
    double sum = 0;
    for (const double value : values) sum += value;
    if (values.size() >= 2 && !refused.contains(candidate))
      out[candidate] = std::exp(sum / static_cast<double>(values.size()));
  }
  return out;
}

Result<void> add_versions(const ResultsFile& results, std::vector<TunedHotspot>& hotspots) {
  const Result<std::map<long long, double>> gains = confirmed(results);
  if (!gains) return Failure(gains.error());
  const Result<Hdf5Columns> rows =
      results.columns("candidates", {"id", "hotspot", "proposer", "source_sha", "flags"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const auto gain = gains->find(rows->integers("id")[i]);
    if (gain == gains->end() || gain->second <= 1 || rows->texts("proposer")[i] == "original") continue;
    const auto owner = std::find_if(hotspots.begin(), hotspots.end(), [&](const TunedHotspot& one) {
      return one.id == rows->integers("hotspot")[i];
    });
    if (owner == hotspots.end()) continue;
    Result<std::string> source = results.text(rows->texts("source_sha")[i]);
    if (!source) return Failure(source.error());
    owner->versions.push_back({gain->first, std::move(*source), rows->texts("flags")[i], gain->second});
  }
  return {};
}

Result<void> add_originals(const ResultsFile& results, std::vector<TunedHotspot>& hotspots) {
  const Result<Hdf5Columns> rows = results.columns("meps", {"hotspot", "original_sha"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i)
    for (TunedHotspot& one : hotspots) {
      if (one.id != rows->integers("hotspot")[i]) continue;
      Result<std::string> text = results.text(rows->texts("original_sha")[i]);
      if (!text) return Failure(text.error());
      one.original = std::move(*text);
    }
  return {};
}

}  // namespace

Result<std::vector<TunedHotspot>> read_winners(const ResultsFile& results) {
  const Result<Hdf5Columns> rows = results.columns("hotspots", {"id", "name", "entry", "best_candidate"});
  if (!rows) return Failure(rows.error());
  std::vector<TunedHotspot> out;
  std::map<long long, long long> best;
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    TunedHotspot one;
    one.id = rows->integers("id")[i];
    one.name = rows->texts("name")[i];
    one.entry = rows->texts("entry")[i];
    best[one.id] = rows->integers("best_candidate")[i];
    out.push_back(std::move(one));
  }
  if (Result<void> done = add_originals(results, out); !done) return Failure(done.error());
  if (Result<void> done = add_versions(results, out); !done) return Failure(done.error());
  for (TunedHotspot& one : out)
    std::sort(one.versions.begin(), one.versions.end(), [&](const TunedVersion& a, const TunedVersion& b) {
      const bool a_wins = a.candidate == best[one.id], b_wins = b.candidate == best[one.id];
      return a_wins != b_wins ? a_wins : a.standalone > b.standalone;
    });
  return out;
}

}  // namespace noctune
