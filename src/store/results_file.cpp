#include "store/results_file.hpp"

#include <algorithm>

#include "store/record_packer.hpp"
#include "store/schema.hpp"

namespace noctune {
namespace fs = std::filesystem;

Result<ResultsFile> ResultsFile::open(const fs::path& path) {
  const std::string problem = "cannot read " + path.string();
  std::error_code ignored;
  const bool journalled = fs::is_directory(path.string() + ".journal", ignored);
  const std::string rebuild =
      journalled ? "its journal is there: noctune rebuild " + path.string() + " makes it again" : "";
  if (!fs::exists(path, ignored)) return fail(problem, "there is no such file", rebuild);
  if (fs::is_directory(path, ignored)) return fail(problem, "it is a folder", "give the results file, F.h5");
  if (!is_hdf5(path)) return fail(problem, "it is no HDF5 file", rebuild);
  Result<Hdf5File> file = Hdf5File::open(path);
  if (!file)
    return fail(problem, file.error().reason,
                rebuild.empty()
                    ? "if the file is whole, a lock may be in the way: try HDF5_USE_FILE_LOCKING=FALSE"
                    : rebuild);
  if (file->text_attribute("/", "format").value_or("") != "noctune results")
    return fail(problem, "it was not written by Noctune",
                "noctune report reads the results file of noctune tune");
  const Result<long long> version = file->integer_attribute("/", "schema_version");
  if (!version) return fail(problem, "it does not say its schema version");
  if (*version > schema_version)
    return fail(problem,
                "it was written by a newer Noctune (" +
                    file->text_attribute("/", "noctune_version").value_or("?") + ", schema " +
                    std::to_string(*version) + "; this one knows up to " + std::to_string(schema_version) +
                    ")",
                "use that version, or a newer one");
  return ResultsFile(path, std::move(*file));
}

std::string ResultsFile::attribute(const std::string& name) const {
  return file_.text_attribute("/", name).value_or("");
}

namespace {

// Columns that an earlier Noctune did not know yet read as unknown.
Result<Hdf5Columns> read_known(const Hdf5Table& stored, const Table& table,
                               const std::vector<std::string>& names, long long first, long long count) {
  const std::vector<std::string> stored_names = stored.column_names();
  std::vector<std::string> present, absent;
  for (const std::string& name : names) {
    const bool there = std::find(stored_names.begin(), stored_names.end(), name) != stored_names.end();
    (there || !table.find(name) ? present : absent).push_back(name);
  }
  Result<Hdf5Columns> columns = stored.read(present, first, count);
  if (!columns) return columns;
  const RecordPacker packer(table);
  for (const std::string& name : absent)
    columns->set_unknown(name, packer.members()[packer.column(name)].kind);
  for (const std::string& name : names)
    if (table.find(name) && !columns->has(name, packer.members()[packer.column(name)].kind))
      return fail("cannot read the table " + table.name,
                  "its column " + name + " has another type than Noctune's",
                  "the file is damaged, or another program has changed it");
  return columns;
}

// Every file has had these since the first version; others came later.
bool is_old(const std::string& table) {
  return table == "runs" || table == "hotspots" || table == "candidates" || table == "evaluations";
}

Hdf5Columns no_rows(const Table& table, const std::vector<std::string>& names) {
  Hdf5Columns out;
  const RecordPacker packer(table);
  for (const std::string& name : names)
    if (table.find(name)) out.set_unknown(name, packer.members()[packer.column(name)].kind);
  return out;
}

}  // namespace

Result<Hdf5Columns> ResultsFile::columns(const std::string& table, const std::vector<std::string>& names,
                                         long long first, long long count) const {
  const Table* known = find_table(table);
  if (!known) return fail("cannot read " + path_.string(), "there is no table " + table);
  if (!is_old(table) && !file_.has(table)) return no_rows(*known, names);
  return file_.open_table(table).and_then(
      [&](const Hdf5Table& stored) { return read_known(stored, *known, names, first, count); });
}

Result<void> ResultsFile::read_places() const {
  const Result<Hdf5Columns> index = columns("texts", {"sha", "offset", "length"});
  if (!index) return Failure(index.error());
  for (std::size_t i = 0; i < index->rows(); ++i)
    places_.insert({index->texts("sha")[i], {index->integers("offset")[i], index->integers("length")[i]}});
  return {};
}

Result<std::string> ResultsFile::text(const std::string& sha) const {
  if (places_.empty())
    if (Result<void> done = read_places(); !done) return Failure(done.error());
  const auto found = places_.find(sha);
  if (found == places_.end())
    return fail("cannot read a text from " + path_.string(), "it holds no text " + sha);
  return file_.open_table("text_bytes").and_then([&](const Hdf5Table& bytes) {
    return bytes.read_bytes(found->second.offset, found->second.length);
  });
}

}  // namespace noctune
