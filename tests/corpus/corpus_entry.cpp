#include "corpus/corpus_entry.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  return fs::exists(path) ? value_or_throw(read_file(path)) : std::string();
}

template <class T>
T member(const OrderedJson& about, const char* key, T missing) {
  const auto found = about.find(key);
  return found == about.end() ? missing : found->get<T>();
}

CorpusEntry entry_in(const fs::path& folder) {
  using Names = std::vector<std::string>;
  using Values = std::map<std::string, std::string>;
  const OrderedJson about = value_or_throw(read_json((folder / "about.json").string())).root;
  CorpusEntry out;
  out.name = folder.filename().string();
  out.openmp = text_of(folder / "source.cpp");
  out.cuda = text_of(folder / "source.cu");
  out.reference = text_of(folder / "reference.cpp");
  out.expect = member<std::string>(about, "expect", "");
  out.refusal = member<std::string>(about, "refusal", "");
  out.features = member<Names>(about, "features", {});
  out.pattern = member<std::string>(about, "pattern", "");
  out.kernels = member<Names>(about, "kernels", {});
  out.params = member<std::vector<int>>(about, "params", {});
  out.cuda_kernels = member<Names>(about, "cuda_kernels", out.kernels);
  out.cuda_params = member<std::vector<int>>(about, "cuda_params", out.params);
  out.call_site = member<std::string>(about, "call_site", "");
  out.defines = member<Values>(about, "defines", {});
  out.check_defines = member<Values>(about, "check_defines", {});
  return out;
}

}  // namespace

const std::vector<CorpusEntry>& corpus_entries() {
  static const std::vector<CorpusEntry> entries = [] {
    std::vector<CorpusEntry> out;
    for (const fs::directory_entry& at : fs::directory_iterator(NOCTUNE_SOURCE_DIR "/tests/corpus"))
      if (fs::exists(at.path() / "about.json")) out.push_back(entry_in(at.path()));
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
  }();
  return entries;
}

}  // namespace noctune
