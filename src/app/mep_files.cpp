#include "app/mep_files.hpp"

#include "base/files.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "model/backend.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t longest_comment = 300;

std::string comments(const std::string& word, const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& one : sentences) out += "// " + word + ": " + one_line(one, longest_comment) + "\n";
  return out;
}

std::string head_of(const CompletedMep& completed) {
  std::string out = "// Completed by " + (completed.by == "user" ? "its user" : completed.by) +
                    (completed.usable() ? "; the baseline accepted it.\n" : "; REFUSED, see below.\n");
  if (!completed.usable()) out += comments("refused", {completed.reason});
  return out + comments("understood", completed.understood) + comments("assumed", completed.assumed);
}

Result<bool> keeps_other(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  const Result<std::string> there = read_file(file);
  if (!there) return Failure(there.error());
  return *there != text;
}

std::string original_name(const MepSource& mep) {
  return "original" + source_suffix(mep.spec.backend);
}

}  // namespace

std::map<std::string, std::string> mep_texts(const CompletedMep& completed) {
  const MepSource& mep = completed.task.mep;
  MepSpec spec = mep.spec;
  if (!spec.check.invariants.empty()) spec.check.invariants = "check.cpp";
  std::map<std::string, std::string> out = {{"mep.json", head_of(completed) + to_json(spec).dump(2) + "\n"},
                                            {original_name(mep), mep.original}};
  for (const auto& [name, text] :
       {std::pair{"context.hpp", &mep.context}, {"inputs.cpp", &mep.inputs}, {"check.cpp", &mep.check}})
    if (!text->empty()) out[name] = *text;
  return out;
}

Result<MepFiles> write_mep(const CompletedMep& completed, const fs::path& folder, bool force) {
  MepFiles out;
  out.folder = folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot make the folder " + folder.string(), error.message());
  for (const auto& [name, text] : mep_texts(completed)) {
    const Result<bool> other = keeps_other(folder / name, text);
    if (!other) return Failure(other.error());
    if (*other && !force) {
      out.kept.push_back(name);
      continue;
    }
    if (Result<void> done = replace_file(folder / name, text); !done) return Failure(done.error());
    out.written.push_back(name);
  }
  return out;
}

std::string hotspot_entry(const CompletedMep& completed, const MepFiles& files) {
  OrderedJson entry{{"name", completed.task.mep.hotspot},
                    {"source", (files.folder / original_name(completed.task.mep)).string()},
                    {"mep", (files.folder / "mep.json").string()}};
  if (!completed.task.mep.context.empty()) entry["context"] = (files.folder / "context.hpp").string();
  return entry.dump();
}

}  // namespace noctune
