// Writes one results file: every table of the schema with its attributes, records streamed in whole chunks.
// Tables with an id column that may be rewritten are held until finish(); the others go out as they fill.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/hdf5.hpp"
#include "store/record_packer.hpp"

namespace noctune {

class TableSink {
 public:
  TableSink(const Table& table, Hdf5Table stored, std::size_t chunk_rows);

  const RecordPacker& packer() const { return packer_; }
  // Adds a record as packed by packer().
  Result<void> add(const std::string& record);
  // Adds a record, or replaces the one with this id. False in `fresh` when it replaced one.
  void put(long long id, const std::string& record, bool& fresh);
  // Whole packed records one after the other.
  Result<void> add_many(std::string_view records);
  Result<void> flush();
  Result<void> close();
  long long rows() const { return rows_; }

 private:
  Result<void> flush_chunks();

  RecordPacker packer_;
  Hdf5Table stored_;
  std::size_t record_bytes_, block_bytes_;
  std::string pending_;
  std::unordered_map<long long, std::size_t> by_id_;
  long long rows_ = 0;
};

class ResultsWriter {
 public:
  static Result<ResultsWriter> create(const std::filesystem::path& path);

  // A table of the schema, which must exist.
  TableSink& table(std::string_view name) { return *tables_.at(std::string(name)); }
  // Stores a text once; `sha` may be given when known.
  Result<std::string> text(std::string_view kind, std::string_view content, std::string sha = {});
  Result<void> attribute(const std::string& name, const std::string& value);
  Result<void> attribute(const std::string& name, long long value);
  // Flushes and closes everything; the counts of rows() are final then.
  Result<void> finish();
  std::map<std::string, long long> rows() const;

 private:
  explicit ResultsWriter(Hdf5File file) : file_(std::move(file)) {}
  Result<void> add_table(const Table& table);

  Hdf5File file_;
  std::map<std::string, std::unique_ptr<TableSink>> tables_;
  std::unordered_map<std::string, long long> texts_;
  long long text_bytes_ = 0;
};

}  // namespace noctune
