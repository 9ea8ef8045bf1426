#include "report/export.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/json.hpp"
#include "model/backend.hpp"
#include "report/export_texts.hpp"
#include "report/line_diff.hpp"
#include "report/lineage.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

Result<const ReportHotspot*> find_hotspot(const ReportData& data, const std::string& name) {
  std::string known;
  std::vector<std::string> names;
  for (const ReportHotspot& hotspot : data.hotspots) {
    if (hotspot.name == name) return &hotspot;
    known += (known.empty() ? "" : ", ") + hotspot.name;
    names.push_back(hotspot.name);
  }
  const std::string near = closest(name, names);
  return fail("there is no hotspot \"" + name + "\" in " + data.path,
              known.empty() ? "none has been recorded yet" : "it holds " + known,
              near.empty() ? "" : "did you mean \"" + near + "\"?");
}

struct StoredMep {
  std::string spec, context, original, inputs, check;
};

Result<StoredMep> read_mep(const ResultsFile& results, const ReportHotspot& hotspot) {
  const std::string problem = "cannot export " + hotspot.name;
  const Result<Hdf5Columns> rows = results.columns(
      "meps",
      {"hotspot", "spec_sha", "context_sha", "original_sha", "inputs_sha", "check_sha", "usable", "reason"});
  if (!rows) return Failure(rows.error());
  const std::vector<long long>& ids = rows->integers("hotspot");
  const auto found = std::find(ids.begin(), ids.end(), hotspot.id);
  if (found == ids.end())
    return fail(problem, "its minimal executable program is not in " + results.path().string(),
                "it was not completed yet, or an earlier Noctune wrote the file");
  const auto row = static_cast<std::size_t>(found - ids.begin());
  if (rows->integers("usable")[row] != 1)
    return fail(problem, "its minimal executable program was refused: " + rows->texts("reason")[row]);
  StoredMep out;
  for (const auto& [column, text] : {std::pair{"spec_sha", &out.spec},
                                     {"context_sha", &out.context},
                                     {"original_sha", &out.original},
                                     {"inputs_sha", &out.inputs},
                                     {"check_sha", &out.check}}) {
    const std::string& sha = rows->texts(column)[row];
    if (sha.empty()) continue;
    Result<std::string> stored = results.text(sha);
    if (!stored) return Failure(stored.error());
    *text = std::move(*stored);
  }
  return out;
}

// Data of the spec that lie in files of their own, which the results file does not hold.
void collect_files(const OrderedJson& node, std::vector<std::string>& out) {
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      if (key == "file" && value.is_string()) out.push_back(value.get<std::string>());
      collect_files(value, out);
    }
  else if (node.is_array())
    for (const OrderedJson& value : node) collect_files(value, out);
}

// The user's check is exported under one name, so the spec must say it.
std::string exported_spec(const StoredMep& mep, std::vector<std::string>& data_files) {
  OrderedJson spec = OrderedJson::parse(mep.spec, nullptr, false);
  if (!spec.is_object()) return mep.spec;
  collect_files(spec, data_files);
  if (!mep.check.empty() && spec.contains("check") && spec["check"].is_object())
    spec["check"]["invariants"] = "check.cpp";
  return spec.dump(2) + "\n";
}

std::string stored_config(const ResultsFile& results) {
  const std::string config = results.attribute("config");
  if (!config.empty()) return config;
  return results.text(results.attribute("config_sha")).value_or("");
}

}  // namespace

Result<std::vector<ExportedFile>> export_hotspot(const ResultsFile& results, const ReportData& data,
                                                 const std::string& name) {
  const Result<const ReportHotspot*> hotspot = find_hotspot(data, name);
  if (!hotspot) return Failure(hotspot.error());
  const Result<StoredMep> mep = read_mep(results, **hotspot);
  if (!mep) return Failure(mep.error());
  ExportFacts facts;
  facts.hotspot = *hotspot;
  facts.config = stored_config(results);
  facts.original_name = "original" + source_suffix((*hotspot)->backend);
  facts.winner_name = "winner" + source_suffix((*hotspot)->backend);
  facts.has_context = !mep->context.empty();
  if ((*hotspot)->verdict == "faster") facts.winner = find_candidate(data, (*hotspot)->best_candidate);
  std::vector<ExportedFile> out = {{"mep/mep.json", exported_spec(*mep, facts.data_files)},
                                   {"mep/" + facts.original_name, mep->original}};
  for (const auto& [file, text] : {std::pair{"mep/context.hpp", &mep->context},
                                   {"mep/inputs.cpp", &mep->inputs},
                                   {"mep/check.cpp", &mep->check}})
    if (!text->empty()) out.push_back({file, *text});
  if (facts.winner) {
    const Result<std::string> source = results.text(facts.winner->source_sha);
    if (!source) return Failure(source.error());
    out.push_back({facts.winner_name, *source});
    out.push_back({"winner.patch", unified_diff(mep->original, *source, "a/" + facts.original_name,
                                                "b/" + facts.original_name)});
  }
  out.push_back({"campaign.json", export_campaign(facts)});
  out.push_back({"README.md", export_readme(data, facts)});
  return out;
}

Result<void> write_export(const std::vector<ExportedFile>& files, const fs::path& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder / "mep", error);
  if (error) return fail("cannot make the folder " + folder.string(), error.message());
  for (const ExportedFile& file : files) {
    const fs::path path = folder / file.name;
    if (force || !fs::exists(path, error)) continue;
    const Result<std::string> there = read_file(path);
    if (!there) return Failure(there.error());
    if (*there != file.text)
      return fail("cannot write " + path.string(), "something else stands there",
                  "name another folder with --output, or add --force");
  }
  for (const ExportedFile& file : files)
    if (Result<void> done = replace_file(folder / file.name, file.text); !done) return done;
  return {};
}

}  // namespace noctune
