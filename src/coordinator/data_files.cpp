#include "coordinator/data_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/files.hpp"
#include "base/hdf5_array.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

// "x.h5:/step/x" as file and dataset; an empty dataset where the file is a raw one.
struct DatasetPath {
  std::string file, dataset;
};

DatasetPath split(const std::string& text) {
  const std::size_t colon = text.find(":/");
  if (colon == std::string::npos || !fs::path(text.substr(0, colon)).has_extension()) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool is_newer(const fs::path& file, const fs::path& than) {
  std::error_code no_file, no_other;
  const auto written = fs::last_write_time(file, no_file), other = fs::last_write_time(than, no_other);
  return !no_file && !no_other && written > other;
}

fs::path raw_copy(const DatasetPath& from, const fs::path& folder, const std::string& element,
                  const std::string& place) {
  std::string name = fs::path(from.file).stem().string() + from.dataset;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  const fs::path copy = folder / (name + "." + element + ".bin");
  if (is_newer(copy, from.file)) return copy;
  Result<std::string> bytes = read_hdf5_array(from.file, from.dataset, element);
  if (!bytes)
    throw UserError({place + ": " + bytes.error().problem, bytes.error().reason, bytes.error().hint});
  value_or_throw(write_file(copy, *bytes));
  return copy;
}

}  // namespace

void locate_data_files(MepSpec& spec, const std::string& spec_path) {
  const fs::path folder = fs::absolute(fs::path(spec_path)).parent_path();
  for (DataSpec& data : spec.data)
    for (DataPart& part : data.parts) {
      if (part.file.empty()) continue;
      DatasetPath path = split(part.file);
      path.file = (folder / path.file).lexically_normal().string();
      const auto element = element_of(part.type + "*", spec.defines);
      part.file = path.dataset.empty() || !element
                      ? path.file
                      : raw_copy(path, folder, to_text(*element),
                                 spec_path + ": data." + data.name + ".parts." + part.name)
                            .string();
    }
}

}  // namespace noctune
